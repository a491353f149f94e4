import { assert, assertEquals } from "@std/assert";
import { Validator } from "npm:@seriousme/openapi-schema-validator@2.11.0";
import { Ajv2020, type ValidateFunction } from "npm:ajv@8.20.0/dist/2020.js";
import addFormats from "npm:ajv-formats@3.0.1";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Description {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object> };
}

async function describe(service: TestService, plugin?: string): Promise<Description> {
  return await service.getJson(plugin === undefined ? "/openapi.json" : `/${plugin}/openapi.json`);
}

/** Compiles a schema of the description; references resolve to its components. */
function compile(description: Description, schema: object): ValidateFunction {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.compile({ ...schema, components: description.components });
}

/** Calls an operation once with example values and checks status and body against the declared ones. */
async function callOnce(
  service: TestService,
  description: Description,
  [path, method, operation]: readonly [path: string, method: string, operation: Operation],
): Promise<void> {
  const search = path.endsWith("/wait") ? "?timeout=0" : "";
  const url = service.api.url +
    path.replaceAll(/\{plugin\}/g, "toy").replaceAll(/\{\w+\}/g, "0") + search;
  const ended = new AbortController();
  const response = await fetch(url, { method: method.toUpperCase(), signal: ended.signal });
  const declared = operation.responses[response.status];
  assert(declared, `${operation.operationId} answered ${response.status}, which is not declared`);
  const type = response.headers.get("content-type")?.split(";")[0];
  if (declared.content === undefined) {
    assertEquals([operation.operationId, await response.text()], [operation.operationId, ""]);
    return;
  }
  const media = declared.content[type!];
  assert(
    media,
    `${operation.operationId} sent ${type}, declared are ${Object.keys(declared.content)}`,
  );
  if (type !== "application/json") {
    ended.abort();
    await response.body?.cancel().catch(() => {});
    return;
  }
  const validate = compile(description, media.schema);
  const body = await response.json();
  assert(validate(body), `${operation.operationId}: ${JSON.stringify(validate.errors)}`);
}

function operations(description: Description): [string, string, Operation][] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      path,
      method,
      operation,
    ])
  );
}

for (const plugin of [undefined, "toy", ...STANDARD_PLUGINS.map(({ id }) => id)]) {
  if (STANDARD_PLUGINS.find(({ id }) => id === plugin)?.routes.length === 0) continue;

  Deno.test(`the OpenAPI description of ${plugin ?? "the events API"} is valid 3.1`, async () => {
    await using service = await startService({ plugins: [toy, ...STANDARD_PLUGINS] });
    const description = await describe(service, plugin);
    assertEquals(description.openapi, "3.1.0");
    const checked = await new Validator().validate(JSON.parse(JSON.stringify(description)));
    assert(checked.valid, JSON.stringify(checked.errors));
    const ids = operations(description).map(([, , operation]) => operation.operationId);
    assertEquals(new Set(ids).size, ids.length);
  });

  Deno.test(`every documented operation of ${plugin ?? "the events API"} answers as declared`, async () => {
    await using service = await startService({ plugins: [toy, ...STANDARD_PLUGINS] });
    const sent = await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body: "a" });
    await sent.body?.cancel();
    const description = await describe(service, plugin);
    // Reads run first, before deletions leave them nothing to return.
    const ordered = operations(description).sort(([, a], [, b]) =>
      a === b ? 0 : a === "get" ? -1 : 1
    );
    for (const operation of ordered) await callOnce(service, description, operation);
  });
}

Deno.test("an unknown or disabled plugin has no description", async () => {
  await using service = await startService({ plugins: [toy] });
  await service.getJson("/mail/openapi.json", 404);
});
