import { compact } from "../compact.ts";
import { ConfigError, reasonOf } from "../errors.ts";
import type { NewRejected, RejectedJournal } from "../events/journal.ts";
import type { BrowserGuard } from "../http/browser_guard.ts";
import type { HttpHandler } from "../http/call.ts";
import { type HttpServerOptions, openHttpServer } from "../http/server/server.ts";
import type { AnswerRoom } from "../http/server/wire/answer_room.ts";
import type { HeadRoom } from "../http/server/wire/head_room.ts";
import type { Logger } from "../log.ts";
import { isAddressInUse } from "../net/address.ts";
import { type HttpRefusal, refusingHttp } from "../net/http_refusal.ts";
import { serveTcp } from "../net/tcp.ts";
import type { Server } from "../net/server.ts";
import { DisconnectedError, HandshakeError, IdleError, type Transport } from "../net/transport.ts";
import { serveUdp } from "../net/udp.ts";
import type { TlsIdentity } from "../tls/identity.ts";
import type { HttpPatience, HttpProvider, TcpProvider, UdpProvider } from "../plugin.ts";
import type { OptionSet } from "../options/spec.ts";
import type { PluginState } from "../plugin.ts";
import type { OpenedProvider } from "./open.ts";
import { type FullNotes, noteFull } from "./listening.ts";
import { finishCall, Recording } from "./recording.ts";

/** Context of the listeners. */
export interface ListenContext {
  readonly log: Logger;
  readonly rejected: RejectedJournal;
  readonly tls: TlsIdentity;
  /** Checks every request to a provider with its own HTTP port. */
  readonly guard: BrowserGuard;
  /** Allows cleartext HTTP/2 on providers with their own HTTP port. */
  readonly h2c: boolean;
  /** Limit for the long request heads of all HTTP listeners together. */
  readonly headRoom: HeadRoom;
  readonly answerRoom: AnswerRoom;
  /** Injected clock for the dates of responses. */
  now?(): Date;
}

/** Explains a failed bind: the listener, the address, and the flag to change it. */
export async function bind(
  name: string,
  where: { hostname: string; port: number; flag: string },
  open: () => Promise<Server>,
): Promise<Server> {
  try {
    return await open();
  } catch (error) {
    const address = `${where.hostname}:${where.port}`;
    if (isAddressInUse(error)) {
      throw new ConfigError(
        `Cannot listen on ${address} for ${name}: the address is in use; choose another port with ${where.flag}`,
      );
    }
    const reason = reasonOf(error);
    throw new ConfigError(
      `Cannot listen on ${address} for ${name}: ${reason}; choose another with ${where.flag} or --bind`,
    );
  }
}

/** Makes an HTTP listener accept TLS in addition to cleartext. */
export type SecureHttp = Pick<HttpServerOptions, "tls" | "tunnelHosts">;

/** Opens an HTTP listener of the service itself. */
export async function listenHttp(
  name: string,
  where: { hostname: string; port: number; flag: string; h2c: boolean },
  options: {
    handler: HttpHandler;
    context: ListenContext;
    about: Pick<FullNotes, "listener" | "provider">;
    secure?: SecureHttp;
    patience?: HttpPatience;
    heads?: Pick<HttpServerOptions, "maxHeadBytes" | "refuseHead">;
  },
): Promise<Server> {
  const { context, secure, heads } = options;
  const handler = context.now === undefined ? options.handler : dated(options.handler, context.now);
  const { stopMs, ...limits } = options.patience ?? {};
  return await bind(name, where, () =>
    openHttpServer({
      hostname: where.hostname,
      port: where.port,
      h2c: where.h2c,
      ...secure,
      ...heads,
      ...compact({ stopMs }),
      limits,
      handler,
      memory: context.headRoom.memory,
      headRoom: context.headRoom,
      answerRoom: context.answerRoom,
      log: context.log,
      onRefused: (record) => context.rejected.add(record),
      onFull: noteFull({ ...context, ...options.about }),
    }));
}

/** The platform adds the machine's date to responses without one. */
function dated(handler: HttpHandler, now: () => Date): HttpHandler {
  return async (call) => {
    const response = await handler(call);
    if (!response.headers.has("date")) response.headers.set("date", now().toUTCString());
    return response;
  };
}

/** A provider's listener, and a second one if it also takes TLS from the first byte. */
export interface ProviderListener {
  readonly server: Server;
  readonly tlsServer?: Server;
}

/** Opens the provider, then its port; both are added to `undo`. `undefined` for the shared ingress. */
export async function listenProvider(
  opened: OpenedProvider,
  context: ListenContext,
  undo: AsyncDisposableStack,
): Promise<ProviderListener | undefined> {
  const { provider } = opened;
  switch (provider.kind) {
    case "ingress":
      return undefined;
    case "http":
      return { server: await listenHttpProvider(opened, provider, { context, undo }) };
    case "tcp":
      return await listenTcpProvider(opened, provider, { context, undo });
    case "udp":
      return { server: await listenUdpProvider(opened, provider, { context, undo }) };
  }
}

interface ListenScope {
  readonly context: ListenContext;
  readonly undo: AsyncDisposableStack;
}

/** Returns the address of the port in `option`, and the setting that changes it. */
function whereOf(
  opened: OpenedProvider,
  option: string,
): { hostname: string; port: number; flag: string } {
  return {
    hostname: opened.bind,
    port: Number(opened.env.values[option]),
    flag: flagOf(opened, option),
  };
}

/** Returns the listener's name in `GET /api/v1/ready`. */
function nameOf({ plugin, provider }: OpenedProvider): string {
  return `${plugin.id}/${provider.id}`;
}

function flagOf(opened: OpenedProvider, option: string): string {
  const { provider } = opened;
  const spec = provider.options[option];
  const name = spec?.flag ?? `${provider.flagPrefix ?? provider.id}-${option.replaceAll("_", "-")}`;
  if (spec?.only !== "file") return `--${name}`;
  return `[plugins.${opened.plugin.id}.providers.${provider.id}] ${option}`;
}

async function listenHttpProvider(
  opened: OpenedProvider,
  provider: HttpProvider<OptionSet, PluginState>,
  { context, undo }: ListenScope,
): Promise<Server> {
  const service = await provider.open(opened.env);
  undo.defer(async () => await service[Symbol.asyncDispose]?.());
  const where = { ...whereOf(opened, provider.portOption), h2c: context.h2c };
  const { values } = opened.env;
  const patience = provider.patience?.(values);
  const maxHeadBytes = provider.maxHeadBytes?.(values);
  const { refuseHead } = provider;
  return await listenHttp(provider.id, where, {
    context,
    about: { listener: nameOf(opened), provider: provider.id },
    ...compact({ patience }),
    heads: {
      ...compact({ maxHeadBytes, refuseHead }),
    },
    async handler(call) {
      const recording = new Recording(opened.env, call);
      const refuse = (status: number, reason: string): Response => {
        recording.env.reject({ status, reason });
        return refuseHead?.({ status, reason }) ?? new Response(`${reason}\n`, { status });
      };
      const foreign = context.guard(call);
      if (foreign !== undefined && provider.admits?.(call, recording.env) !== true) {
        return refuse(403, foreign);
      }
      const response = await service.handle(call, recording.env);
      return await finishCall(recording, response, ({ message }) => refuse(503, message));
    },
  });
}

async function listenTcpProvider(
  opened: OpenedProvider,
  provider: TcpProvider<OptionSet, PluginState>,
  { context, undo }: ListenScope,
): Promise<ProviderListener> {
  const service = await provider.open(opened.env);
  undo.defer(async () => await service[Symbol.asyncDispose]?.());
  const { httpReply: reply } = provider;
  const busyReply = provider.busyReply?.(opened.env.values);
  const refusal = ({ peer }: Transport): HttpRefusal => ({
    ...compact({ reply }),
    onHttp: (begun) => context.rejected.add(toHttpRecord(begun, { provider, peer })),
  });
  const open = async (option: string, tls: boolean): Promise<Server> => {
    const where = whereOf(opened, option);
    const listener = `${nameOf(opened)}${tls ? "/tls" : ""}`;
    const { passing } = opened;
    const relay = passing?.team.relay(listener, passing.lease);
    const server = await bind(provider.id, where, () =>
      serveTcp({
        hostname: where.hostname,
        port: where.port,
        maxConnections: provider.maxConnections?.(opened.env.values) ?? 256,
        ...compact({ busyReply }),
        logsIn: provider.logsIn ?? false,
        ...(tls ? { tls: context.tls } : {}),
        ...compact({ relay }),
        log: context.log,
        onFull: noteFull({
          ...context,
          listener,
          provider: provider.id,
        }),
        serve: (wire, place) => service.serve(refusingHttp(wire, refusal(wire)), { tls, place }),
        onError(error, wire) {
          noteEnd(error, { context, provider: provider.id, peer: wire.peer });
        },
      }));
    passing?.team.serve(listener, server, passing.lease);
    return server;
  };
  const server = await open(provider.portOption, false);
  const { tlsPortOption } = provider;
  if (tlsPortOption === undefined || opened.env.values[tlsPortOption] === undefined) {
    return { server };
  }
  try {
    return { server, tlsServer: await open(tlsPortOption, true) };
  } catch (error) {
    await server.stop({ graceMs: 0 });
    throw error;
  }
}

/** Characters kept of the path of an HTTP request to another protocol. */
const MAX_PATH = 1000;

/** A page of any site can make a browser send requests to any port; a client with a wrong port looks the same. */
function toHttpRecord(
  begun: Uint8Array,
  { provider, peer }: { provider: TcpProvider<OptionSet, PluginState>; peer: string },
): NewRejected {
  const line = /^\s*(\S+) (\S+) HTTP/.exec(new TextDecoder().decode(begun));
  return {
    provider: provider.id,
    peer,
    reason: `Cannot speak HTTP here: this port is for ${provider.title}; the connection was closed`,
    raw: begun,
    ...(line === null ? {} : { method: line[1]!, path: line[2]!.slice(0, MAX_PATH) }),
  };
}

/** Ignores peers that disconnect or fall silent; reports failed TLS handshakes. */
function noteEnd(
  error: unknown,
  { context, provider, peer }: { context: ListenContext; provider: string; peer: string },
): void {
  const fields = { provider, peer, error };
  if (error instanceof HandshakeError) {
    const reason = `${error.message}; the client must trust the CA of this service`;
    context.rejected.add({ provider, peer, reason, raw: new Uint8Array() });
  } else if (error instanceof IdleError) context.log.debug("Closed an idle connection", fields);
  else if (error instanceof DisconnectedError) context.log.debug("Lost a connection", fields);
  else context.log.error("Cannot continue a conversation", fields);
}

async function listenUdpProvider(
  opened: OpenedProvider,
  provider: UdpProvider<OptionSet, PluginState>,
  { context, undo }: ListenScope,
): Promise<Server> {
  const service = await provider.open(opened.env);
  undo.defer(async () => await service[Symbol.asyncDispose]?.());
  const where = whereOf(opened, provider.portOption);
  return await bind(provider.id, where, () =>
    serveUdp({
      hostname: where.hostname,
      port: where.port,
      receive: (datagram) => service.receive(datagram),
      onError: (error) =>
        context.log.error("Cannot handle a datagram", { provider: provider.id, error }),
    }));
}
