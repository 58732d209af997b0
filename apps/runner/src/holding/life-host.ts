import type { Server } from "../calling/server.ts";
import type { Log } from "../log.ts";
import type { SkillCache } from "../preparing/skill-cache.ts";
import type { RunnerHome } from "../runner-home.ts";

/** What every run of a runner shares. */
export interface LifeHost {
  readonly home: RunnerHome;
  readonly skills: SkillCache;
  readonly server: Server;
  readonly log: Log;
}
