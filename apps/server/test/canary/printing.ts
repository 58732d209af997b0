/**
 * What an agent's program does that tells all it knows: each variable that is named to it, in every way in which a
 * program may print one, on both outputs and as events. Node and the tools of a shell.
 */
export const printingProgram = `
import { execFileSync } from "node:child_process";
import { writeSync } from "node:fs";

const print = (fd, text) => {
  for (let bytes = Buffer.from(text); bytes.length > 0; ) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
};
const event = (type, data) => print(1, JSON.stringify({ type, ...data }) + "\\n");

for (const name of process.env.TELL.split(",")) {
  const value = process.env[name];
  for (const fd of [1, 2]) {
    print(fd, name + "=" + value + "\\n");
    print(fd, value + "\\n");
    for (const before of ["", "x", "xy", "user:"]) {
      for (const encoding of ["base64", "base64url"]) {
        print(fd, Buffer.from(before + value).toString(encoding) + "\\n");
        print(fd, Buffer.from(before + value + " and more").toString(encoding) + "\\n");
      }
    }
    print(fd, encodeURIComponent(value) + "\\n" + new URLSearchParams({ q: value }) + "\\n");
    print(fd, JSON.stringify({ value, list: [value] }, null, 2) + "\\n");
    print(fd, JSON.stringify(JSON.stringify({ value })) + "\\n");
    for (const byte of Buffer.from(value)) print(fd, Buffer.from([byte]));
    print(fd, "\\n" + value.slice(0, 7));
    print(fd, value.slice(7) + "x".repeat(9000) + value + "\\n");
    print(fd, value + value + "\\n");
  }
  event("message", { text: value });
  event("output", { text: "said " + value });
  event("tool_call", { id: name, name: "fetch", input: { url: "https://a.example/?key=" + encodeURIComponent(value), deep: [{ value }] } });
  event("tool_result", { id: name, output: Buffer.from(value).toString("base64") });
  print(1, execFileSync("/bin/sh", ["-c", 'eval "v=\\\\$$1"; echo "$v"; printf %s "$v" | base64 -w0; echo; echo "$v" | base64', "sh", name]));
}
for (const fd of [1, 2]) print(fd, "key " + process.env.SERVICE_API_KEY + "\\n");
print(2, process.env.LAST + "\\n");
event("result", { text: process.env[process.env.TELL.split(",")[0]] });
// The last words may be a secret, too, and have no end.
print(1, process.env[process.env.TELL.split(",").at(-1)]);
process.exit(3);
`;
