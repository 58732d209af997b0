export * from "./adapter-spec.ts";
export * from "./child-text.ts";
export * from "./common-settings.ts";
export * from "./define-adapter.ts";
export * from "./environment-entries.ts";
export * from "./prompt-variables.ts";
export * from "./run-environment.ts";
export * from "./unknown-settings.ts";
