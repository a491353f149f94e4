import type { EndpointRecord } from "./model.ts";

/** A plugin as `GET /plugins` lists it. */
interface PluginRecord {
  readonly name: string;
  readonly providers: readonly { readonly name: string; readonly url?: string }[];
}

/**
 * Returns where the provider listens. Throws a `RangeError` that names those that run, if it is none of them or more than
 * one.
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
  // Schemes that are not of the web have no host for `URL` in every runtime.
  const { hostname, port } = new URL(url.replace(/^[a-z0-9]+:/, "http:"));
  return { url, hostname, port: Number(port) };
}
