import { startCore } from "../app/start.ts";
import type { Service } from "../app/service.ts";
import { shellWord } from "../bytes/text.ts";
import { systemClock } from "../clock.ts";
import { compact } from "../compact.ts";
import { ConfigError } from "../errors.ts";
import type { AssetMap } from "../http/assets.ts";
import { createLogger, type Logger } from "../log.ts";
import type { Settings } from "../options/settings.ts";
import { isListener, needsIngress, optionTree } from "../options/tree.ts";
import { unreadVariables } from "../options/unread.ts";
import type { AnyPlugin } from "../plugin.ts";
import { shownProvider } from "../provider_names.ts";
import { folderAssets } from "./assets.ts";
import { type CommandContext, PROGRAM } from "./base/command.ts";
import { bold, type CliIo, configFolderOf } from "./base/io.ts";
import { LogWriter } from "./log_writer.ts";
import { confine, permissionFlags, placesOf } from "./permissions.ts";

/** Maximum time for a stop, in milliseconds. */
const STOP_LIMIT_MS = 5000;
/** Part of it that conversations get to finish. */
const GRACE_MS = 4000;
/** Delay before the search of the environment, in milliseconds, so that it does not slow the first responses. */
const SETTLE_MS = 300;
/** Exit status of an interrupted program in a shell: 128 + SIGINT. */
const INTERRUPTED = 130;

/** How a service is run. */
export interface ServeOptions {
  /** Stops it when standard input ends. */
  readonly stopOnEof: boolean;
}

/** Runs a service until it is stopped. Returns the exit status; throws `ConfigError` if it cannot start. */
export async function serve(
  settings: Settings,
  context: CommandContext,
  { stopOnEof }: ServeOptions,
): Promise<number> {
  const { io } = context;
  const { log_level: level, log_format: format, instance } = settings.core.root;
  const { now } = systemClock;
  const writer = new LogWriter(
    io.writeLog,
    (count) => log.warn("Dropped log lines that were not read in time", { count }),
  );
  const log = createLogger({ level, format, instance, now, write: writer.add });
  const stops = countStops(io, stopOnEof);
  const offUncaught = io.onUncaught((error) => log.error("Unhandled error", { error }));
  try {
    const service = await startWith(settings, context, log);
    const addresses = addressesOf(service, { settings, plugins: context.plugins });
    if (format === "json") {
      const greeting = createLogger({ level: "info", format, instance, now, write: io.stdout });
      greeting.info(RUNNING, Object.fromEntries(addresses));
    } else {
      // In one write, so that a reader gets all addresses or none.
      io.stdout(greet(addresses, { settings, context }).join("\n"));
    }
    const ended = new AbortController();
    const looked = warnOfUnread(log, context, ended.signal);
    await Promise.race([stops.first, service.finished]);
    ended.abort();
    await looked;
    return await stop(service, { log, second: stops.second });
  } catch (error) {
    if (!(error instanceof ConfigError) || format !== "json") throw error;
    for (const problem of error.problems) log.error(problem);
    return 1;
  } finally {
    offUncaught();
    stops.off();
    await writer.flush();
  }
}

async function startWith(
  settings: Settings,
  context: CommandContext,
  log: Logger,
): Promise<Service> {
  const { io, plugins } = context;
  const folder = assetsFolderOf(io);
  const configFolder = configFolderOf(io);
  await confine(placesOf(settings, { plugins, configFolder, assetsFolder: folder }), configFolder);
  let loading: Promise<AssetMap> | undefined;
  const loadUi = async (): Promise<AssetMap> => (await context.loadUi()).assets;
  const assets = folder === undefined
    ? () => loading ??= loadUi()
    : folderAssets(await context.loadUi(), folder);
  return await startCore(plugins, {
    settings,
    assets,
    log,
    ownsProcess: true,
    ...compact({ configFolder }),
  });
}

/**
 * Warns about variables without effect, once the service runs. Without a list of all names the search takes a moment
 * and delays every response by ten milliseconds, so it begins after the first ones.
 */
async function warnOfUnread(
  log: Logger,
  { io, plugins }: CommandContext,
  signal: AbortSignal,
): Promise<void> {
  const environment = { env: io.env, names: io.envNames(), signal };
  if (environment.names === undefined) await pause(SETTLE_MS, signal);
  for (const warning of await unreadVariables(optionTree(plugins), environment)) log.warn(warning);
}

/** Resolves after this many milliseconds, or once the signal is given. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

/** Prints the permissions that a service with these settings needs, and starts nothing. */
export function printPermissions(settings: Settings, { io, plugins }: CommandContext): number {
  const configFolder = configFolderOf(io);
  const places = placesOf(settings, { plugins, configFolder, assetsFolder: assetsFolderOf(io) });
  io.stdout(permissionFlags(settings, places).map(quoted).join(" "));
  return 0;
}

/** Folder of the user interface's files, if not built in. */
function assetsFolderOf(io: CliIo): string | undefined {
  return io.env("SERVICE_UI_DIR") || undefined;
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellWord(word);
}

interface Stops {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
  off(): void;
}

function countStops(io: CliIo, stopOnEof: boolean): Stops {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let count = 0;
  const offSignals = io.onStop(() => {
    count++;
    if (count === 1) first.resolve();
    else second.resolve();
  });
  // Not counted: a signal and a closed pipe are one request.
  const offInput = stopOnEof ? io.onInputEnd(first.resolve) : () => {};
  const off = (): void => {
    offSignals();
    offInput();
  };
  return { first: first.promise, second: second.promise, off };
}

/** Stops the service; a second request to stop, or too long a wait, ends it at once. */
async function stop(
  service: Service,
  { log, second }: { log: Logger; second: Promise<void> },
): Promise<number> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), STOP_LIMIT_MS);
  });
  try {
    const end = await Promise.race([
      service.stop({ graceMs: GRACE_MS }).then(() => "stopped" as const),
      second.then(() => "again" as const),
      late,
    ]);
    if (end === "late") {
      log.warn("Exited without waiting for the rest", { after_ms: STOP_LIMIT_MS });
    }
    return end === "again" ? INTERRUPTED : 0;
  } finally {
    clearTimeout(timer);
  }
}

/** Greeting of a started service. */
const RUNNING = `${PROGRAM} is running`;

interface Running {
  readonly plugin: AnyPlugin;
  readonly providers: AnyPlugin["providers"];
}

function runningOf(settings: Settings, plugins: readonly AnyPlugin[]): readonly Running[] {
  return plugins.flatMap((plugin) => {
    const own = settings.plugins.get(plugin.id);
    if (own?.enabled !== true) return [];
    const providers = plugin.providers.filter(({ id }) => own.providers.get(id)?.enabled === true);
    return [{ plugin, providers }];
  });
}

/** Every listener by name. */
function addressesOf(
  service: Service,
  { settings, plugins }: { settings: Settings; plugins: readonly AnyPlugin[] },
): readonly (readonly [name: string, url: string])[] {
  const listeners = runningOf(settings, plugins).flatMap(({ plugin, providers }) =>
    providers.filter(isListener).map(({ id }) => `${plugin.id}/${id}`)
  );
  return [
    ["ui", `${service.ui.url}/ui/`],
    ["api", `${service.api.url}/api/v1`],
    ...(needsIngress(plugins, settings) ? [["ingress", service.ingress.url] as const] : []),
    ...listeners.map((name) => [name, service.endpoint(name).url] as const),
  ];
}

function greet(
  addresses: ReturnType<typeof addressesOf>,
  { settings, context: { io, plugins } }: { settings: Settings; context: CommandContext },
): string[] {
  const left = addresses.reduce((most, [name]) => Math.max(most, name.length), 0);
  return [
    bold(io, RUNNING),
    ...addresses.map(([name, url]) => `  ${name.padEnd(left)}  ${url}`),
    ...runningOf(settings, plugins).map(({ plugin, providers }) =>
      `  plugin ${plugin.id}: ${providers.map(shownProvider).join(", ")}`
    ),
    `Code to paste for every provider: ${PROGRAM} providers`,
  ];
}
