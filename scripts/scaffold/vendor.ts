import { type Auth, readAuth } from "./auth.ts";
import type { Kind } from "./kinds.ts";

/** What a vendor's pages say about its API. */
export interface Vendor {
  readonly name: string;
  /** Address of the page that describes the call. */
  readonly docs: string;
  /** Path of the call, such as `/v1/messages/{id}`. */
  readonly path: string;
  /** Host built into the vendor's clients. */
  readonly host?: string;
  readonly auth: Auth;
  /** Whether the vendor was named: then the pages that list every provider list this one. */
  readonly isNamed: boolean;
}

/** Flags that describe a vendor: the form of a value, and what it is. Values become code, comments and rows of tables. */
const FLAGS = {
  vendor: [/^[\p{L}\p{N}][\p{L}\p{N} .&+-]*$/u, "a name"],
  docs: [/^https?:\/\/[^\s"'`\\|$*]+$/, "the address of a page"],
  path: [/^(?:\/(?:[\w.~:-]|\{\w+\})+)+\/?$/, "a path such as /v1/{id}/messages"],
  host: [/^(?:\*{1,2}\.)?[\w-]+(?:\.[\w-]+)+$/, "a host such as api.vendor.example"],
  auth: [/^[A-Za-z][A-Za-z0-9-]*$/, "bearer, basic, or the name of a header field"],
  keys: [/^[a-z][a-z0-9_]*(?:,[a-z][a-z0-9_]*)*$/, "names such as auth_id,auth_token"],
} as const;

type Flag = keyof typeof FLAGS;

/** Names of the flags. */
export const VENDOR_FLAGS = Object.keys(FLAGS) as readonly Flag[];

/**
 * Reads the flags; by default the vendor is an example. Throws `TypeError` for a value of another form, and for any of
 * them if the provider has its own port.
 */
export function readVendor(
  flags: Readonly<Record<string, unknown>>,
  { kind, ...example }: Pick<Vendor, "name" | "path"> & { readonly kind: Kind },
): Vendor {
  const given = VENDOR_FLAGS.filter((name) => flags[name] !== undefined);
  if (kind !== "ingress" && given.length > 0) {
    const names = given.map((name) => `--${name}`).join(", ");
    throw new TypeError(
      `Cannot use ${names} with --kind ${kind}: valid are --kind and --plugin; ` +
        "the others are for providers of kind ingress",
    );
  }
  const read = (name: Flag): string | undefined => {
    const value = flags[name];
    if (value === undefined) return undefined;
    const [form, expected] = FLAGS[name];
    if (typeof value === "string" && form.test(value)) return value;
    throw new TypeError(`Cannot use --${name} "${value}": expected ${expected}`);
  };
  const name = read("vendor");
  const host = read("host");
  return {
    name: name ?? example.name,
    docs: read("docs") ?? "https://vendor.example/api",
    path: read("path") ?? example.path,
    ...(host === undefined ? {} : { host }),
    auth: readAuth(read("auth"), read("keys")),
    isNamed: name !== undefined,
  };
}
