export { PatternAutomaton } from "./pattern-automaton.ts";
export { scrubTexts } from "./scrub-texts.ts";
export { type ScrubbedPiece, Scrubber } from "./scrubber.ts";
export { secretForms } from "./secret-forms.ts";
