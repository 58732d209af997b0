export { skillHandlers } from "./handlers.ts";
export { skillLocatable } from "./locatable.ts";
export { resolveSkills } from "./resolve-skills.ts";
export { skillVersionsOf } from "./store.ts";
export { skillFiles, skills, skillVersions } from "./table.ts";
