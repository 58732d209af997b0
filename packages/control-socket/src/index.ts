export { AlreadyAnnouncedError, type Announcement, announce } from "./announce.ts";
export { ControlFolderError, controlFolder } from "./control-folder.ts";
export type { Identity } from "./identity.ts";
export { type Found, inquire, SilentHolderError } from "./inquire.ts";
