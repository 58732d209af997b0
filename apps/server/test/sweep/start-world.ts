import { claim } from "../people.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { buildEntity } from "./build-entity.ts";
import { keepRuns } from "./build-run.ts";
import { anAgent, type CallerKind, callerKinds } from "./caller-kinds.ts";
import { peopleKinds, personActor } from "./people-kinds.ts";
import { openWire } from "./wire.ts";
import { type Actor, localBoard, type World } from "./world.ts";

/** A kind of caller with somebody of it. */
export type Cast = CallerKind & { readonly actor: Actor };

/** A server with two companies and somebody of every kind of caller. */
export interface Stage {
  readonly world: World;
  readonly cast: readonly Cast[];
  close(): Promise<void>;
}

const manyTries = 1_000_000;
const manyRequests = { agent: manyTries, person: manyTries, address: manyTries };

/** Starts a server of its own for a test file, and fills it. */
export async function startStage(): Promise<Stage> {
  const server = await startTestServer({ signInTries: manyTries });
  return stageOn(server, localBoard, callerKinds);
}

/** The same in authenticated mode, with people who have signed in, and an agent. */
export async function startPeopleStage(): Promise<Stage> {
  const server = await startTestServer({ mode: "authenticated", signInTries: manyTries, rateLimits: manyRequests });
  const operator = await claim(server);
  const board = personActor("the first operator", server.url, operator);
  return stageOn({ ...server, board: operator.client }, board, [...peopleKinds, { ...anAgent, isBrief: true }]);
}

async function stageOn(server: TestServer, board: Actor, kinds: readonly CallerKind[]): Promise<Stage> {
  const wire = openWire(server.url);
  let given = 0;
  const next = (): number => {
    given += 1;
    return given;
  };
  const empty: World = {
    server,
    wire,
    board,
    home: "",
    elsewhere: "",
    next,
    build: (kind, place) => buildEntity(world, kind, place),
  };
  let world = empty;
  const found = (): Promise<string> => buildEntity(world, "company", { companyId: "", params: {} });
  world = { ...empty, home: await found(), elsewhere: await found() };
  await keepRuns(world);
  const cast: Cast[] = [];
  for (const kind of kinds) cast.push({ ...kind, actor: await kind.make(world) });
  return {
    world,
    cast,
    close: async () => {
      wire.close();
      await server.close();
    },
  };
}
