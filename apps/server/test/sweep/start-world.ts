import { startTestServer } from "../test-server.ts";
import { buildEntity } from "./build-entity.ts";
import { keepLeases } from "./build-run.ts";
import { type CallerKind, callerKinds } from "./caller-kinds.ts";
import { openWire } from "./wire.ts";
import type { Actor, World } from "./world.ts";

/** A kind of caller with somebody of it. */
export type Cast = CallerKind & { readonly actor: Actor };

/** A server with two companies and somebody of every kind of caller. */
export interface Stage {
  readonly world: World;
  readonly cast: readonly Cast[];
  close(): Promise<void>;
}

/** Starts a server of its own for a test file, and fills it. */
export async function startStage(): Promise<Stage> {
  const server = await startTestServer();
  const wire = openWire(server.url);
  let given = 0;
  const next = (): number => {
    given += 1;
    return given;
  };
  const empty: World = {
    server,
    wire,
    home: "",
    elsewhere: "",
    next,
    build: (kind, place) => buildEntity(world, kind, place),
  };
  let world = empty;
  const found = (): Promise<string> => buildEntity(world, "company", { companyId: "", params: {} });
  world = { ...empty, home: await found(), elsewhere: await found() };
  await keepLeases(world);
  const cast: Cast[] = [];
  for (const kind of callerKinds) cast.push({ ...kind, actor: await kind.make(world) });
  return {
    world,
    cast,
    close: async () => {
      wire.close();
      await server.close();
    },
  };
}
