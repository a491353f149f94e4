/** Code of a new provider that depends on how its clients send their key. */

/** How clients of a vendor send their key. */
export interface Auth {
  /** Keys of the options: user and password for `basic`, otherwise one secret. */
  readonly keys: readonly string[];
  /** Function of `core/http/auth.ts` that reads them from `Authorization`. */
  readonly reader?: "readBasic" | "readBearer";
  /** Code for what a request sends, for each key; `given` is what the reader returns. */
  readonly given: readonly string[];
  /** Name of the header field, and code for its value in the example. */
  readonly header: readonly [name: string, value: string];
}

/** Reads `--auth` and `--keys`. Throws `TypeError` for another number of keys. */
export function readAuth(scheme = "bearer", names?: string): Auth {
  const isBasic = scheme === "basic";
  const keys = names?.split(",") ?? (isBasic ? ["username", "password"] : ["api_key"]);
  if (keys.length !== (isBasic ? 2 : 1) || new Set(keys).size < keys.length) {
    const expected = isBasic ? "a user and a password, such as auth_id,auth_token" : "one name";
    throw new TypeError(
      `Cannot use --keys "${keys.join(",")}": expected ${expected}, for --auth ${scheme}`,
    );
  }
  const [first = "", second = ""] = keys.map(valueCode);
  if (isBasic) {
    return {
      keys,
      reader: "readBasic",
      given: ["given?.username", "given?.password"],
      header: ["authorization", `writeBasic(${first}, ${second})`],
    };
  }
  if (scheme === "bearer") {
    return {
      keys,
      reader: "readBearer",
      given: ["given"],
      header: ["authorization", `\`Bearer \${${first}}\``],
    };
  }
  const field = scheme.toLowerCase();
  return { keys, given: [`headers.get("${field}") ?? undefined`], header: [field, first] };
}

/** Code for the value of an option in the example: what is set, or any text. */
export function valueCode(key: string): string {
  return `values.${key} ?? "any"`;
}

/** Functions of `core/http/auth.ts` that the check uses. */
export function authNames({ reader }: Auth): readonly string[] {
  return ["matchesSecret", ...(reader === undefined ? [] : [reader])];
}

/** The function that checks the keys of a call. */
export function authorizeFunction({ keys, reader, given }: Auth): string {
  const checks = keys.map((key, at) =>
    `(values.${key} === undefined || matchesSecret(${given[at]}, values.${key}))`
  );
  return `function authorize({ headers }: IngressCall, env: Env): Response | undefined {
  const { values } = env;
${reader === undefined ? "" : `  const given = ${reader}(headers.get("authorization"));\n`}\
  const isKnown = ${checks.length === 1 ? checks[0]!.slice(1, -1) : checks.join(" && ")};
  return isKnown ? undefined : refuse(REFUSALS.wrongKey, env);
}
`;
}

/** Options for the keys; the last one is secret. */
export function authOptions({ keys }: Auth): string {
  return keys.map((key, at) => {
    const about = `"${key} that clients must send; by default any is accepted"`;
    const extra = at === keys.length - 1 ? ", { secret: true }" : "";
    return `  ${key}: optionalText(${about}${extra}),\n`;
  }).join("");
}
