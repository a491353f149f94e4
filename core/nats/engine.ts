// A static import, because a bundle would otherwise drop the names of CommonJS modules; this file is loaded on demand.
import {
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
} from "@nats-io/jetstream";
import {
  connect,
  type ConnectionOptions,
  credsAuthenticator,
  type NatsConnection,
} from "@nats-io/transport-node";
import { compact } from "../compact.ts";
import { ConfigError, reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { NatsSettings } from "../options/settings.ts";
import { describeLease } from "./lease.ts";
import { Link } from "./link.ts";
import { Chunks } from "./chunks.ts";
import type { StreamShape } from "./stream_shape.ts";
import { FORMAT } from "./message.ts";

/** Oldest supported server; earlier ones can lose acknowledged messages when a leader changes. */
const OLDEST_SERVER = [2, 11];
/** Time limit for a response of the server, in milliseconds. */
const ANSWER_MS = 2000;
/** Maximum time until a cluster has a leader, in milliseconds. */
const ELECTION_MS = 12_000;
/** Pause between two attempts to reconnect, in milliseconds. */
const RECONNECT_MS = 250;
/**
 * Error code of a cluster that has too few servers for the copies: `JSClusterNoPeersErrF` in
 * https://github.com/nats-io/nats-server/blob/main/server/errors.json
 */
const NO_PEERS = 10_005;
/** Key in the metadata of the stream. */
const FORMAT_KEY = "standin_format";

/** A connection to NATS, and the objects there. */
export interface Engine extends AsyncDisposable {
  readonly connection: NatsConnection;
  /** Whether it exists. */
  readonly link: Link;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Attachments, and messages too large for the stream. */
  readonly objects: Chunks;
  /** Names of this service's objects there. */
  readonly names: EngineNames;
  readonly replicas: number;
  /** Maximum size of a message in bytes. */
  readonly maxBytes: number;
  /** Creates a stream if it is missing. Throws `ConfigError` for a stream of a newer program. */
  ensureStream(stream: StreamShape): Promise<void>;
}

/** Names on the server; different prefixes share nothing. */
export interface EngineNames {
  readonly stream: string;
  /** Stream of the attachments, and prefix of their subjects. */
  readonly bytesStream: string;
  readonly bytes: string;
  /** Subject of the events of a plugin. */
  events(plugin: string): string;
  /** Subject of deletions and resets. */
  readonly removals: string;
  /** Subject of an empty message; the last one replaces those before. */
  readonly mark: string;
  /** Names for the state of a plugin. */
  shared(plugin: string): SharedNames;
  readonly calls: CallNames;
  readonly leases: LeaseNames;
}

/** Names for the leases of writers: a bucket of keys and values, which the tools of NATS can read. */
export interface LeaseNames {
  readonly stream: string;
  readonly subjects: readonly string[];
  /** Subject of the lease for the state of a plugin. */
  lease(plugin: string): string;
  /** Subject of questions to an instance, as the writer of that state. */
  questions(plugin: string, instance: string): string;
}

/** Names for the unfinished callbacks of all instances. */
export interface CallNames {
  readonly stream: string;
  readonly subjects: readonly string[];
  /** Subject of a call that an instance makes. */
  held(instance: string, id: string): string;
  /** Subject of the signs of life of an instance. */
  lease(instance: string): string;
}

/** Names for the state of a plugin that instances share. */
export interface SharedNames {
  readonly stream: string;
  /** Subject of the changes. */
  readonly changes: string;
  /** Subject of messages that name a copy of the whole state. */
  readonly snapshots: string;
  /** Like that of the events. */
  readonly mark: string;
  /** Stream of the bytes, and prefix of their subjects. */
  readonly bytesStream: string;
  readonly bytes: string;
}

/** Returns the names for a prefix. */
export function namesFor(prefix: string): EngineNames {
  return {
    stream: `${prefix}-events`,
    bytesStream: `${prefix}-bytes`,
    bytes: `${prefix}.bytes`,
    events: (plugin) => `${prefix}.events.${plugin}`,
    removals: `${prefix}.removals`,
    mark: `${prefix}.mark`,
    shared: (plugin) => ({
      stream: `${prefix}-${plugin}`,
      changes: `${prefix}.${plugin}.changes`,
      snapshots: `${prefix}.${plugin}.snapshots`,
      mark: `${prefix}.${plugin}.mark`,
      bytesStream: `${prefix}-${plugin}-bytes`,
      bytes: `${prefix}.${plugin}.bytes`,
    }),
    calls: {
      stream: `${prefix}-calls`,
      subjects: [`${prefix}.calls.held.>`, `${prefix}.calls.lease.*`],
      held: (instance, id) => `${prefix}.calls.held.${instance}.${id}`,
      lease: (instance) => `${prefix}.calls.lease.${instance}`,
    },
    leases: {
      stream: `KV_${prefix}-leases`,
      subjects: [`$KV.${prefix}-leases.>`],
      lease: (plugin) => `$KV.${prefix}-leases.${plugin}`,
      questions: (plugin, instance) => `${prefix}.questions.${plugin}.${instance}`,
    },
  };
}

/** Returns the stream of the events. */
export function eventStream({ stream, events, removals, mark }: EngineNames): StreamShape {
  return {
    name: stream,
    subjects: [events("*"), removals, mark],
    description: "Events captured by Standin",
  };
}

/**
 * Connects to NATS, and creates missing streams. Throws `ConfigError` for a server that is
 * unreachable, too old, or without JetStream.
 */
export async function openEngine(settings: NatsSettings, log: Logger): Promise<Engine> {
  const connection = await connectTo(settings);
  try {
    checkVersion(connection);
    const isClustered = isOneOfSeveral(connection) || settings.servers.length > 1;
    const manager = await openManager(connection);
    const client = jetstream(connection, { timeout: ANSWER_MS });
    await warnOfSync(connection, log);
    const { replicas } = settings;
    const names = namesFor(settings.prefix);
    const ensureStream = (stream: StreamShape): Promise<void> =>
      created(settings, log, () => prepareStream(manager, stream, replicas));
    await ensureStream(eventStream(names));
    const link = new Link(connection, {
      log,
      isClustered,
      probe: () => manager.getAccountInfo(),
    });
    const { bytesStream, bytes } = names;
    const objects = new Chunks({ client, manager, link }, { stream: bytesStream, prefix: bytes });
    await ensureStream(objects.shape("Attachments of the events captured by Standin"));
    return {
      connection,
      link,
      client,
      manager,
      objects,
      names,
      replicas,
      maxBytes: connection.info?.max_payload ?? 1_048_576,
      ensureStream,
      [Symbol.asyncDispose]: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Checks that events could be stored, and changes nothing. Returns the server as half a sentence. Throws `ConfigError`.
 */
export async function checkEngine(settings: NatsSettings): Promise<string> {
  const connection = await connectTo(settings);
  try {
    checkVersion(connection);
    const manager = await openManager(connection);
    const { stream, leases } = namesFor(settings.prefix);
    const found = await infoOf(manager, stream);
    const copies = found === undefined
      ? "is created at the start"
      : `has ${found.num_replicas} ${found.num_replicas === 1 ? "copy" : "copies"}`;
    const { version } = connection.info ?? {};
    const writers = await writersIn(manager, leases);
    return `NATS ${version} at ${connection.getServer()}; stream "${stream}" ${copies}${writers}`;
  } finally {
    await connection.close();
  }
}

/** Returns which instance writes which state, as the end of a sentence. */
async function writersIn(manager: JetStreamManager, { stream }: LeaseNames): Promise<string> {
  if (await infoOf(manager, stream) === undefined) return "";
  const { state } = await manager.streams.info(stream, { subjects_filter: ">" });
  const texts = await Promise.all(
    Object.keys(state.subjects ?? {}).map(async (subject) => {
      const message = await manager.streams.getMessage(stream, { last_by_subj: subject });
      return message === null ? "" : describeLease(subject, message);
    }),
  );
  return texts.join("");
}

async function connectTo(settings: NatsSettings): Promise<NatsConnection> {
  try {
    return await connect({
      ...await toCredentials(settings),
      servers: [...settings.servers],
      name: "standin",
      timeout: ANSWER_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      ignoreAuthErrorAbort: true,
      pingInterval: 2000,
      maxPingOut: 2,
    });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(
      `Cannot reach NATS at ${settings.servers.join(", ")}: ${reasonOf(error)}; ` +
        "start nats-server, or set [storage.nats] servers (--nats-servers)",
    );
  }
}

async function toCredentials(settings: NatsSettings): Promise<Partial<ConnectionOptions>> {
  const { credentials_file, tls_ca_file, username, password, token } = settings;
  const credentials = credentials_file === undefined
    ? undefined
    : await readSetting("credentials_file", credentials_file);
  const ca = tls_ca_file === undefined ? undefined : await readSetting("tls_ca_file", tls_ca_file);
  return compact({
    authenticator: credentials && credsAuthenticator(credentials),
    tls: ca && { ca: new TextDecoder().decode(ca) },
    user: username,
    pass: password,
    token,
  }) as Partial<ConnectionOptions>;
}

async function readSetting(key: string, path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    throw new ConfigError(`Cannot read [storage.nats] ${key} "${path}": ${reasonOf(error)}`);
  }
}

function checkVersion(connection: NatsConnection): void {
  const version = connection.info?.version ?? "";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_SERVER;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new ConfigError(
    `Cannot keep events in NATS at ${connection.getServer()}: it is version ${version}, ` +
      `and ${OLDEST_SERVER.join(".")} is the oldest that is supported`,
  );
}

function isOneOfSeveral({ info }: NatsConnection): boolean {
  return (info?.connect_urls?.length ?? 0) > 1;
}

async function openManager(connection: NatsConnection): Promise<JetStreamManager> {
  const open = (): Promise<JetStreamManager> =>
    jetstreamManager(connection, { timeout: ANSWER_MS });
  try {
    // A cluster that is electing its leader looks like one without JetStream.
    return await (isOneOfSeveral(connection) ? patiently(open) : open());
  } catch (error) {
    throw new ConfigError(
      `Cannot keep events in NATS: JetStream does not answer (${reasonOf(error)}); ` +
        "start nats-server with --jetstream, and enable it for the account",
    );
  }
}

/** Servers answer only accounts with that permission. */
async function warnOfSync(connection: NatsConnection, log: Logger): Promise<void> {
  const advice = "acknowledged events survive a loss of power only with sync_interval: always";
  try {
    const reply = await connection.request("$SYS.REQ.SERVER.PING.JSZ", "", { timeout: 500 });
    const { data } = reply.json<{ data?: { config?: { sync_always?: boolean } } }>();
    if (data?.config?.sync_always === true) return;
    log.warn("NATS does not sync each message to the disk", { advice });
  } catch {
    log.info("NATS does not show its sync_interval to this account", { advice });
  }
}

/** Objects that several instances create at the same time exist once. */
async function created<T>(
  { replicas }: NatsSettings,
  log: Logger,
  create: () => Promise<T>,
): Promise<T> {
  let isWaiting = false;
  try {
    return await patiently(create, (error) => {
      // In a cluster that has just started, the leader may not have heard of every server yet.
      const isEarly = error instanceof Error && "code" in error && error.code === NO_PEERS;
      if (isEarly && !isWaiting) {
        log.info("Waiting for more servers of the NATS cluster", { replicas });
      }
      isWaiting ||= isEarly;
      return isEarly;
    });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const advice = replicas > 1 ? `; [storage.nats] replicas needs ${replicas} servers` : "";
    throw new ConfigError(`Cannot keep events in NATS: ${reasonOf(error)}${advice}`);
  }
}

/**
 * A cluster needs some seconds to elect the leader of a new stream: requests that get no response,
 * and refusals for which `isEarly` returns true, are repeated.
 */
export async function patiently<T>(
  attempt: () => Promise<T>,
  isEarly: (error: unknown) => boolean = () => false,
): Promise<T> {
  const endMs = performance.now() + ELECTION_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isFinal = hasAnswered(error) && !isUnavailable(error) && !isEarly(error);
      if (isFinal || performance.now() >= endMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }
}

/** Returns whether the server has refused a request. A stream that another instance has just created may be missing. */
export function hasAnswered(error: unknown): boolean {
  return error instanceof ConfigError || error instanceof RangeError ||
    (error instanceof Error && error.name === "JetStreamApiError");
}

/** Returns whether a request was refused for lack of a leader, so that it may be repeated. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 503;
}

async function prepareStream(
  manager: JetStreamManager,
  { name, subjects, description, direct = false, lastOnly = false }: StreamShape,
  replicas: number,
): Promise<void> {
  const config: Partial<StreamConfig> & { name: string } = {
    name,
    subjects: [...subjects],
    num_replicas: replicas,
    storage: "file",
    allow_rollup_hdrs: true,
    allow_direct: direct,
    ...(lastOnly ? { max_msgs_per_subject: 1 } : {}),
    description,
    metadata: { [FORMAT_KEY]: String(FORMAT) },
  };
  const found = await infoOf(manager, name);
  if (found === undefined) {
    await manager.streams.add(config);
    return;
  }
  const format = Number(found.metadata?.[FORMAT_KEY]);
  if (format !== FORMAT) {
    throw new ConfigError(
      `Cannot use the stream "${name}" of NATS: it has format ${format}, and only format ` +
        `${FORMAT} is understood; choose another [storage.nats] prefix (--nats-prefix)`,
    );
  }
  if (found.num_replicas !== replicas) await manager.streams.update(name, config);
}

async function infoOf(
  manager: JetStreamManager,
  stream: string,
): Promise<{ metadata?: Record<string, string>; num_replicas: number } | undefined> {
  try {
    return (await manager.streams.info(stream)).config;
  } catch (error) {
    if (isStreamMissing(error)) return undefined;
    throw error;
  }
}

/** Returns whether the server has no such stream. */
export function isStreamMissing(error: unknown): boolean {
  return error instanceof Error && error.name === "StreamNotFoundError";
}
