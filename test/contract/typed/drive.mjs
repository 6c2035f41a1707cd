// Makes calls with the generated client: one for each line of JSON on the standard input, answered by one on the
// standard output. Its arguments are the folder of the client and the address of the service.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, service] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(folder, "code", name)).href);
const [sdk, schemas, { client }] = [await load("sdk.gen.js"), await load("zod.gen.js"), await load("client.gen.js")];

const contract = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8"));
const follow = (node) => (node?.$ref ? node.$ref.slice(2).split("/").reduce((at, name) => at[name], contract) : node);
const operations = new Map();
for (const item of Object.values(contract.paths)) {
  for (const operation of Object.values(item)) {
    if (!operation.operationId) continue;
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(follow);
    operations.set(operation.operationId, { ...operation, parameters });
  }
}

// The generator has a spelling of its own for names with several capitals in a row.
const named = (exports) => new Map(Object.entries(exports).map(([name, value]) => [name.toLowerCase(), value]));
const functions = named(sdk);
const parsers = named(schemas);

// typed makes the text of a parameter what a program would pass to the function.
function typed(schema, text) {
  schema = follow(schema);
  while (schema.allOf) schema = { ...schema, ...follow(schema.allOf[0]), allOf: follow(schema.allOf[0]).allOf };
  switch (schema.type) {
    case "integer":
      return /^\d+$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "array":
      return text.split(",");
  }
  return text;
}

function parameters(operation, place, texts) {
  const values = {};
  for (const [name, text] of Object.entries(texts ?? {})) {
    const parameter = operation.parameters.find((p) => p.in === place && p.name === name);
    values[name] = typed(parameter.schema, text);
  }
  return Object.keys(values).length > 0 ? values : undefined;
}

// refusal parses what the client leaves unparsed: the answers of errors.
async function refusal(operation, status, text) {
  const media = Object.values(follow(operation.responses[status])?.content ?? {})[0];
  if (!media) return `status ${status} is not documented`;
  const parser = parsers.get("z" + media.schema.$ref?.split("/").pop().toLowerCase());
  if (!parser) return `the answer of status ${status} has no schema with a name`;
  const parsed = await parser.safeParseAsync(JSON.parse(text));
  return parsed.success ? "" : parsed.error.message;
}

async function call(line) {
  const operation = operations.get(line.operation);
  const invoke = functions.get(line.operation.toLowerCase());
  if (!invoke) return { fault: "the client has no such function" };
  let body = line.body;
  if (line.file !== undefined) body = { file: new File([line.file], "certificate.pdf", { type: "application/pdf" }) };
  if (line.text !== undefined) body = line.text;
  const leave = new AbortController();
  let received;
  const options = {
    client,
    baseUrl: service,
    auth: ({ name }) => ({ "X-API-KEY": line.key, "x-organization-id": line.organization })[name],
    path: parameters(operation, "path", line.path),
    query: parameters(operation, "query", line.query),
    headers: line.headers,
    body,
    signal: leave.signal,
    sseMaxRetryAttempts: 1,
    fetch: async (...request) => {
      const response = await fetch(...request);
      const stream = response.ok && response.headers.get("Content-Type")?.startsWith("text/event-stream");
      const content = stream ? "" : Buffer.from(await response.clone().arrayBuffer()).toString("base64");
      received = { status: response.status, headers: [...response.headers], body: content };
      return response;
    },
  };
  let fault = "";
  try {
    let failed;
    const result = await invoke({ ...options, onSseError: (error) => (failed = error) });
    if (result.stream) {
      const first = await result.stream.next();
      leave.abort();
      if (failed && received?.status < 300) throw failed;
      if (first.done && received?.status < 300) fault = "the stream has no event";
    } else if (result.error !== undefined && received === undefined) {
      throw result.error;
    }
    if (received.status >= 400) {
      fault = await refusal(operation, received.status, Buffer.from(received.body, "base64").toString());
    }
  } catch (error) {
    fault = String(error.message ?? error);
  }
  return { ...received, fault };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await call(JSON.parse(line))) + "\n");
}
