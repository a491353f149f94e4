/**
 * `deno run -A scripts/adaptive_cards.ts FOLDER DATE`: writes `plugins/chat/checks/card_schema.json` from the schema of
 * version 1.5 in a checkout of github.com/microsoft/AdaptiveCards (MIT), and the date of its commit.
 *
 * @module
 */

const OUT = new URL("../plugins/chat/checks/card_schema.json", import.meta.url);

/** The parts of JSON Schema used by Microsoft's schema. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly version?: string;
}

const [folder, date] = Deno.args;
const text = await Deno.readTextFile(`${folder}/schemas/1.5.0/adaptive-card.json`);
const parsed = JSON.parse(text) as { readonly definitions: Readonly<Record<string, Schema>> };
/** Types that may be abbreviated as a text. */
const abbreviated = new Set(
  Object.entries(parsed.definitions).flatMap(([name, { anyOf = [] }]) =>
    anyOf.some(({ type }) => type === "string") &&
      anyOf.some(({ properties }) => properties?.type !== undefined)
      ? [name]
      : []
  ),
);
/** Those types as objects. */
const definitions = Object.fromEntries(
  Object.entries(parsed.definitions).map(([name, schema]) => {
    const object = schema.anyOf?.find(({ properties }) => properties?.type !== undefined);
    return [name, object ?? schema] as const;
  }),
);

const nameOf = (ref: string) => ref.split("/").at(-1)!;

/** The alternatives of a value, in the notation of `plugins/chat/checks/card_schema.ts`. */
function kindsOf(schema: Schema): readonly string[] {
  if (schema.$ref !== undefined) return kindsOfRef(nameOf(schema.$ref));
  if (schema.enum !== undefined) return [`=${schema.enum.join("|").toLowerCase()}`];
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.flatMap(kindsOf))];
  if (schema.type === "array") {
    const inner = schema.items === undefined ? ["*"] : kindsOf(schema.items);
    return [`[${inner.join("/")}]`];
  }
  if (schema.type !== undefined && schema.type !== "object") return [schema.type];
  // Patterns only repeat the adjacent words case-insensitively.
  return "pattern" in schema ? [] : ["*"];
}

function kindsOfRef(name: string): readonly string[] {
  const schema = definitions[name]!;
  // A text is short for a text run.
  if (name === "ImplementationsOf.Inline") return ["#", "string"];
  if (name.startsWith("ImplementationsOf.")) return ["#"];
  if (schema.properties === undefined) return kindsOf(schema);
  return abbreviated.has(name) ? [`#${name}`, "string"] : [`#${name}`];
}

/** Members, including those of the extended types. A member without a schema is inherited. */
function membersOf(schema: Schema): Record<string, Schema> {
  const inherited = (schema.allOf ?? []).map(({ $ref }) =>
    $ref === undefined ? {} : membersOf(definitions[nameOf($ref)]!)
  );
  const own = Object.entries(schema.properties ?? {}).filter(([, member]) =>
    Object.keys(member).length > 0
  );
  return Object.assign({}, ...inherited, Object.fromEntries(own));
}

function requiredOf(schema: Schema): readonly string[] {
  const inherited = (schema.allOf ?? []).flatMap(({ $ref }) =>
    $ref === undefined ? [] : requiredOf(definitions[nameOf($ref)]!)
  );
  return [...new Set([...inherited, ...schema.required ?? []])];
}

const types = Object.entries(definitions).filter(([name, schema]) =>
  !/^(?:Extendable|ImplementationsOf)\./.test(name) &&
  (schema.additionalProperties === false || schema.properties?.type?.enum !== undefined)
).map(([name, schema]) => {
  const members = Object.entries(membersOf(schema)).filter(([key]) => key !== "type");
  return [name, {
    required: requiredOf(schema).filter((key) => key !== "type"),
    members: Object.fromEntries(members.map(([key, member]) => {
      const kinds = kindsOf(member).join(" ");
      // The background of a card could always be an address; only the object is newer.
      const since = name === "AdaptiveCard" && key === "backgroundImage"
        ? undefined
        : member.version;
      // The schema marks some optional members as TypeScript does: `rtl?`.
      return [key.replace(/\?$/, ""), since === undefined ? kinds : `${kinds} @${since}`];
    })),
  }];
});
await Deno.writeTextFile(
  OUT,
  `${
    JSON.stringify(
      {
        source: "https://github.com/microsoft/AdaptiveCards/tree/main/schemas/1.5.0",
        licence: await Deno.readTextFile(`${folder}/LICENSE`),
        date,
        types: Object.fromEntries(types),
      },
      null,
      1,
    )
  }\n`,
);
