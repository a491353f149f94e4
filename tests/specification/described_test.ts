/** The OpenAPI descriptions hold every type and route of the specification; other tests check the responses. */
import { assert, assertEquals } from "@std/assert";
import { runToEnd } from "../cli/console.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { ROUTES } from "./routes.ts";
import { SCHEMAS } from "./schemas.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, unknown> }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

async function describe(plugin: string): Promise<Description> {
  const args = plugin === "events" ? ["openapi"] : ["openapi", plugin];
  const said = await runToEnd(args, { plugins: STANDARD_PLUGINS });
  assertEquals(said.stderr, "");
  return JSON.parse(said.stdout);
}

/** Formats a schema in the notation of the tables. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join("|");
  if (schema.type === "array") return `[${typeOf(schema.items ?? {})}]`;
  if (schema.format === "date-time") return "date-time";
  return schema.type ?? (schema.const === undefined ? "any" : typeof schema.const);
}

for (const [plugin, types] of Object.entries(SCHEMAS)) {
  Deno.test(`${plugin}: every documented type has its documented properties`, async () => {
    const { components } = await describe(plugin);
    for (const [name, documented] of Object.entries(types)) {
      const schema = components.schemas[name];
      assert(schema !== undefined, `${name} is not described`);
      for (const one of documented.split(", ")) {
        const [, property = "", star, type = ""] = /^(\w+)(\*?): (.+)$/.exec(one) ?? [];
        const found = schema.properties?.[property];
        assert(found !== undefined, `${name} has no "${property}"`);
        assertEquals(typeOf(found), type, `${name}.${property}`);
        if (star) assert(schema.required?.includes(property), `${name}.${property} is optional`);
      }
    }
  });
}

/** Returns the type of a body, with the short words of the table expanded. */
const MEDIA: Readonly<Record<string, string>> = {
  json: "application/json",
  "octet-stream": "application/octet-stream",
};

for (const [plugin, routes] of Object.entries(ROUTES)) {
  Deno.test(`${plugin}: every documented route takes its parameters and answers its statuses`, async () => {
    const { paths } = await describe(plugin);
    for (const route of routes) {
      const [, method = "", path = "", query = "", statuses = ""] =
        /^([A-Z]+) (\S+)(?: \? (.+?))? : (.+)$/.exec(route) ?? [];
      const operation = paths[`/api/v1${path}`]?.[method.toLowerCase()];
      assert(operation !== undefined, `${method} ${path} is not described`);
      const names = operation.parameters?.map(({ name }) => name) ?? [];
      const missing = query.split(" ").filter((name) => name !== "" && !names.includes(name));
      assertEquals(missing, [], route);
      for (const one of statuses.split(", ")) {
        const [status = "", body] = one.split(" ");
        const media = Object.keys(operation.responses[status]?.content ?? {});
        assert(operation.responses[status] !== undefined, `${method} ${path}: ${status}`);
        assertEquals(media, body === undefined ? [] : [MEDIA[body] ?? body], `${route}: ${status}`);
      }
    }
  });
}

Deno.test("snmp has no described routes, because traps are generic events", () => {
  assertEquals(STANDARD_PLUGINS.find(({ id }) => id === "snmp")?.routes, []);
});
