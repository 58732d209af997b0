export { addComment } from "./add-comment.ts";
export { presentComment } from "./present.ts";
export { type CommentRow, listComments } from "./store.ts";
