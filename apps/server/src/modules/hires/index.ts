export { hireHandlers } from "./handlers.ts";
export { hireEffects } from "./hire-effects.ts";
export { sourcesOf } from "./sources.ts";
