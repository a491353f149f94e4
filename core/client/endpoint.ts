import type { EndpointRecord } from "./model.ts";

/** A plugin as `GET /plugins` lists it. */
interface PluginRecord {
  readonly name: string;
  readonly providers: readonly { readonly name: string; readonly url?: string }[];
}

/**
 * Returns where the provider listens. Throws a `RangeError` that lists the running providers if the
 * name matches none or several.
 */
export function findEndpoint(plugins: readonly PluginRecord[], provider: string): EndpointRecord {
  const running = plugins.flatMap(({ name: plugin, providers }) =>
    providers.flatMap(({ name, url }) => url === undefined ? [] : [{ plugin, name, url }])
  );
  const found = running.filter(({ plugin, name }) =>
    [name, `${plugin}/${name}`].includes(provider)
  );
  if (found.length === 1) return toEndpoint(found[0]!.url);
  const what = found.length === 0 ? "running are" : "choose one of";
  const names = (found.length === 0 ? running : found).map((one) => `${one.plugin}/${one.name}`);
  throw new RangeError(`Cannot find provider "${provider}": ${what} ${names.join(", ")}`);
}

function toEndpoint(url: string): EndpointRecord {
  // Not every runtime's `URL` parses the host of a non-web scheme.
  const { hostname, port } = new URL(url.replace(/^[a-z0-9]+:/, "http:"));
  return { url, hostname, port: Number(port) };
}
