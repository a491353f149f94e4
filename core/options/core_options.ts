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
  tables,
  text,
} from "./spec.ts";
import { originOf, parseOriginPattern } from "../callbacks/allow.ts";
import { origins } from "./origins.ts";
import { parseNamespaceRule } from "./namespace_rule.ts";
import { LOG_FORMATS, LOG_LEVELS } from "../log.ts";

const ownBind = () =>
  optionalHostname("Address that this listener binds, instead of the top-level bind", {
    only: "file",
    example: "127.0.0.1",
  });

/** Settings at the top of the file. */
export const ROOT_OPTIONS = defineOptions({
  bind: hostname("Address that every listener binds", "127.0.0.1", { flag: "bind" }),
  host: hostname("Name used in printed addresses and snippets", "localhost", { flag: "host" }),
  log_level: choice("Lowest level of messages to log", LOG_LEVELS, "info", {
    flag: "log-level",
  }),
  log_format: choice("Format of log lines", LOG_FORMATS, "text", {
    flag: "log-format",
  }),
  instance: optionalText("Name of this instance in log lines, metrics and /api/v1/ready", {
    flag: "instance",
    example: "ci-7",
  }),
  default_enabled: boolean(
    "Whether plugins and providers run if the file does not mention them",
    true,
    {
      only: "file",
    },
  ),
  faults: tables(
    "Faults from the start: a [[faults]] table for each, with `on`, `outcome` and the other keys of a fault",
    {
      written: "[[faults]]",
      read: (table): unknown => table,
      example: { on: "mail/smtp", outcome: "mailbox_full" },
    },
  ),
});

/** Settings of the listener of the user interface. */
export const UI_OPTIONS = defineOptions({
  port: port("Port of the user interface and the read-back API", 8811),
  bind: ownBind(),
  h2c: boolean("Serve cleartext HTTP/2 as well as HTTP/1.1", false, { only: "file" }),
});

/** Settings of the read-back API. */
export const API_OPTIONS = defineOptions({
  port: optionalPort("Port of the read-back API; by default it shares the port of the UI", {
    example: 8811,
  }),
  bind: ownBind(),
  token: optionalText(
    "Token that the read-back API and the UI require; without one there is no login",
    {
      secret: true,
      flag: "api-token",
      example: "any-long-random-text",
    },
  ),
  cors_origins: origins("Origins of other web pages that may read the API", {
    flag: "api-cors-origins",
  }),
});

/** Settings of the listener that HTTP providers share. */
export const INGRESS_OPTIONS = defineOptions({
  port: port("Port that all HTTP providers share", 8822),
  h2c: boolean("Serve cleartext HTTP/2 as well as HTTP/1.1", true, { flag: "h2c" }),
  bind: ownBind(),
  tls: boolean("Accept TLS, and proxy tunnels to the vendors' hosts, on the same port", true, {
    flag: "tls",
  }),
  tls_cert_file: optionalPath("Your own certificate chain, PEM; by default one is generated", {
    flag: "tls-cert-file",
    access: "read",
    example: "./localhost.pem",
  }),
  tls_key_file: optionalPath("Private key of tls_cert_file, PEM without a passphrase", {
    flag: "tls-key-file",
    access: "read",
    example: "./localhost-key.pem",
  }),
  tls_dir: optionalPath(
    "Folder of the generated CA and certificate; by default standin/tls in your configuration folder",
    { flag: "tls-dir", example: "./standin-tls" },
  ),
  tls_in_memory: boolean(
    "Generate a new CA and certificate for every run, and write no file",
    false,
    {
      flag: "tls-in-memory",
    },
  ),
  allowed_origins: origins(
    "Origins of web pages that may call the HTTP providers, in addition to pages on this machine",
    { flag: "allowed-origins" },
  ),
  max_body: bytes("Maximum size of a request body", 67_108_864, { only: "file" }),
  rejected_capacity: integer("Rejected and unmatched requests to keep", 200, {
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
    "Namespaces by credential (key, token, user name, password, webhook path): " +
      "name=pattern, or a pattern such as key-{namespace}-*, where * matches any text",
    "namespace-credentials",
  ),
  recipients: namespaceRules(
    "Namespaces by recipient, in the same form, such as *+{namespace}@example.org",
    "namespace-recipients",
  ),
});

/** Kept as text; the rules are parsed when the service starts. */
function namespaceRules(about: string, flag: string): OptionSpec<readonly string[]> {
  const option = list(about, [], { flag });
  const checked = (rules: readonly string[]): readonly string[] => {
    for (const rule of rules) parseNamespaceRule(rule);
    return rules;
  };
  return {
    ...option,
    parse: (text) => checked(option.parse(text)),
    check: (value) => checked(option.check(value)),
  };
}

/** Settings of calls to the application. The tables `[callbacks.webhooks]` and `[callbacks.inbound]` depend on the plugins. */
export const CALLBACK_OPTIONS = defineOptions({
  enabled: boolean("Call the application back as the vendors do", false, { flag: "callbacks" }),
  allow: allowedOrigins(
    "Origins that Standin may call; * stands for any port or, as the first label, any name. Nothing else is ever called",
  ),
  tls_ca_file: optionalPath("Additional CA certificates to trust for https addresses, PEM", {
    access: "read",
    example: "./rootCA.pem",
  }),
  speed: integer("Factor by which the vendors' delays are shortened", 1000, {
    min: 1,
    max: 1_000_000,
  }),
  secret: text("Secret from which the vendors' signing keys are derived", "standin", {
    secret: true,
  }),
  opens: boolean(
    "Report an email as opened when somebody opens it in the user interface, and as clicked when somebody follows one of its links there",
    false,
  ),
});

/** Settings of spans for a collector of OpenTelemetry. */
export const OTEL_OPTIONS = defineOptions({
  endpoint: otlpEndpoint(
    "OTLP/HTTP address of a collector that receives a span for each capture; by default none",
  ),
  allow: allowedOrigins(
    "Origins that endpoint may have; * stands for any port or, as the first label, any name",
  ),
});

function otlpEndpoint(about: string): OptionSpec<string | undefined> {
  const option = optionalText(about, { example: "http://127.0.0.1:4318" });
  const checked = (address: string | undefined): string | undefined => {
    const url = URL.parse(address ?? "http://127.0.0.1");
    if (url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash === "") {
      return address;
    }
    throw new RangeError(
      'expected the base URL of a collector, such as "http://127.0.0.1:4318"; ' +
        "/v1/traces is added to it",
    );
  };
  return {
    ...option,
    kind: "url",
    parse: (value) => checked(option.parse(value)),
    check: (value) => checked(option.check(value)),
  };
}

function allowedOrigins(about: string): OptionSpec<readonly string[]> {
  const option = list(about, ["http://localhost:*", "http://127.0.0.1:*"]);
  const checked = (patterns: readonly string[]): readonly string[] => {
    for (const pattern of patterns) parseOriginPattern(pattern);
    return patterns;
  };
  return {
    ...option,
    parse: (value) => checked(option.parse(value)),
    check: (value) => checked(option.check(value)),
  };
}

/** Address of the application, for one provider. */
export function callbackAddress(about: string): OptionSpec<string | undefined> {
  const option = optionalText(about, { example: "http://localhost:3000/callback" });
  const checked = (address: string | undefined): string | undefined => {
    if (address === undefined || originOf(address) !== undefined) return address;
    throw new RangeError(`expected an address such as "http://localhost:3000/callback"`);
  };
  return {
    ...option,
    kind: "url",
    parse: (value) => checked(option.parse(value)),
    check: (value) => checked(option.check(value)),
  };
}

/** Settings that make runs repeatable. */
export const REPEAT_OPTIONS = defineOptions({
  seed: optionalText(
    "Text to derive ids from, so that they repeat in every run; senders' ports are then omitted",
    { only: "file", example: "any text" },
  ),
  time: fixedTime("Fixed time for the service's clock, RFC 3339"),
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
        throw new RangeError('expected a time such as "2026-01-31T12:00:00Z"');
      }
      return time;
    },
  };
}

/** Storage backends of plugins with state. */
const BACKENDS = ["memory", "filesystem"] as const;

/** One of `BACKENDS`. */
export type Backend = typeof BACKENDS[number];

/** Places where events are kept. */
const EVENT_LOGS = ["memory", "filesystem", "nats"] as const;

/** Least `memory_limit`, in bytes: below it, bodies of ordinary size would not fit. */
const LEAST_MEMORY = 64_000_000;

/** Settings of the stores. The tables `[storage.plugin_capacity]` and `[storage.plugins.X]` depend on the plugins. */
export const STORAGE_OPTIONS = defineOptions({
  capacity: integer("Events to keep per plugin", 500, { min: 1, only: "file" }),
  blob_limit: bytes("Bytes of attachments and files held in memory", 256_000_000, { only: "file" }),
  raw_limit: bytes("Bytes of raw requests held per plugin", 256_000_000, { only: "file" }),
  memory_limit: memoryLimit(
    "Bytes held and in flight together, at most half of them in each store; beyond that, senders wait or are asked to retry",
  ),
  max_age: optionalDuration("Age at which events are removed", {
    flag: "max-age",
    example: "7d",
  }),
  backend: choice("Where files and buckets are stored", BACKENDS, "memory", { only: "file" }),
  events: choice(
    "Where events are stored: in memory, in the folder of --persist (filesystem), or in NATS, which instances can share",
    EVENT_LOGS,
    "memory",
    { flag: "events" },
  ),
  path: optionalPath("Folder to store files and buckets in; the flag also sets the backend", {
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

/** Settings of `[storage.nats]`, for `events = "nats"`. */
export const NATS_OPTIONS = defineOptions({
  servers: natsServers(),
  prefix: natsPrefix(),
  replicas: natsReplicas(),
  peer_host: optionalText(
    "Host at which the other instances reach this one; by default the address that NATS sees",
    { flag: "nats-peer-host", example: "10.0.0.5" },
  ),
  peer_port: integer("Port for the other instances; 0 takes any free one", 0, {
    min: 0,
    max: 65_535,
    flag: "nats-peer-port",
  }),
  credentials_file: optionalPath("Credentials file of the user, as written by nsc", {
    only: "file",
    access: "read",
    example: "./standin.creds",
  }),
  tls_ca_file: optionalPath("CA certificates of the servers, PEM", {
    only: "file",
    access: "read",
    example: "./nats-ca.pem",
  }),
  username: optionalText("User name", { only: "file", example: "standin" }),
  password: optionalText("Password", {
    flag: "nats-password",
    secret: true,
    example: "any-long-random-text",
  }),
  token: optionalText("Token, instead of a user name and password", {
    flag: "nats-token",
    secret: true,
    example: "any-long-random-text",
  }),
});

function natsServers(): OptionSpec<readonly string[]> {
  const option = list("Addresses of NATS servers with JetStream", ["nats://127.0.0.1:4222"], {
    flag: "nats-servers",
  });
  const valid = (servers: readonly string[]): readonly string[] => {
    const isAddress = (text: string) =>
      /^((nats|tls):\/\/)?(\[[^\]]+\]|[^:/\s]+)(:\d+)?$/.test(text);
    if (servers.every(isAddress)) return servers;
    throw new RangeError("expected addresses such as nats://127.0.0.1:4222");
  };
  return {
    ...option,
    parse: (text) => valid(option.parse(text)),
    check: (value) => valid(option.check(value)),
  };
}

function natsPrefix(): OptionSpec<string> {
  const option = text(
    "Prefix of stream names; different prefixes share nothing",
    "standin",
    {
      flag: "nats-prefix",
    },
  );
  const valid = (prefix: string): string => {
    if (/^[A-Za-z0-9_-]{1,32}$/.test(prefix)) return prefix;
    throw new RangeError("expected 1 to 32 letters, digits, _ or -");
  };
  return {
    ...option,
    schema: { ...option.schema, pattern: "^[A-Za-z0-9_-]{1,32}$" },
    parse: (given) => valid(option.parse(given)),
    check: (value) => valid(option.check(value)),
  };
}

function natsReplicas(): OptionSpec<number> {
  const option = integer("Number of copies in the cluster: 1, 3 or 5", 1, {
    min: 1,
    max: 5,
    flag: "nats-replicas",
  });
  const valid = (replicas: number): number => {
    if (replicas % 2 === 1) return replicas;
    throw new RangeError("expected 1, 3 or 5");
  };
  return {
    ...option,
    schema: { type: "integer", enum: [1, 3, 5] },
    parse: (given) => valid(option.parse(given)),
    check: (value) => valid(option.check(value)),
  };
}

/** Setting of `[storage.plugin_capacity]` for one plugin. */
export const PLUGIN_CAPACITY: OptionSpec<number | undefined> = {
  ...integer("Events to keep for this plugin, instead of [storage] capacity", 0, {
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
      "Where this plugin's state is stored, instead of [storage] backend",
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
