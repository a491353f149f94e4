import { emptyDoc, noContent } from "../../core/http/reply.ts";
import { routeFor } from "../../core/http/route.ts";
import {
  bytes,
  defineOptions,
  integer,
  list,
  optionalPath,
  optionalPort,
  optionalText,
  type OptionSet,
  port,
  seconds,
  text,
} from "../../core/options/spec.ts";
import {
  type AnyPlugin,
  definePlugin,
  httpProvider,
  ingressProvider,
  type PluginState,
  type Provider,
  tcpProvider,
  udpProvider,
} from "../../core/plugin.ts";

const HELLO = routeFor<PluginState>()({
  method: "GET",
  path: "/hello",
  summary: "Say hello",
  replies: { 204: emptyDoc("Said") },
  handle: () => noContent(),
});

/**
 * Plugins that accept nothing, but declare options of every kind: for tests of settings, help and
 * command line, which then do not depend on the real providers.
 */
export const PLAIN_PLUGINS: readonly AnyPlugin[] = [
  plain("mail", "Mail", [
    ingress("mail1", "/v3.1/send", {
      api_key: optionalText("API key that clients must present", { secret: true }),
      secret_key: optionalText("Secret key that clients must present", { secret: true }),
    }),
    tcp("smtp", 1025, {
      username: optionalText("User name that clients must present"),
      password: optionalText("Password that clients must present", { secret: true }),
      domain: text("Name in the greeting", "standin", { only: "file" }),
      max_message_bytes: bytes("Maximum size of a message", 26_214_400, { only: "file" }),
      read_timeout: seconds("Longest silence of a client", 60, { only: "file" }),
      tls_port: optionalPort("Port that speaks TLS at once", { only: "file" }),
    }, "tls_port"),
  ]),
  plain("files", "Files", [
    tcp("ftp", 2121, {}),
    tcp("sftp", 2222, {
      host_key_path: optionalPath("File of the host key", { flag: "sftp-host-key" }),
    }),
  ], true),
  plain("s3", "Object storage", [
    httpProvider<PluginState, OptionSet>({
      id: "http",
      title: "Plain object store",
      about: "Answers every request with its method",
      flagPrefix: "s3",
      options: {
        port: port("TCP port", 9000),
        buckets: list("Buckets that exist from the start"),
        max_parts: integer("Parts of one upload", 10_000, { min: 1, only: "file" }),
      },
      portOption: "port",
      open: () => ({ handle: (call) => new Response(call.method) }),
    }),
  ], true),
  plain("snmp", "SNMP", [
    udpProvider<PluginState, OptionSet>({
      id: "trap",
      title: "Plain datagrams",
      about: "Takes datagrams and drops them",
      scheme: "snmp",
      options: { port: port("UDP port", 1162) },
      portOption: "port",
      open: () => ({ receive() {} }),
      snippets: (at) => [{ title: "Send", lang: "sh", code: `snmptrap ${at.hostname}:${at.port}` }],
    }),
  ]),
  plain("as2", "AS2", [
    ingress("http", "/as2", { cert_dir: optionalPath("Folder of the identity") }, "as2"),
  ]),
];

function plain(
  id: string,
  title: string,
  providers: readonly Provider<PluginState>[],
  persists = false,
): AnyPlugin {
  return definePlugin<PluginState>({
    id,
    title,
    about: `Plain ${title} for tests`,
    eventTypes: [],
    providers,
    // As in the real set, SNMP has no state.
    routes: id === "snmp" ? [] : [HELLO],
    persists,
    open: () => ({}),
  });
}

function ingress(
  id: string,
  path: string,
  options: OptionSet,
  flagPrefix = id,
): Provider<PluginState> {
  return ingressProvider<PluginState, OptionSet>({
    id,
    title: `Plain ${id} over HTTP`,
    about: "Answers every request with ok",
    flagPrefix,
    options,
    routes: [{ method: "POST", path, about: "Send one", handle: () => new Response("ok") }],
    snippets: (at) => [{ title: "Post", lang: "sh", code: `curl -d x ${at.url}${path}` }],
  });
}

function tcp(
  id: string,
  usual: number,
  options: OptionSet,
  tlsPortOption?: string,
): Provider<PluginState> {
  return tcpProvider<PluginState, OptionSet>({
    id,
    title: `Plain ${id} over TCP`,
    about: "Reads until the client ends",
    scheme: id,
    options: defineOptions({ port: port("TCP port", usual), ...options }),
    portOption: "port",
    ...(tlsPortOption === undefined ? {} : { tlsPortOption }),
    open: () => ({
      async serve(wire) {
        while (await wire.read({ idleMs: 60_000 }) !== undefined);
      },
    }),
  });
}
