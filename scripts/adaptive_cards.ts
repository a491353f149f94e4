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
  readonly title?: string;
  readonly pattern?: string;
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

/** A value in a schema of one object: nested objects have only the name of their type. */
function valueOf(schema: Schema): Schema {
  if (schema.$ref !== undefined) return referred(nameOf(schema.$ref));
  const words = schema.enum ?? schema.anyOf?.find((one) => one.enum !== undefined)?.enum;
  if (words !== undefined) return wordsOf(words);
  if (schema.anyOf !== undefined) return anyOf(schema.anyOf.map(valueOf));
  if (schema.type === "array") {
    return { type: "array", ...(schema.items && { items: valueOf(schema.items) }) };
  }
  return schema.type === undefined ? {} : { type: schema.type };
}

/**
 * Words in any case. The schema's own patterns also match parts of a word, because they are not grouped, and everything
 * that is not a string.
 */
function wordsOf(words: readonly string[]): Schema {
  return { type: "string", pattern: `^(?i:${words.join("|")})$` };
}

function anyOf(schemas: readonly Schema[]): Schema {
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  return different.size === 1 ? schemas[0]! : { anyOf: [...different.values()] };
}

function referred(name: string): Schema {
  const schema = definitions[name]!;
  const text = { type: "string" };
  // A text is an abbreviation of a text run.
  if (name === "ImplementationsOf.Inline") return { anyOf: [{ type: "object" }, text] };
  if (name.startsWith("ImplementationsOf.")) return { type: "object" };
  if (schema.properties === undefined) return valueOf(schema);
  const object = { type: "object", title: name };
  return abbreviated.has(name) ? { anyOf: [object, text] } : object;
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
  const properties = members.map(([key, member]) => {
    // The background of a card could always be a URL; only the object is newer.
    const isOlder = name === "AdaptiveCard" && key === "backgroundImage";
    const since = isOlder ? undefined : member.version;
    // The schema marks some optional members as TypeScript does: `rtl?`.
    return [key.replace(/\?$/, ""), {
      ...valueOf(member),
      ...(since !== undefined && { version: since }),
    }];
  });
  return [name, {
    required: requiredOf(schema).filter((key) => key !== "type"),
    properties: { type: {}, ...Object.fromEntries(properties) },
    additionalProperties: false,
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
