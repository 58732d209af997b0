import { expect, test } from "vitest";
import { boardPathOf } from "./board-path.ts";

test.each([
  ["/api/issues/01a1fc8f-a4d3-731e-85a0-2bf0166dc03f", "/ACM/issues/01a1fc8f-a4d3-731e-85a0-2bf0166dc03f"],
  ["/api/issues/ACM-12", "/ACM/issues/ACM-12"],
  ["/api/agents/01a1fc8f", "/ACM/agents/01a1fc8f"],
  ["/api/approvals/01a1fc8f", "/ACM/approvals/01a1fc8f"],
  ["/api/heartbeat-runs/01a1fc8f", "/ACM/runs/01a1fc8f"],
  ["/ACM/issues/ACM-12", "/ACM/issues/ACM-12"],
  ["/OTHER", "/OTHER"],
])("%s in a text of a company means its page %s", (href, path) => expect(boardPathOf(href, "ACM")).toBe(path));

test.each([
  "https://example.com/api/issues/1",
  "//example.com/ACM",
  "/api/secrets/01a1fc8f",
  "/api/constructor/1",
  "/api/issues/1/comments",
  "/api/issues/../../x",
  "/ACM/issues?x=javascript:alert(1)",
  "javascript:alert(1)",
  "#here",
  "",
])("%s means no page of the board", (href) => expect(boardPathOf(href, "ACM")).toBeNull());
