import type { AdapterOrder } from "@roster/adapter";

/** The prompt, after where instructions and skills are: for programs that look for neither where we could put them. Pure. */
export function prefacedPrompt({ prompt, instructionsFile, skillsFolder }: AdapterOrder): string {
  const places = [
    instructionsFile !== null && `Your instructions are in the file ${instructionsFile}. Read it before anything else.`,
    skillsFolder !== null &&
      `Your skills are in ${skillsFolder}: a folder each, with a file SKILL.md that says when it is of use, and how.`,
  ];
  return [...places.filter((place) => place !== false), prompt].join("\n\n");
}
