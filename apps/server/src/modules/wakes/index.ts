export { recordWake } from "./record-wake.ts";
