import { type CallerRule, type Operation, type Role, roleAtLeast, roles } from "@roster/contract";
import { invited, type Person } from "../people.ts";
import { type CallerKind, type Outcome, unlessPublic } from "./caller-kinds.ts";
import { instanceKinds } from "./entity-builders.ts";
import { type Actor, idsOf, type World } from "./world.ts";

/** Somebody who is signed in, as its requests show. */
export function personActor(name: string, url: string, { id, cookie }: Person): Actor {
  return { name, headers: { cookie, origin: url }, logged: { kind: "user", id }, userId: id };
}

const reads = ({ method }: Operation): boolean => method === "GET";

/** What the permission table says to somebody with a role in the company that a call is about; null: with none. */
const asMember = (role: Role | null) =>
  unlessPublic((rule: CallerRule, operation: Operation): Outcome => {
    if (rule.runner || rule.board === "instanceAdmin") return "forbidden";
    if (rule.board === "never") return "agent_credential_required";
    const [subject] = idsOf(operation).map((name) => name.slice(0, -2));
    // What belongs to no company is somebody else's own.
    if (subject !== undefined && instanceKinds.has(subject)) return "not_found";
    if (role === null && subject !== undefined) return "other_company";
    const needed = roles.find((one) => one === rule.board);
    if (role !== null && needed !== undefined && !roleAtLeast(role, needed)) return "forbidden";
    return reads(operation) ? "accepted" : "decided";
  });

async function join(world: World, name: string, companyId: string, role: Role): Promise<Actor> {
  const email = `${name.replaceAll(" ", "-")}@example.com`;
  return personActor(
    name,
    world.server.url,
    await invited(world.server, world.server.board, { companyId, role, email }),
  );
}

/** Kinds of caller that authenticated mode has beside agents and runners. What they may is derived, never listed. */
export const peopleKinds: readonly CallerKind[] = [
  {
    about: "home",
    make: () => Promise.resolve({ name: "nobody", headers: {}, logged: { kind: "system", id: null } }),
    expects: unlessPublic(() => "unauthenticated"),
  },
  { about: "home", make: (world) => join(world, "a viewer", world.home, "viewer"), expects: asMember("viewer") },
  { about: "home", make: (world) => join(world, "an operator", world.home, "operator"), expects: asMember("operator") },
  {
    about: "home",
    make: (world) => join(world, "an owner of another company", world.elsewhere, "owner"),
    expects: asMember(null),
  },
  {
    about: "own",
    isBrief: true,
    make: (world) => Promise.resolve(world.board),
    expects: unlessPublic((rule) => {
      if (rule.runner) return "forbidden";
      return rule.board === "never" ? "agent_credential_required" : "accepted";
    }),
  },
];
