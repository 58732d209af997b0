import { z } from "zod";
import { allOperations, type NamedOperation } from "./contract.ts";
import { idOf } from "./fields.ts";
import { type Answer, type Operation, takesCompanyHint, takesKey, takesVersion } from "./operation.ts";
import { type CallerRule, permissions } from "./permissions.ts";
import { type RefusalCode, refusalBody, refusalStatus } from "./refusals.ts";

type Json = Record<string, unknown>;

const everywhere: readonly RefusalCode[] = ["internal", "overloaded"];
const everyCredential = ["unauthenticated", "credential_expired", "run_ended", "forbidden"] as const;
const answerStatus = {
  record: "200",
  created: "201",
  page: "200",
  nothing: "204",
  text: "200",
  accepted: "202",
  bytes: "200",
  lines: "200",
} as const;

/** The interface as an OpenAPI 3.1 document, generated from the contract alone. */
export function openapi(version: string): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  for (const named of allOperations()) {
    const path = named.operation.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [named.operation.method.toLowerCase()]: describe(named, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Roster", version, description: "Control plane for companies of AI agents" },
    paths,
    components: {
      schemas: { ...schemas, Refusal: jsonSchema(refusalBody, "output", schemas) },
      securitySchemes: {
        agent: { type: "http", scheme: "bearer", description: "Run credential or agent API key" },
        person: {
          type: "apiKey",
          in: "cookie",
          name: "roster.session_token",
          description: "Session of a signed-in person (authenticated mode); __Secure- before the name over https",
        },
      },
    },
  };
}

function describe({ name, operation }: NamedOperation, schemas: Json): Json {
  return {
    operationId: name,
    summary: operation.summary,
    "x-callers": permissions[operation.may],
    security: [{}, { agent: [] }, { person: [] }],
    parameters: [...pathParameters(operation), ...queryParameters(operation, schemas), ...headerParameters(operation)],
    ...(operation.body && {
      requestBody: { content: { "application/json": { schema: jsonSchema(operation.body, "input", schemas) } } },
    }),
    responses: { ...successes(operation.answer, schemas), ...refusals(operation) },
  };
}

const companyHint = idOf("company").optional().describe("Where a name in the path is looked up");

function pathParameters(operation: Operation): Json[] {
  return [...operation.path.matchAll(/:(\w+)/g)].map((match) => ({
    name: match[1],
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(operation: Operation, schemas: Json): Json[] {
  const hint = takesCompanyHint(operation) ? { companyId: companyHint } : {};
  const parameters = { ...hint, ...operation.query?.shape } as Readonly<Record<string, z.ZodType>>;
  return Object.entries(parameters).map(([name, schema]) => ({
    name,
    in: "query",
    required: !schema.safeParse(undefined).success,
    schema: jsonSchema(schema, "input", schemas),
  }));
}

function headerParameters(operation: Operation): Json[] {
  const { answer } = operation;
  const header = (name: string, description: string): Json => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  });
  return [
    ...(takesKey(operation) ? [header("Idempotency-Key", "The same key and body give the first answer again")] : []),
    ...(answer.kind === "bytes" ? [header("Range", "One range of bytes is answered by it alone")] : []),
    ...(answer.kind === "page" && answer.follows !== undefined
      ? [header("Last-Event-ID", `An event stream goes on after this ${answer.follows}`)]
      : []),
    ...(takesVersion(operation) ? [header("If-Match", "Refuse with 412 when the ETag has moved on")] : []),
  ];
}

function successes(answer: Answer, schemas: Json): Json {
  const described = success(answer, schemas);
  return { [answerStatus[answer.kind]]: described, ...(answer.kind === "bytes" && { "206": described }) };
}

function success(answer: Answer, schemas: Json): Json {
  if (answer.kind === "nothing") return { description: "Done" };
  if (answer.kind === "text") return { description: "Text", content: { "text/plain": { schema: { type: "string" } } } };
  if (answer.kind === "bytes") {
    return {
      description: "Bytes: all of them, or with Range (206) a part",
      content: { "text/plain": { schema: { type: "string" } } },
    };
  }
  const item = jsonSchema(answer.schema, "output", schemas);
  if (answer.kind === "lines") {
    return { description: "Lines, each of them JSON", content: { "application/x-ndjson": { schema: item } } };
  }
  const schema = answer.kind === "page" ? { type: "array", items: item } : item;
  const events = answer.kind === "page" && answer.follows !== undefined && { "text/event-stream": { schema: item } };
  return { description: "Success", content: { "application/json": { schema }, ...events } };
}

/** Codes an operation can refuse with, those that follow from its shape included. */
export function refusalCodes(operation: Operation): RefusalCode[] {
  const rule: CallerRule = permissions[operation.may];
  const codes = new Set<RefusalCode>([...everywhere, ...(operation.refusals ?? [])]);
  if (!rule.public) for (const code of everyCredential) codes.add(code);
  if (!operation.probe) codes.add("rate_limited");
  if (operation.path.includes(":")) for (const code of ["other_company", "not_found"] as const) codes.add(code);
  if (operation.query || operation.method !== "GET") codes.add("invalid_request");
  if (operation.method !== "GET") {
    for (const code of ["malformed_json", "payload_too_large", "unsupported_media_type"] as const) codes.add(code);
    codes.add("credential_suspended");
    // Whoever calls: from the page of another site nothing is changed.
    codes.add("forbidden");
    codes.add("wrong_state");
  }
  if (operation.query) codes.add("other_company");
  if (operation.body && !rule.runner) {
    for (const code of ["secret_in_text", "other_company"] as const) codes.add(code);
  }
  if (takesKey(operation)) codes.add("idempotency_key_reused");
  if (takesVersion(operation)) codes.add("stale_revision");
  return [...codes];
}

function refusals(operation: Operation): Json {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of refusalCodes(operation)) {
    byStatus.set(refusalStatus[code], [...(byStatus.get(refusalStatus[code]) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.join(", "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      },
    ]),
  );
}

/** Named schemas (`.meta({ id })`) are hoisted into `schemas`, the document's components, and referred to from there. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const made = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  const { $schema: _, $defs, ...rest } = JSON.parse(made.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
  Object.assign(schemas, $defs);
  const { id, ...inline } = rest;
  if (typeof id !== "string") return rest;
  schemas[id] = inline;
  return { $ref: `#/components/schemas/${id}` };
}
