/**
 * `plugins/<plugin>/model.ts`: types with documented fields for editors and `deno doc`, generated
 * from the shapes in the adjacent `schema.ts`. A type inferred from a shape would have no field
 * descriptions, and be shown as an expression.
 */
interface Schema {
  readonly $id?: string;
  readonly about?: string;
  readonly description?: string;
  readonly type?: string;
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Shapes defined elsewhere, by `$id`: the type, and where a plugin imports it from. */
const FOREIGN: ReadonlyMap<string, readonly [type: string, from: string]> = new Map([
  ["blob.Ref", ["BlobRef", "../../core/blobs/blob.ts"]],
]);
const SUFFIX = "Shape";
const LINE_WIDTH = 100;

/** Returns every generated `model.ts`, by its path from the root. */
export async function modelFiles(root: URL): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { name } of Deno.readDir(new URL("plugins/", root))) {
    const schema = new URL(`plugins/${name}/schema.ts`, root);
    try {
      await Deno.stat(schema);
    } catch {
      continue;
    }
    files.set(`plugins/${name}/model.ts`, modelFile(await import(schema.href)));
  }
  return files;
}

/** Returns the types of the shapes that a module exports: `MailMessage` of `MailMessageShape`. */
export function modelFile(module: Readonly<Record<string, unknown>>): string {
  const shapes = Object.entries(module).filter(([name]) => name.endsWith(SUFFIX))
    .map(([name, shape]) => [name.slice(0, -SUFFIX.length), shape as Schema] as const)
    .toSorted(([a], [b]) => a < b ? -1 : 1);
  const names = new Map(shapes.map(([name, shape]) => [keyOf(shape), name]));
  const imports = new Set<string>();
  const refer: Refer = (schema) => {
    const [foreign, from] = FOREIGN.get(schema.$id ?? "") ?? [];
    if (foreign !== undefined) imports.add(`import type { ${foreign} } from "${from}";\n`);
    return foreign ?? names.get(keyOf(schema));
  };
  const types = shapes.map(([name, shape]) =>
    shape.properties === undefined
      ? declaration(`export type ${name} =`, shape, () => undefined)
      : `${comment(shape, "")}export interface ${name} {\n${membersOf(shape, refer)}}\n`
  );
  const head = "// Made from schema.ts by `deno task docs`: change the shapes there.\n";
  return [head + [...imports].join(""), ...types].join("\n");
}

/** Returns the type name of a schema that has one. */
type Refer = (schema: Schema) => string | undefined;

/** Returns the same key for a shape and its uses: its `$id`, or its values. */
function keyOf({ $id, anyOf }: Schema): string {
  return $id ?? JSON.stringify(anyOf?.map((option) => option.const));
}

function comment({ about, description }: Schema, indent: string): string {
  const text = about ?? description;
  if (text === undefined) throw new Error("Cannot describe a type: its shape has no description");
  return `${indent}/** ${text.replace(/\.$/, "")}. */\n`;
}

function membersOf({ properties = {}, required = [] }: Schema, refer: Refer): string {
  return Object.entries(properties).map(([name, schema]) => {
    const start = `  readonly ${name}${required.includes(name) ? "" : "?"}:`;
    return declaration(start, schema, refer);
  }).join("");
}

/** Comment, start and type; the options of a type are on separate lines if they do not fit on one. */
function declaration(start: string, schema: Schema, refer: Refer): string {
  const indent = /^ */.exec(start)![0];
  const type = nameOf(schema, refer);
  const breaks = schema.anyOf !== undefined && start.length + type.length + 2 > LINE_WIDTH;
  const options = breaks
    ? type.split(" | ").map((word) => `\n${indent}  | ${word}`).join("")
    : ` ${type}`;
  return `${comment(schema, indent)}${start}${options};\n`;
}

function nameOf(schema: Schema, refer: Refer): string {
  const name = refer(schema);
  if (name !== undefined) return name;
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((option) => nameOf(option, refer)).join(" | ");
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  switch (schema.type) {
    case "array":
      return `${nameOf(schema.items!, refer)}[]`;
    case "integer":
      return "number";
    case "object":
      return objectOf(schema, refer);
    default:
      return schema.type ?? "unknown";
  }
}

function objectOf({ properties, patternProperties, required = [] }: Schema, refer: Refer): string {
  const [values] = Object.values(patternProperties ?? {});
  if (values !== undefined) return `Record<string, ${nameOf(values, refer)}>`;
  const members = Object.entries(properties ?? {}).map(([name, schema]) =>
    `readonly ${name}${required.includes(name) ? "" : "?"}: ${nameOf(schema, refer)}`
  );
  return `{ ${members.join("; ")} }`;
}
