import { dirname } from "node:path";
import { isLocalPattern, parseOriginPattern } from "../callbacks/allow.ts";
import type { OptionSpec } from "../options/spec.ts";
import type { Settings } from "../options/settings.ts";
import { CALLBACK_OPTIONS, INGRESS_OPTIONS, NATS_OPTIONS } from "../options/core_options.ts";
import type { AnyPlugin } from "../plugin.ts";

/** Variables that the program reads: its settings, the user's folders, and those that `doctor` checks. */
export const VARIABLES: readonly string[] = [
  "SERVICE_*",
  ...["HOME", "USERPROFILE", "APPDATA", "XDG_CONFIG_HOME"],
  ...["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"],
  ...["CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "TWILIO_CA_BUNDLE", "DENO_CERT"],
  ...["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"],
];

/** Files and folders that a service uses. */
export interface Places {
  readonly read: readonly string[];
  /** These are also read. */
  readonly write: readonly string[];
}

/** Places that the settings do not determine. */
export interface PlaceContext {
  readonly plugins: readonly AnyPlugin[];
  /** Folder of generated keys and certificates. */
  readonly configFolder: string | undefined;
  /** Folder of the user interface's files, if not built in. */
  readonly assetsFolder: string | undefined;
}

/** Every place that the settings name, and the folder for keys and certificates. */
export function placesOf(
  settings: Settings,
  { plugins, configFolder, assetsFolder }: PlaceContext,
): Places {
  const read = new Set<string>();
  const write = new Set<string>();
  const look = (options: object, values: Readonly<Record<string, unknown>>): void => {
    for (const [key, spec] of Object.entries(options) as [string, OptionSpec<unknown>][]) {
      const value = values[key];
      if (spec.kind !== "path" || typeof value !== "string") continue;
      if (spec.access === "read") read.add(value);
      else write.add(spec.access === "file" ? dirname(value) : value);
    }
  };
  look(INGRESS_OPTIONS, settings.core.ingress);
  const { plugins: stores, eventFolder, events, nats } = settings.core.storage;
  if (settings.core.callbacks.enabled) look(CALLBACK_OPTIONS, { ...settings.core.callbacks });
  if (events === "nats") look(NATS_OPTIONS, nats);
  for (const folder of [eventFolder, ...Object.values(stores).map(({ folder }) => folder)]) {
    if (folder !== undefined) write.add(dirname(folder));
  }
  for (const plugin of plugins) {
    for (const { id, options } of plugin.providers) {
      const own = settings.plugins.get(plugin.id)?.providers.get(id);
      if (own?.enabled === true) look(options, own.values);
    }
  }
  // A plugin may keep a certificate beside the configuration file.
  if (settings.fileFolder !== undefined) write.add(settings.fileFolder);
  if (configFolder !== undefined) write.add(configFolder);
  if (assetsFolder !== undefined) read.add(assetsFolder);
  return { read: [...read], write: [...write] };
}

/** Flags of `deno run` for a service with these settings. */
export function permissionFlags(settings: Settings, places: Places): readonly string[] {
  const { callbacks, otel } = settings.core;
  const called = [
    ...(callbacks.enabled ? callbacks.allow : []),
    ...(otel.endpoint === undefined ? [] : [new URL(otel.endpoint).origin]),
  ];
  const callsOut = !called.every((origin) => isLocalPattern(parseOriginPattern(origin)));
  const reads = [...places.read, ...places.write];
  return [
    isLocal(settings) && !callsOut ? "--allow-net=127.0.0.1,localhost,[::1]" : "--allow-net",
    ...(reads.length === 0 ? [] : [`--allow-read=${reads.join(",")}`]),
    ...(places.write.length === 0 ? [] : [`--allow-write=${places.write.join(",")}`]),
    `--allow-env=${VARIABLES.join(",")}`,
    "--no-prompt",
  ];
}

/** Returns whether every listener is limited to this machine, and no server of a cluster may be elsewhere. */
function isLocal({ core, plugins }: Settings): boolean {
  if (core.storage.events === "nats") return false;
  const providers = [...plugins.values()].flatMap((plugin) => [...plugin.providers.values()]);
  return [core.ui, core.api, core.ingress, ...providers]
    .every(({ bind }) => bind === "localhost" || bind === "::1" || bind.startsWith("127."));
}

/**
 * Drops the permission to read and write anywhere, if the settings name no place outside the folder for keys and
 * certificates. The tasks grant the root of the disk besides that folder, and revoking one leaves the other; a program
 * that was granted the whole disk in one flag, such as a compiled one, keeps it.
 */
export async function confine(places: Places, configFolder: string | undefined): Promise<void> {
  if (![...places.read, ...places.write].every((place) => place === configFolder)) return;
  await Deno.permissions.revoke({ name: "read", path: "/" });
  await Deno.permissions.revoke({ name: "write", path: "/" });
}
