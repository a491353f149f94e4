import {
  boolean,
  bytes,
  choice,
  defineOptions,
  hostname,
  integer,
  list,
  optionalDuration,
  optionalHostname,
  optionalPath,
  optionalPort,
  optionalText,
  type OptionSpec,
  port,
  text,
} from "./spec.ts";
import { origins } from "./origins.ts";
import { parseNamespaceRule } from "../events/namespace.ts";
import { LOG_FORMATS, LOG_LEVELS } from "../log.ts";

const ownBind = () =>
  optionalHostname("Address this listener takes connections on, instead of the top-level bind", {
    only: "file",
    example: "127.0.0.1",
  });

/** Settings at the top of the file. */
export const ROOT_OPTIONS = defineOptions({
  bind: hostname("Address that every listener takes connections on", "127.0.0.1", { flag: "bind" }),
  host: hostname("Name used in printed addresses and snippets", "localhost", { flag: "host" }),
  log_level: choice("Least serious message that is logged", LOG_LEVELS, "info", {
    flag: "log-level",
  }),
  log_format: choice("How log lines are written: for people, or as JSON", LOG_FORMATS, "text", {
    flag: "log-format",
  }),
  instance: optionalText("Name of this instance, on log lines, in metrics and in /api/v1/ready", {
    flag: "instance",
    example: "ci-7",
  }),
  default_enabled: boolean("What a plugin or provider does that the file does not mention", true, {
    only: "file",
  }),
  faults: tables(
    "Faults from the start, a table [[faults]] for each: `on`, `outcome` and the other keys of a fault",
  ),
});

/** Tables with keys that their owners read. */
function tables(about: string): OptionSpec<readonly unknown[]> {
  const expected = "expected tables, written [[faults]]";
  const isTable = (value: unknown) => typeof value === "object" && value !== null;
  return {
    kind: "tables",
    about,
    fallback: [],
    only: "file",
    schema: { type: "array", items: { type: "object" } },
    parse() {
      throw new TypeError(expected);
    },
    check(value) {
      if (Array.isArray(value) && value.every(isTable)) return value;
      throw new TypeError(expected);
    },
  };
}

/** Settings of the listener of the user interface. */
export const UI_OPTIONS = defineOptions({
  port: port("Port of the user interface and the read-back API", 8811),
  bind: ownBind(),
  h2c: boolean("Serve cleartext HTTP/2 besides HTTP/1.1", false, { only: "file" }),
});

/** Settings of the read-back API. */
export const API_OPTIONS = defineOptions({
  port: optionalPort("Port of the read-back API; shares the listener of the UI unless it differs", {
    example: 8811,
  }),
  bind: ownBind(),
  token: optionalText("Token that the read-back API and the UI ask for; nothing is asked without", {
    secret: true,
    flag: "api-token",
    example: "any-long-random-text",
  }),
  cors_origins: origins("Origins of other pages in a browser that may read the read-back API", {
    flag: "api-cors-origins",
  }),
});

/** Settings of the listener that HTTP providers share. */
export const INGRESS_OPTIONS = defineOptions({
  port: port("Port that every HTTP provider shares, where one runs", 8822),
  h2c: boolean("Serve cleartext HTTP/2 besides HTTP/1.1", true, { flag: "h2c" }),
  bind: ownBind(),
  tls: boolean("Take TLS, and tunnels to the vendors' hosts, on the same port", true, {
    flag: "tls",
  }),
  tls_cert_file: optionalPath("Certificate chain of your own, PEM; without it one is made", {
    flag: "tls-cert-file",
    access: "read",
    example: "./localhost.pem",
  }),
  tls_key_file: optionalPath("Key of tls_cert_file, PEM without a password", {
    flag: "tls-key-file",
    access: "read",
    example: "./localhost-key.pem",
  }),
  tls_dir: optionalPath(
    "Folder that keeps the CA and certificate made here; standin/tls in your configuration folder unless given",
    { flag: "tls-dir", example: "./standin-tls" },
  ),
  tls_in_memory: boolean("Make a new CA and certificate for every run, and keep no file", false, {
    flag: "tls-in-memory",
  }),
  allowed_origins: origins(
    "Origins of pages that may call the HTTP providers, besides pages of this machine",
    { flag: "allowed-origins" },
  ),
  max_body: bytes("Largest request body", 67_108_864, { only: "file" }),
  rejected_capacity: integer("Records kept of refused and unmatched requests", 200, {
    only: "file",
  }),
});

/** Settings that assign events to namespaces. */
export const NAMESPACE_OPTIONS = defineOptions({
  header: text(
    "Header field of a request or mail that names its namespace",
    "X-Standin-Namespace",
    {
      only: "file",
    },
  ),
  credentials: namespaceRules(
    "Namespaces by what the sender presents (key, token, user name, password, path of a webhook): " +
      "name=pattern, or a pattern such as key-{namespace}-*, where * is any text",
  ),
  recipients: namespaceRules(
    "Namespaces by recipient, in the same form, such as *+{namespace}@example.org",
  ),
});

/** Kept as text; the rules are parsed when the service starts. */
function namespaceRules(about: string): OptionSpec<readonly string[]> {
  const option = list(about, [], { only: "file" });
  return {
    ...option,
    check(value) {
      const rules = option.check(value);
      for (const rule of rules) parseNamespaceRule(rule);
      return rules;
    },
  };
}

/** Settings that make runs repeatable. */
export const REPEAT_OPTIONS = defineOptions({
  seed: optionalText(
    "Makes ids from this text, the same in every run, and leaves out the ports of senders",
    { only: "file", example: "any text" },
  ),
  time: fixedTime("Moment at which the clock of the service stands still, RFC 3339"),
});

function fixedTime(about: string): OptionSpec<string | undefined> {
  const option = optionalText(about, { only: "file", example: "2026-01-31T12:00:00Z" });
  return {
    ...option,
    check(value) {
      // A file may hold it as a date-time or as text.
      const isDate = typeof value === "object" && value !== null && !(value instanceof Date);
      const time = value instanceof Date
        ? value.toISOString()
        : isDate
        ? undefined
        : option.check(value);
      if (Number.isNaN(Date.parse(time ?? ""))) {
        throw new RangeError('expected a moment such as "2026-01-31T12:00:00Z"');
      }
      return time;
    },
  };
}

/** Storage backends of plugins with state. */
const BACKENDS = ["memory", "filesystem"] as const;

/** One of `BACKENDS`. */
export type Backend = typeof BACKENDS[number];

/** Least `memory_limit`, in bytes: below it, bodies of ordinary size would not fit. */
const LEAST_MEMORY = 64_000_000;

/** Settings of the stores. The tables `[storage.plugin_capacity]` and `[storage.plugins.X]` depend on the plugins. */
export const STORAGE_OPTIONS = defineOptions({
  capacity: integer("Events kept per plugin", 500, { min: 1, only: "file" }),
  blob_limit: bytes("Bytes of attachments and files held in memory", 256_000_000, { only: "file" }),
  raw_limit: bytes("Bytes of raw requests held per plugin", 256_000_000, { only: "file" }),
  memory_limit: memoryLimit(
    "Bytes kept and in flight together, half at most for each store; past it senders wait, and are told to try again",
  ),
  max_age: optionalDuration("Time after which an event goes, however few there are", {
    flag: "max-age",
    example: "7d",
  }),
  backend: choice("Where files and buckets are kept", BACKENDS, "memory", { only: "file" }),
  events: choice(
    "Where events are kept: filesystem, in the folder of path, lets them outlast the program",
    BACKENDS,
    "memory",
    { flag: "events" },
  ),
  path: optionalPath("Keep files and buckets in this folder; as a flag it also sets the backend", {
    flag: "persist",
    example: "./standin-data",
  }),
});

function memoryLimit(about: string): OptionSpec<number> {
  const option = bytes(about, 512 * 1024 * 1024, { flag: "memory-limit" });
  const atLeast = (limit: number): number => {
    if (limit >= LEAST_MEMORY) return limit;
    throw new RangeError(`expected at least ${LEAST_MEMORY / 1_000_000}MB`);
  };
  return {
    ...option,
    schema: { ...option.schema, minimum: LEAST_MEMORY },
    parse: (text) => atLeast(option.parse(text)),
    check: (value) => atLeast(option.check(value)),
  };
}

/** Setting of `[storage.plugin_capacity]` for one plugin. */
export const PLUGIN_CAPACITY: OptionSpec<number | undefined> = {
  ...integer("Events kept of this plugin, instead of [storage] capacity", 0, {
    min: 1,
    only: "file",
    example: 2000,
  }),
  fallback: undefined,
} as OptionSpec<number | undefined>;

/** Settings of `[storage.plugins.X]`. */
export const PLUGIN_STORAGE_OPTIONS = defineOptions({
  backend: {
    ...choice(
      "Where this plugin's state is kept, instead of [storage] backend",
      BACKENDS,
      "memory",
    ),
    only: "file",
    fallback: undefined,
    example: "memory",
  },
  path: optionalPath("Folder for this plugin's state, instead of [storage] path", {
    only: "file",
  }),
});
