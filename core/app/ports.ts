import { onLoopback } from "../api/describe.ts";
import { isServicePath } from "../api/mount.ts";
import type { Readiness } from "../api/ready.ts";
import type { EngineState } from "../events/log.ts";
import type { HttpHandler } from "../http/call.ts";
import type { Server } from "../net/server.ts";
import type { Settings } from "../options/settings.ts";
import type { AnyPlugin, Endpoint } from "../plugin.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import { vendorHosts } from "./identity.ts";
import { type ListenContext, listenHttp, listenProvider, type SecureHttp } from "./listeners.ts";
import { endpointNamed, readinessOf } from "./listening.ts";
import { type OpenedPlugin, schemeOf } from "./open.ts";

/** Handlers of the HTTP ports that belong to no single provider. */
export interface CoreHandlers {
  /** The user interface and the read-back API. */
  readonly ui: HttpHandler;
  /** Providers that share the ingress; absent if none does. */
  readonly ingress: HttpHandler | undefined;
  /** Creates the handler of the read-back API, if it has its own port. */
  api(): HttpHandler;
}

/** The listeners of one running service, and their addresses. */
export class Ports {
  /** Servers to be stopped at the end. */
  readonly servers: Server[] = [];
  /** Addresses of providers, by plugin and provider, and by the bare id where only one has it. */
  readonly endpoints = new Map<string, Endpoint>();
  /** Servers by their addresses. */
  readonly of = new WeakMap<Endpoint, Server>();
  readonly #plugins: readonly AnyPlugin[];
  readonly #settings: Settings;
  readonly #tls: TlsIdentity;
  #ui: Endpoint | undefined;
  #api: Endpoint | undefined;
  #ingress: Endpoint | undefined;

  constructor(plugins: readonly AnyPlugin[], settings: Settings, tls: TlsIdentity) {
    this.#plugins = plugins;
    this.#settings = settings;
    this.#tls = tls;
  }

  /** Throws while the service does not listen; so do the others. */
  get ui(): Endpoint {
    return known(this.#ui);
  }

  get api(): Endpoint {
    return known(this.#api);
  }

  /** Throws `RangeError` if no provider that shares it runs. */
  get ingress(): Endpoint {
    if (this.#ingress === undefined && this.#api !== undefined) {
      throw new RangeError("Cannot name the ingress: no provider that shares it runs");
    }
    return known(this.#ingress);
  }

  /** Returns the address of the user interface once it listens. */
  get openUi(): Endpoint | undefined {
    return this.#ui;
  }

  /** Returns the server of a provider, named by plugin and provider. */
  serverOf(on: string): Server | undefined {
    const endpoint = this.endpoints.get(on);
    return endpoint && this.of.get(endpoint);
  }

  /** Returns the address of a provider, which may be named by its vendor. Throws `RangeError` if it does not run. */
  endpoint(provider: string): Endpoint {
    return endpointNamed(provider, this.endpoints, this.#plugins);
  }

  /** Returns the readiness report. */
  readiness(status: Readiness["status"], engine: EngineState | undefined): Readiness {
    return readinessOf(status, {
      instance: this.#settings.core.root.instance,
      engine,
      own: { ui: this.#ui, api: this.#api, ingress: this.#ingress },
      endpoints: this.endpoints,
      loadOf: (endpoint) => this.of.get(endpoint)?.load?.(),
    });
  }

  /** Opens the ports of the service itself. Rejects with `ConfigError` if one is not available. */
  async listenCore(handlers: CoreHandlers, context: ListenContext): Promise<void> {
    const { ui, api, ingress } = this.#settings.core;
    const vendor = handlers.ingress;
    const secure: SecureHttp = ingress.tls
      ? { tls: this.#tls, tunnelHosts: vendorHosts(this.#plugins) }
      : {};
    const shared = vendor !== undefined && ui.port !== 0 && ui.port === ingress.port &&
      ui.bind === ingress.bind;
    const uiHandler: HttpHandler = shared
      ? (call) => isServicePath(call.path, call.method) ? handlers.ui(call) : vendor(call)
      : handlers.ui;
    this.#ui = await this.#listen("ui", {
      ...ui,
      flag: "--ui-port",
      h2c: shared ? ingress.h2c : ui.h2c,
    }, { handler: uiHandler, context, ...(shared ? { secure } : {}) });
    this.#api = api.port === undefined || (api.port === ui.port && api.port !== 0)
      ? this.#ui
      : await this.#listen("api", {
        bind: api.bind,
        port: api.port,
        flag: "--api-port",
        h2c: ui.h2c,
      }, { handler: handlers.api(), context });
    if (vendor === undefined) return;
    this.#ingress = shared ? this.#ui : await this.#listen("ingress", {
      ...ingress,
      flag: "--ingress-port (--in-port when one plugin runs)",
    }, { handler: vendor, context, secure });
  }

  async #listen(
    name: string,
    where: { bind: string; port: number; flag: string; h2c: boolean },
    options: { handler: HttpHandler; context: ListenContext; secure?: SecureHttp },
  ): Promise<Endpoint> {
    const server = await listenHttp(name, { ...where, hostname: where.bind }, {
      ...options,
      about: { listener: name },
    });
    this.servers.push(server);
    const endpoint = this.#toEndpoint("http", server.port);
    this.of.set(endpoint, server);
    return endpoint;
  }

  /** Opens the ports of providers. Rejects with `ConfigError` if one is not available. */
  async listenProviders(
    plugins: readonly OpenedPlugin[],
    context: ListenContext,
    undo: AsyncDisposableStack,
  ): Promise<void> {
    for (const opened of plugins.flatMap(({ providers }) => providers)) {
      const { plugin, provider } = opened;
      const listener = await listenProvider(opened, context, undo);
      if (listener !== undefined) this.servers.push(listener.server);
      const endpoint = listener === undefined
        ? this.ingress
        : onLoopback(provider, this.#toEndpoint(schemeOf(provider), listener.server.port));
      if (listener?.tlsServer !== undefined) {
        this.servers.push(listener.tlsServer);
        const scheme = provider.kind === "tcp" ? `${provider.scheme}s` : "https";
        const secure = this.#toEndpoint(scheme, listener.tlsServer.port);
        this.of.set(secure, listener.tlsServer);
        this.endpoints.set(`${plugin.id}/${provider.id}/tls`, secure);
      }
      if (listener !== undefined) this.of.set(endpoint, listener.server);
      this.endpoints.set(`${plugin.id}/${provider.id}`, endpoint);
      // The bare id works unless another plugin has a provider with the same id.
      if (!this.endpoints.has(provider.id)) this.endpoints.set(provider.id, endpoint);
    }
  }

  #toEndpoint(scheme: string, port: number): Endpoint {
    return toEndpoint(this.#settings.core.root.host, scheme, port);
  }

  /** Stops every listener. */
  async stop(options: { graceMs: number }): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop(options)));
  }
}

/** Throws while the service does not listen there. */
function known(endpoint: Endpoint | undefined): Endpoint {
  if (endpoint !== undefined) return endpoint;
  throw new Error("Cannot name an address: the service is not listening");
}

/** The address of a listener; an IPv6 address is in brackets. */
function toEndpoint(hostname: string, scheme: string, port: number): Endpoint {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return { hostname, port, url: `${scheme}://${host}:${port}` };
}
