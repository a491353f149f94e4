import { isAllowed, mayConnect, parseOriginPattern } from "../callbacks/allow.ts";
import type { AnyPlugin } from "../plugin.ts";
import { NATS_OPTIONS } from "./core_options.ts";
import { place } from "./file_tree.ts";
import type { Given, GivenValues } from "./given.ts";
import type { Settings } from "./settings.ts";
import { isListener, needsIngress, type OptionTree, type Setting } from "./tree.ts";

interface CheckContext {
  readonly settings: Omit<Settings, "warnings">;
  readonly values: GivenValues;
  readonly tree: OptionTree;
  readonly sources: { readonly only?: string };
}

/** Checks settings against each other. */
export function checkSettings(
  plugins: readonly AnyPlugin[],
  context: CheckContext,
): { readonly problems: readonly string[]; readonly warnings: readonly string[] } {
  return {
    problems: [
      ...apiProblems(context),
      ...portProblems(plugins, context),
      ...ingressProblems(plugins, context),
      ...pathProblems(context),
      ...natsProblems(context),
      ...tlsProblems(context),
      ...otelProblems(context),
      ...serverProblems(context),
    ],
    warnings: [
      ...storageWarnings(plugins, context),
      ...natsWarnings(plugins, context),
      ...tlsWarnings(context),
      ...ingressWarnings(plugins, context),
      ...otelWarnings(context),
      ...callbackWarnings(context),
    ],
  };
}

/** A port to listen on. */
interface Port {
  /** Display name: `ui`, `smtp`. */
  readonly name: string;
  readonly network: "tcp" | "udp";
  readonly bind: string;
  readonly port: number;
  readonly setting: Setting;
}

function portsOf(plugins: readonly AnyPlugin[], { settings, tree }: CheckContext): Port[] {
  const { ui, api, ingress } = settings.core;
  const at = (
    path: string,
    about: Pick<Port, "name" | "network" | "bind"> & { port: unknown },
  ): Port[] => {
    const setting = tree.byPath.get(path);
    if (setting === undefined || typeof about.port !== "number" || about.port === 0) return [];
    return [{ ...about, port: about.port, setting }];
  };
  const providers = plugins.flatMap((plugin) =>
    plugin.providers.flatMap((provider) => {
      const own = settings.plugins.get(plugin.id)?.providers.get(provider.id);
      if (own === undefined || !own.enabled || !isListener(provider)) return [];
      const options = provider.kind === "tcp"
        ? [provider.portOption, provider.tlsPortOption]
        : [provider.portOption];
      return options.flatMap((key) =>
        key === undefined ? [] : at(`plugins.${plugin.id}.providers.${provider.id}.${key}`, {
          name: provider.flagPrefix ?? provider.id,
          network: provider.kind === "udp" ? "udp" : "tcp",
          bind: own.bind,
          port: own.values[key],
        })
      );
    })
  );
  return [
    ...at("ui.port", { name: "ui", network: "tcp", ...ui }),
    // The same port as the UI means the same listener.
    ...(api.port === ui.port
      ? []
      : at("api.port", { name: "api", network: "tcp", ...api, port: api.port })),
    ...(needsIngress(plugins, settings)
      ? at("ingress.port", { name: "ingress", network: "tcp", ...ingress })
      : []),
    ...providers,
  ];
}

function* portProblems(plugins: readonly AnyPlugin[], context: CheckContext): Generator<string> {
  const ports = portsOf(plugins, context);
  for (const [index, later] of ports.entries()) {
    const earlier = ports.slice(0, index).find((one) =>
      one.port === later.port && one.network === later.network && overlap(one.bind, later.bind) &&
      !mayShare(one, later)
    );
    if (earlier === undefined) continue;
    const names = `${howGiven(earlier, context)} and ${howGiven(later, context)}`;
    yield `Cannot listen on ${later.network} port ${later.port} twice, for ${names}: ` +
      `choose another with ${inWords(earlier.setting, context)} or ${
        inWords(later.setting, context)
      }; ` +
      "0 takes any free port";
  }
}

/** Refuses a flag for a listener that is not needed, because it would be ignored. */
function* ingressProblems(plugins: readonly AnyPlugin[], context: CheckContext): Generator<string> {
  const given = context.values.get("ingress.port");
  if (given?.source === "flag" && !needsIngress(plugins, context.settings)) {
    yield `Cannot use ${given.name}: ${withoutIngress(plugins, context)}`;
  }
}

/** A variable may be meant for another start. */
function* ingressWarnings(plugins: readonly AnyPlugin[], context: CheckContext): Generator<string> {
  const given = context.values.get("ingress.port");
  if (given?.source === "environment" && !needsIngress(plugins, context.settings)) {
    yield `${given.name} has no effect: ${withoutIngress(plugins, context)}`;
  }
}

function withoutIngress(plugins: readonly AnyPlugin[], context: CheckContext): string {
  const { settings, tree } = context;
  const own = plugins.flatMap((plugin) =>
    plugin.providers.filter(isListener)
      .filter(({ id }) => settings.plugins.get(plugin.id)?.providers.get(id)?.enabled)
      .flatMap(({ id, portOption }) =>
        tree.byPath.get(`plugins.${plugin.id}.providers.${id}.${portOption}`) ?? []
      )
  );
  const ports = own.map((setting) => inWords(setting, context));
  return `no HTTP provider that shares the ingress runs; valid ports are ${
    ["--ui-port", ...ports].join(", ")
  }`;
}

/** UI and ingress share one listener, if their addresses are equal, too. */
function mayShare(one: Port, other: Port): boolean {
  return one.name === "ui" && other.name === "ingress" &&
    other.setting.path === "ingress.port" && one.bind === other.bind;
}

const ANY: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

/** Returns whether two listeners at these addresses conflict. */
function overlap(one: string, other: string): boolean {
  if (one === other || ANY.has(one) || ANY.has(other)) return true;
  // The name covers both loopback addresses.
  return (one === "localhost" && LOOPBACK.has(other)) ||
    (other === "localhost" && LOOPBACK.has(one));
}

function howGiven(port: Port, { values }: CheckContext): string {
  const given = values.get(port.setting.path);
  return `${port.name} (${given === undefined ? "its default" : given.name})`;
}

/** Names a setting by its flag, or by its place in the file. */
function inWords(setting: Setting, { sources }: CheckContext): string {
  const flag = sources.only === undefined ? setting.flag : setting.shortcutFlag ?? setting.flag;
  return flag === undefined ? place(setting.table, setting.key) : `--${flag}`;
}

/** Refuses servers of other machines that nobody allowed. */
function* serverProblems({ settings, values, tree }: CheckContext): Generator<string> {
  const allowed = settings.core.callbacks.allow.map(parseOriginPattern);
  for (const { path, spec: { dials } } of tree.byPath.values()) {
    const given = values.get(path);
    if (dials === undefined || typeof given?.value !== "string") continue;
    const address = `${dials}://${given.value}`;
    if (mayConnect(address, allowed)) continue;
    yield `Cannot use ${given.name}: it is on another machine; add "${address}" to [callbacks] allow`;
  }
}

function* apiProblems({ settings, values }: CheckContext): Generator<string> {
  const { ui, api } = settings.core;
  const bind = values.get("api.bind");
  const shared = api.port === undefined || (api.port === ui.port && api.port !== 0);
  if (!shared || bind === undefined || api.bind === ui.bind) return;
  yield `Cannot use ${bind.name}: the read-back API shares the listener of the UI on ${ui.bind}; ` +
    "set [api] port to give it its own port, or remove its bind";
}

function* pathProblems({ settings, values }: CheckContext): Generator<string> {
  const { storage } = settings.core;
  if (storage.path !== undefined) return;
  const detail = '"filesystem" needs a folder; set [storage] path, or start with --persist';
  const general = values.get("storage.backend");
  const events = values.get("storage.events");
  for (const given of [general, events]) {
    if (given?.value === "filesystem") yield `Cannot use ${given.name}: ${detail}`;
  }
  for (const id of Object.keys(storage.plugins)) {
    const own = values.get(`storage.plugins.${id}.backend`);
    const path = values.get(`storage.plugins.${id}.path`);
    if (own?.value === "filesystem" && path?.value === undefined) {
      yield `Cannot use ${own.name}: ${detail}`;
    }
  }
}

function* natsProblems({ settings, values }: CheckContext): Generator<string> {
  const { events, nats } = settings.core.storage;
  const { username, password, token, credentials_file: file } = nats;
  if (events !== "nats") return;
  const named = nameOf("storage.events", values);
  if (nats.servers.length === 0) yield `Cannot use ${named}: [storage.nats] servers is empty`;
  if ((username === undefined) !== (password === undefined)) {
    yield `Cannot use ${named}: [storage.nats] username and password go together`;
  }
  if ([username, token, file].filter((value) => value !== undefined).length > 1) {
    yield `Cannot use ${named}: choose one of [storage.nats] username, token and credentials_file`;
  }
}

function* natsWarnings(
  plugins: readonly AnyPlugin[],
  { settings, values }: CheckContext,
): Generator<string> {
  const { events, plugins: stores } = settings.core.storage;
  const onDisk = (id: string): boolean => stores[id]?.backend === "filesystem";
  if (events === "nats") {
    const own = plugins.filter(({ id, persists, shares }) =>
      persists === true && settings.plugins.get(id)?.enabled === true &&
      (shares !== true || onDisk(id))
    ).map(({ id }) => id);
    if (own.length === 0) return;
    yield `[storage] events "nats" does not share ${own.join(", ")}: each instance has its own ` +
      "store of it, so send its clients to one instance, or turn it off";
    return;
  }
  for (const key of Object.keys(NATS_OPTIONS)) {
    const given = values.get(`storage.nats.${key}`);
    if (given?.value === undefined) continue;
    yield `${given.name} has no effect: [storage] events is "${events}"; set it to "nats" to use it`;
  }
}

function* otelProblems({ settings, values }: CheckContext): Generator<string> {
  const { endpoint, allow } = settings.core.otel;
  if (endpoint === undefined || isAllowed(endpoint, allow.map(parseOriginPattern))) return;
  yield `Cannot use ${nameOf("otel.endpoint", values)} "${endpoint}": ` +
    "its origin is not in the list [otel] allow (--otel-allow)";
}

function* otelWarnings({ settings, values }: CheckContext): Generator<string> {
  const given = values.get("otel.allow");
  if (given === undefined || settings.core.otel.endpoint !== undefined) return;
  yield `${given.name} has no effect: no [otel] endpoint is given`;
}

function* callbackWarnings({ settings, values }: CheckContext): Generator<string> {
  const given = values.get("callbacks.tls_ca_file");
  if (given === undefined || settings.core.callbacks.enabled) return;
  yield `${given.name} has no effect: callbacks are off; set [callbacks] enabled (--callbacks)`;
}

function* tlsProblems({ settings, values }: CheckContext): Generator<string> {
  const { tls_cert_file: cert, tls_key_file: key } = settings.core.ingress;
  if ((cert === undefined) === (key === undefined)) return;
  const [alone, missing] = cert === undefined
    ? ["tls_key_file", "tls_cert_file"]
    : ["tls_cert_file", "tls_key_file"];
  yield `Cannot use ${
    nameOf(`ingress.${alone}`, values)
  }: a certificate and its key go together; ` +
    `give [ingress] ${missing} (--${missing.replaceAll("_", "-")}) too`;
}

function* tlsWarnings({ settings, values }: CheckContext): Generator<string> {
  const { tls_cert_file: cert, tls_dir: dir, tls_in_memory: inMemory } = settings.core.ingress;
  if (cert !== undefined) {
    const why = "the certificate is read from [ingress] tls_cert_file, and none is generated";
    if (dir !== undefined) yield `${nameOf("ingress.tls_dir", values)} has no effect: ${why}`;
    if (inMemory) yield `${nameOf("ingress.tls_in_memory", values)} has no effect: ${why}`;
  } else if (inMemory && dir !== undefined) {
    yield `${nameOf("ingress.tls_dir", values)} has no effect: ` +
      "[ingress] tls_in_memory keeps no file";
  }
}

/** Names the source of a setting, for messages. */
function nameOf(path: string, values: GivenValues): string {
  return values.get(path)?.name ?? path;
}

function* storageWarnings(
  plugins: readonly AnyPlugin[],
  { settings, values }: CheckContext,
): Generator<string> {
  const { storage } = settings.core;
  const onDisk = (id: string): boolean => storage.plugins[id]?.backend === "filesystem";
  const running = plugins.filter(({ id }) => settings.plugins.get(id)?.enabled === true);
  const keepers = running.filter(({ persists }) => persists === true).map(({ id }) => id);
  // While one plugin keeps state, a general setting has an effect.
  const idle = running.filter(({ id, persists }) =>
    persists !== true && onDisk(id) && (keepers.length === 0 || hasOwn(values, id))
  ).map(({ id }) => id);
  if (idle.length > 0) {
    const able = plugins.filter(({ persists }) => persists === true).map(({ id }) => id);
    const others = able.length === 0 ? "no plugin keeps" : `only ${able.join(", ")} keep`;
    yield `Storage on disk has no effect on ${idle.join(", ")}: ${others} state; ` +
      "where events are kept is the setting [storage] events";
  }
  for (const key of ["blob_limit", "raw_limit"] as const) {
    const given = values.get(`storage.${key}`);
    if (given === undefined || storage[key] <= storage.memory_limit / 2) continue;
    yield `${given.name} has no effect beyond ${storage.memory_limit / 2} bytes: ` +
      "each store has at most half of memory_limit";
  }
  for (const given of unusedPaths(plugins, { settings, values })) {
    yield `${given.name} has no effect: the backend is "memory"; ` +
      'set backend = "filesystem" to use it';
  }
}

function hasOwn(values: GivenValues, id: string): boolean {
  return values.get(`storage.plugins.${id}.backend`) !== undefined ||
    values.get(`storage.plugins.${id}.path`) !== undefined;
}

function* unusedPaths(
  plugins: readonly AnyPlugin[],
  { settings, values }: Pick<CheckContext, "settings" | "values">,
): Generator<Given> {
  const { storage } = settings.core;
  const used = ({ id }: AnyPlugin): boolean => storage.plugins[id]?.backend === "filesystem";
  const general = values.get("storage.path");
  const isUsed = storage.eventFolder !== undefined || plugins.some(used);
  if (general?.value !== undefined && !isUsed) yield general;
  for (const plugin of plugins) {
    const own = values.get(`storage.plugins.${plugin.id}.path`);
    if (own?.value !== undefined && !used(plugin)) yield own;
  }
}
