import {
  allOperations,
  permissions,
  refusalBody,
  refusalCodes,
  refusalStatus,
  takesKey,
  takesVersion,
} from "@roster/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isBuildable, noBuilder } from "./build-entity.ts";
import { schemaOf, variantsOf } from "./input-schema.ts";
import { fieldsOf } from "./schema-fields.ts";
import { type Stage, startStage } from "./start-world.ts";
import { idsOf } from "./world.ts";

const named = allOperations();

describe("the contract fits together", () => {
  test("every row of the permission table is used", () => {
    const used = new Set<string>(named.map(({ operation }) => operation.may));
    expect(Object.keys(permissions).filter((row) => !used.has(row))).toEqual([]);
  });

  test("no two operations share method and path", () => {
    const routes = named.map(({ operation: { method, path } }) => `${method} ${path.replace(/:\w+/g, ":")}`);
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  test("every id in a path, and every reference in a body or query, is of a kind that the sweep can make", () => {
    const inPaths = named.flatMap(({ operation }) => idsOf(operation).map((name) => name.slice(0, -2)));
    const kinds = new Set([...inPaths, ...referredKinds()]);
    expect([...kinds].filter((kind) => !isBuildable(kind)).map(noBuilder)).toEqual([]);
  });

  test("every operation says in one line what it does", () => {
    const silent = named.filter(({ operation: { summary } }) => summary.trim() === "" || summary.includes("\n"));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

/** Kinds that references in bodies and queries are of. */
function referredKinds(): string[] {
  const schemas = named.flatMap(({ operation: { body, query } }) => [body, query].filter((part) => part !== undefined));
  const fields = schemas.flatMap((schema) => fieldsOf(schemaOf(schema, "input")));
  return fields.flatMap(({ schema }) => variantsOf(schema).flatMap(({ refersTo }) => refersTo ?? []));
}

type Json = Record<string, unknown>;

describe("what the service says of itself", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.close());

  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    stage.world.wire.send({ method, path, headers });

  test("the OpenAPI document describes every operation with its success and every status it can refuse with", async () => {
    const document = JSON.parse((await send("GET", "/api/openapi.json")).text) as { paths: Record<string, Json> };
    const faults = named.flatMap(({ name, operation }) => {
      const path = operation.path.replace(/:(\w+)/g, "{$1}");
      const described = document.paths[path]?.[operation.method.toLowerCase()] as Json | undefined;
      if (described === undefined) return [`${name} is missing`];
      const wanted = new Set(refusalCodes(operation).map((code) => String(refusalStatus[code])));
      const responses = Object.keys(described["responses"] as Json);
      const lacking = [...wanted].filter((status) => !responses.includes(status));
      const hasSuccess = responses.some((status) => status.startsWith("2"));
      return [
        ...(described["operationId"] === name ? [] : [`${name} is called ${String(described["operationId"])}`]),
        ...(lacking.length > 0 ? [`${name} lacks ${lacking.join(", ")}`] : []),
        ...(hasSuccess ? [] : [`${name} never succeeds`]),
      ];
    });
    expect(faults).toEqual([]);
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    expect(operations).toHaveLength(named.length);
  });

  test("the OpenAPI document promises a key, a version or a cursor just where the sweep tries them", async () => {
    const document = JSON.parse((await send("GET", "/api/openapi.json")).text) as { paths: Record<string, Json> };
    const faults = named.filter(({ operation }) => {
      const path = document.paths[operation.path.replace(/:(\w+)/g, "{$1}")];
      const described = path?.[operation.method.toLowerCase()] as
        | { parameters: readonly { name: string }[] }
        | undefined;
      const promised = (name: string) => described?.parameters.some((parameter) => parameter.name === name) === true;
      const isList = operation.answer.kind === "page";
      return (
        promised("Idempotency-Key") !== takesKey(operation) ||
        promised("If-Match") !== takesVersion(operation) ||
        promised("cursor") !== isList ||
        promised("limit") !== isList
      );
    });
    expect(faults.map(({ name }) => name)).toEqual([]);
    // What changes something takes a key, but for machinery, which is told again as often as it takes.
    const changes = named.filter(({ operation: { method, machinery } }) => method !== "GET" && !machinery);
    expect(changes.filter(({ operation }) => !takesKey(operation))).toEqual([]);
  });

  test("every reference inside the OpenAPI document leads somewhere in it", async () => {
    const document: unknown = JSON.parse((await send("GET", "/api/openapi.json")).text);
    const references = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? [];
    expect(references.length).toBeGreaterThan(0);
    const dangling = [...new Set(references)].filter((reference) => {
      const pointer = reference.slice('"$ref":"#/'.length, -1).split("/");
      return pointer.reduce<unknown>((at, part) => (at as Json | undefined)?.[part], document) === undefined;
    });
    expect(dangling).toEqual([]);
  });

  test("whatever leads to no operation is refused in the one shape", async () => {
    const unknown = ["/api", "/api/", "/api/nothing", "/api/companies/", "/api/companies/%zz", "/api/%00", "/api//"];
    const asked = unknown.flatMap((path) => ["GET", "POST", "PUT"].map((method) => ({ method, path })));
    const methods = ["PUT", "DELETE", "OPTIONS"].map((method) => ({ method, path: "/api/companies" }));
    for (const { method, path } of [...asked, ...methods]) {
      const answer = await send(method, path);
      const body = refusalBody.strict().safeParse(JSON.parse(answer.text));
      expect({ method, path, status: answer.status, code: body.data?.code }).toEqual({
        method,
        path,
        status: 404,
        code: "not_found",
      });
      expect(answer.headers["x-request-id"]).toBe(answer.requestId);
      expect(answer.headers["service-version"]).toBeTruthy();
    }
  });
});
