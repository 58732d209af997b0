/** The files of the demo's skills by their paths, as they are in the tree; they are part of this page. */
const texts = import.meta.glob("../../../../../demo/{agents,skill}/*", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Under these names the demo's agents find their skills. */
const agentsSkill = "demo-agents";
const greetingSkill = "greeting";

/** The skills as an import takes them: folders with files. Pure. */
export function demoSkills(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [path.split("/").slice(-2).join("/"), String(text)]),
  );
}

/** How an agent of the demo is run; nothing but Node is needed where the runner is. Pure. */
export function demoAgent(program: "ceo" | "engineer") {
  const command = `node "$SERVICE_SKILLS_DIR/${agentsSkill}/${program}.mjs"`;
  return {
    adapterType: "process",
    adapterConfig: { command, shell: true, stdin: "none" },
    desiredSkills: [agentsSkill, greetingSkill],
  };
}
