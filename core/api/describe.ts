import type { Static } from "@sinclair/typebox";
import { compact } from "../compact.ts";
import { INGRESS_OPTIONS } from "../options/core_options.ts";
import type { ProviderSettings, Settings } from "../options/settings.ts";
import { isListener } from "../options/tree.ts";
import {
  type AnyPlugin,
  type Endpoint,
  isShown,
  pathsOf,
  type PluginState,
  type Provider,
} from "../plugin.ts";
import { aliasesOf, vendorOf } from "../provider_names.ts";
import { Type } from "../shape_type.ts";
import { snippetsOf } from "../snippets.ts";

/** JSON shape of a provider's description. */
export const ProviderInfoShape = Type.Object({
  name: Type.String({ description: "Id, such as mail2" }),
  plugin: Type.String({ description: "Id of its plugin" }),
  title: Type.String({ description: "Name of the vendor's API, or of the protocol" }),
  short_title: Type.String({ description: "Name of the vendor or protocol alone" }),
  aliases: Type.Array(Type.String(), {
    description: "Other names for it in filters, settings and faults",
  }),
  description: Type.String({ description: "What it accepts, in one sentence" }),
  enabled: Type.Boolean({ description: "Whether it runs" }),
  listener: Type.Boolean({ description: "Whether it has its own port" }),
  addr: Type.Optional(
    Type.String({ description: "Address and port it listens on, while the service runs" }),
  ),
  url: Type.Optional(
    Type.String({ description: "Where clients reach it, while the service runs" }),
  ),
  port: Type.Optional(
    Type.Integer({ description: "Port of its listener; absent if it takes any free port" }),
  ),
  network: Type.Optional(Type.Union([Type.Literal("tcp"), Type.Literal("udp")])),
  endpoints: Type.Array(Type.Object({
    method: Type.String(),
    path: Type.String(),
    description: Type.String(),
  })),
  snippets: Type.Array(Type.Object({
    title: Type.String(),
    lang: Type.String(),
    code: Type.String(),
  })),
}, { $id: "plugin.ProviderInfo" });

/** JSON shape of a plugin's description. */
export const PluginInfoShape = Type.Object({
  name: Type.String({ description: "Id, such as mail" }),
  title: Type.String({ description: "Display name" }),
  description: Type.String({ description: "What it does, in one sentence" }),
  enabled: Type.Boolean({ description: "Whether it runs" }),
  tab: Type.Optional(Type.String({ description: "Module of the UI that shows the plugin" })),
  providers: Type.Array(ProviderInfoShape),
}, { $id: "plugin.PluginInfo" });

/** Description of a provider. */
export type ProviderInfo = Static<typeof ProviderInfoShape>;

/** Description of a plugin. */
export type PluginInfo = Static<typeof PluginInfoShape>;

/** Options of a description. */
export interface DescribeOptions {
  /** Includes disabled plugins and providers. */
  readonly all?: boolean;
  /** Address of a running provider; if absent, nothing runs and configured ports are shown. */
  endpointOf?(plugin: string, provider: string): Endpoint | undefined;
}

/** Describes plugins and providers, with snippets to paste and run. */
export function describePlugins(
  plugins: readonly AnyPlugin[],
  settings: Settings,
  options: DescribeOptions = {},
): PluginInfo[] {
  return plugins.flatMap((plugin): PluginInfo[] => {
    const own = settings.plugins.get(plugin.id);
    if (own === undefined || (!own.enabled && options.all !== true)) return [];
    const providers = plugin.providers.flatMap((provider): ProviderInfo[] => {
      const values = own.providers.get(provider.id);
      if (values === undefined || (!values.enabled && options.all !== true)) return [];
      const live = options.endpointOf?.(plugin.id, provider.id);
      return [describeProvider(provider, { plugin: plugin.id, values, settings, live })];
    });
    return [{
      name: plugin.id,
      title: plugin.title,
      description: plugin.about,
      enabled: own.enabled,
      ...compact({ tab: plugin.tab }),
      providers,
    }];
  });
}

interface Described {
  readonly plugin: string;
  readonly values: ProviderSettings;
  readonly settings: Settings;
  readonly live: Endpoint | undefined;
}

function describeProvider(provider: Provider<PluginState>, described: Described): ProviderInfo {
  const { values, live } = described;
  const at = onLoopback(provider, live ?? configuredEndpoint(provider, described));
  const running = values.enabled && live !== undefined;
  return {
    name: provider.id,
    plugin: described.plugin,
    title: provider.title,
    short_title: vendorOf(provider),
    aliases: [...aliasesOf(provider)],
    description: provider.about,
    enabled: values.enabled,
    listener: isListener(provider),
    ...(running ? { url: at.url } : {}),
    ...describeListener(provider, described),
    endpoints: provider.kind !== "ingress"
      ? []
      : provider.routes.filter((route) => isShown(route, values.values))
        .flatMap((route) => {
          const { method, about: description } = route;
          return pathsOf(route, values.values).map((path) => ({ method, path, description }));
        }),
    snippets: snippetsOf(provider, at, values.values)
      .map(({ title, lang, code }) => ({ title, lang, code })),
  };
}

function describeListener(
  provider: Provider<PluginState>,
  { values, live }: Described,
): Pick<ProviderInfo, "addr" | "port" | "network"> {
  if (!isListener(provider)) return {};
  const port = live?.port ?? Number(values.values[provider.portOption]);
  const running = values.enabled && live !== undefined;
  return {
    ...(running ? { addr: `${inUrl(values.bind)}:${port}` } : {}),
    ...(port === 0 ? {} : { port }),
    network: provider.kind === "udp" ? "udp" : "tcp",
  };
}

/** Returns the address that a provider would have. */
function configuredEndpoint(
  provider: Provider<PluginState>,
  { values, settings }: Described,
): Endpoint {
  const { root, ingress } = settings.core;
  if (!isListener(provider)) return endpoint("http", root.host, ingress.port || DEFAULT_INGRESS);
  const scheme = provider.kind === "http" ? "http" : provider.scheme;
  const configured = Number(values.values[provider.portOption]);
  const usual = Number(provider.options[provider.portOption]?.fallback);
  return endpoint(scheme, root.host, configured || usual);
}

/** Shown if the port is only known while the service runs. */
const DEFAULT_INGRESS = INGRESS_OPTIONS.port.fallback;

/** A datagram to `localhost` may go to ::1, where nothing listens and nothing is refused. */
export function onLoopback(provider: Provider<PluginState>, at: Endpoint): Endpoint {
  if (provider.kind !== "udp" || at.hostname !== "localhost") return at;
  return endpoint(provider.scheme, "127.0.0.1", at.port);
}

function endpoint(scheme: string, hostname: string, port: number): Endpoint {
  return { hostname, port, url: `${scheme}://${inUrl(hostname)}:${port}` };
}

function inUrl(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
