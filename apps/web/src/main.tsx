import "./before-zod.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Board } from "./app/board.tsx";
import { applyTheme } from "./app/theme.ts";

applyTheme();
const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the board");
createRoot(root).render(
  <StrictMode>
    <Board />
  </StrictMode>,
);
