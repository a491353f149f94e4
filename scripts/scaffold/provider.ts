import { captureText, importsOf } from "./capture.ts";
import { ingressFiles } from "./ingress.ts";
import type { Kind } from "./kinds.ts";
import { capitalize, type ProviderNames } from "./names.ts";

/** Files of a new provider, by path: it captures text over the chosen transport. */
export function providerFiles(names: ProviderNames): ReadonlyMap<string, string> {
  const folder = `plugins/${names.plugin}/${names.id}`;
  const test = `tests/wire/${names.plugin}_${names.id}_test.ts`;
  if (names.kind === "ingress") return ingressFiles(names).set(test, wireTest(names));
  const files = new Map([
    [`${folder}/mod.ts`, MODULES[names.kind](names)],
    [test, wireTest(names)],
  ]);
  if (names.kind === "tcp") {
    files.set(`${folder}/session.ts`, tcpSession(names));
    files.set(`${folder}/session_test.ts`, tcpSessionTest());
    files.set(`${folder}/codec/line.ts`, lineCodec());
    files.set(`${folder}/codec/line_test.ts`, lineCodecTest());
  }
  return files;
}

const MODULES: Readonly<Record<Exclude<Kind, "ingress">, (names: ProviderNames) => string>> = {
  http: httpModule,
  tcp: tcpModule,
  udp: udpModule,
};

function stateImport({ stateType, stateFrom, capture }: ProviderNames): string {
  const state = { names: [`type ${stateType}`], from: stateFrom };
  return importsOf([state, ...capture.imports], [`type ${capture.draftType}`]);
}

function portOptions(protocol: string, { id, port }: ProviderNames): string {
  return `const OPTIONS = defineOptions({
  port: port("${protocol} port of the ${id} listener", ${port}),
});`;
}

function httpModule(names: ProviderNames): string {
  const { id, stateType } = names;
  return `import { isText } from "../../../core/bytes/text.ts";
import type { HttpCall } from "../../../core/http/call.ts";
import { vendorJson } from "../../../core/http/reply.ts";
import { BodyTooLargeError, readBody } from "../../../core/http/server/body/body.ts";
import { bytes, defineOptions, port } from "../../../core/options/spec.ts";
import { httpProvider, type ProviderEnv, type RawRecord } from "../../../core/plugin.ts";
${stateImport(names)}
const OPTIONS = defineOptions({
  port: port("TCP port of the ${id} listener", ${names.port}),
  max_bytes: bytes("Maximum size of a message", 1_048_576, { only: "file" }),
});

type Env = ProviderEnv<typeof OPTIONS, ${stateType}>;

/** Takes text over HTTP, on its own port. */
export const ${id} = httpProvider<${stateType}, typeof OPTIONS>({
  id: "${id}",
  title: "${capitalize(id)} over HTTP on its own port",
  about: "Takes POST with text as its body, on any path",
  options: OPTIONS,
  portOption: "port",
  open: () => ({ handle: take }),
  snippets: (at) => [{
    title: "Send one message with curl",
    lang: "sh",
    code: \`curl -sS \${at.url}/send -d 'Hello from curl'\`,
  }],
});

${httpHandler(names)}`;
}

function httpHandler({ capture }: ProviderNames): string {
  return `async function take(call: HttpCall, env: Env): Promise<Response> {
  let body: Uint8Array;
  try {
    body = await readBody(call, { maxBytes: env.values.max_bytes });
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    return refuse(env, { status: 413, reason: \`At most \${env.values.max_bytes} bytes are taken\` });
  }
  if (call.method !== "POST" || body.length === 0 || !isText(body)) {
    return refuse(env, { status: 400, reason: "Expected a POST with text" });
  }
  const text = new TextDecoder().decode(body);
  const raw: RawRecord = {
    transport: "http",
    text: true,
    body,
    method: call.method,
    path: call.target,
    headers: call.rawHeaders,
    http_version: call.version,
    peer_addr: call.peer,
  };
  const event = ${capture.isAsync ? "await " : ""}${captureText(capture, "env")};
  return vendorJson({ id: event.id });
}

function refuse(env: Env, { status, reason }: { status: number; reason: string }): Response {
  env.reject({ status, reason });
  return vendorJson({ error: reason }, { status });
}
`;
}

function tcpModule(names: ProviderNames): string {
  const { id, stateType, capture } = names;
  return `import { defineOptions, port, seconds } from "../../../core/options/spec.ts";
import { type RawRecord, tcpProvider } from "../../../core/plugin.ts";
${stateImport(names)}import { serveLines } from "./session.ts";

const OPTIONS = defineOptions({
  port: port("TCP port of the ${id} listener", ${names.port}),
  read_timeout: seconds("Seconds without a byte until the connection is closed", 60, {
    only: "file",
  }),
});

/** Takes lines of text over TCP. */
export const ${id} = tcpProvider<${stateType}, typeof OPTIONS>({
  id: "${id}",
  title: "${capitalize(id)} over TCP",
  about: "Takes lines of text, each answered with OK",
  scheme: "${id}",
  options: OPTIONS,
  portOption: "port",
  open: (env) => ({
    serve: (wire) =>
      serveLines(wire, {
        idleMs: env.values.read_timeout * 1000,
        refuse: (reason) => env.reject({ reason, peer: wire.peer }),
        ${capture.isAsync ? "async " : ""}take(text) {
          const body = new TextEncoder().encode(text);
          const raw: RawRecord = { transport: "tcp", text: true, body, peer_addr: wire.peer };
          ${capture.isAsync ? "await " : ""}${captureText(capture, "env")};
        },
      }),
  }),
  snippets: (at) => [{
    title: "Send one message",
    lang: "sh",
    code: \`printf 'Hello\\\\r\\\\n' | nc -N \${at.hostname} \${at.port}\`,
  }],
});
`;
}

function tcpSession({ id }: ProviderNames): string {
  return `import { WireError } from "../../../core/bytes/decoder.ts";
import { BufferedWire } from "../../../core/net/buffered_wire.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { decodeLine, encodeReply, MAX_LINE_BYTES } from "./codec/line.ts";

/** Callbacks of a conversation. */
export interface Handler {
  /** Milliseconds without a byte until the conversation ends. */
  readonly idleMs: number;
  take(text: string): void | Promise<void>;
  /** Reports a bad line; the conversation continues. */
  refuse(reason: string): void;
}

/** Runs one ${id} conversation to its end: one line, one response. */
export async function serveLines(transport: Transport, handler: Handler): Promise<void> {
  const wire = new BufferedWire(transport);
  const limits = { maxBytes: MAX_LINE_BYTES, idleMs: handler.idleMs };
  for (;;) {
    try {
      const line = await wire.line(limits);
      if (line === undefined) return;
      await handler.take(decodeLine(line));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      handler.refuse(error.message);
      await wire.write(encodeReply({ kind: "error", message: error.message }));
      continue;
    }
    await wire.write(encodeReply({ kind: "ok" }));
  }
}
`;
}

function tcpSessionTest(): string {
  return `import { assertEquals } from "@std/assert";
import { transportPair } from "../../../core/net/pair.ts";
import { serveLines } from "./session.ts";

Deno.test("each line is answered, and a bad one does not end the conversation", async () => {
  const [client, server] = transportPair();
  const taken: string[] = [];
  const refused: string[] = [];
  const served = serveLines(server, {
    idleMs: 1000,
    take: (text) => void taken.push(text),
    refuse: (reason) => refused.push(reason),
  });
  const says = async (bytes: Uint8Array): Promise<string> => {
    await client.write(bytes);
    return new TextDecoder().decode(await client.read({ idleMs: 1000 }));
  };
  assertEquals(await says(new TextEncoder().encode("one\\r\\n")), "OK\\r\\n");
  assertEquals((await says(new Uint8Array([0xff, 0x0a]))).startsWith("ERROR "), true);
  assertEquals(await says(new TextEncoder().encode("two\\n")), "OK\\r\\n");
  await client[Symbol.asyncDispose]();
  await served;
  assertEquals(taken, ["one", "two"]);
  assertEquals(refused.length, 1);
});
`;
}

function lineCodec(): string {
  return `/**
 * Lines of UTF-8 text, ended by LF or CR LF.
 *
 *     message = 1*998(%x20-7E / UTF8-non-ascii / HTAB) [CR] LF
 *     reply   = ("OK" / "ERROR " text) CR LF
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";

/** Longest line in bytes, line end included. */
export const MAX_LINE_BYTES = 1000;

/** Decodes a line, without its line end. Throws \`WireError\` "syntax" if the bytes are not UTF-8. */
export function decodeLine(line: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line).replace(/\\r?\\n$/, "");
  } catch {
    throw new WireError("syntax", "Cannot read the line: its bytes are no UTF-8 text");
  }
}

/** Response to a line. */
export type Reply = { readonly kind: "ok" } | { readonly kind: "error"; readonly message: string };

/** Encodes a reply; a message never produces a second line. */
export function encodeReply(reply: Reply): Uint8Array {
  const text = reply.kind === "ok" ? "OK" : \`ERROR \${reply.message.replaceAll(/[\\r\\n]+/g, " ")}\`;
  return new TextEncoder().encode(\`\${text}\\r\\n\`);
}
`;
}

function lineCodecTest(): string {
  return `import { assertEquals } from "@std/assert";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { fc } from "../../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { decodeLine, encodeReply } from "./line.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("a line loses its line end and nothing else", () => {
  assertEquals(decodeLine(encode("caf\\u00e9 \\r\\n")), "caf\\u00e9 ");
  assertEquals(decodeLine(encode("x\\n")), "x");
});

Deno.test("any bytes are text or a WireError", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        decodeLine(bytes);
      } catch (error) {
        assertEquals(error instanceof WireError, true);
      }
    }),
    fuzzed(),
  );
});

Deno.test("a reply is always one line", () => {
  assertEquals(
    new TextDecoder().decode(encodeReply({ kind: "error", message: "a\\r\\nOK" })),
    "ERROR a OK\\r\\n",
  );
});
`;
}

function udpModule(names: ProviderNames): string {
  const { id, stateType, capture } = names;
  return `import { isText } from "../../../core/bytes/text.ts";
import { defineOptions, port } from "../../../core/options/spec.ts";
import { type RawRecord, udpProvider } from "../../../core/plugin.ts";
${stateImport(names)}
${portOptions("UDP", names)}

/** Takes datagrams of text. */
export const ${id} = udpProvider<${stateType}, typeof OPTIONS>({
  id: "${id}",
  title: "${capitalize(id)} over UDP",
  about: "Takes datagrams of text, each answered with OK",
  scheme: "${id}",
  options: OPTIONS,
  portOption: "port",
  open: (env) => ({
    async receive(datagram) {
      const { bytes, peer } = datagram;
      if (bytes.length === 0 || !isText(bytes)) {
        env.reject({ reason: "Expected a datagram of text", peer, raw: bytes });
        return await datagram.reply(new TextEncoder().encode("ERROR expected text"));
      }
      const text = new TextDecoder().decode(bytes);
      const raw: RawRecord = { transport: "udp", text: true, body: bytes, peer_addr: peer };
      ${capture.isAsync ? "await " : ""}${captureText(capture, "env")};
      await datagram.reply(new TextEncoder().encode("OK"));
    },
  }),
  snippets: (at) => [{
    title: "Send one message",
    lang: "sh",
    code: \`printf 'Hello' | nc -u -w 1 \${at.hostname} \${at.port}\`,
  }],
});
`;
}

/** Client of the wire test, by transport: `say` sends text and returns the response. */
const SAY: Readonly<Record<Kind, (names: ProviderNames) => string>> = {
  ingress: ({ id, plugin }) =>
    `const provider = ${plugin}.providers.find(({ id }) => id === "${id}")!;

async function say(at: Endpoint, bytes: Uint8Array): Promise<string> {
  const { path, method = "POST", ...call } = provider.example!({});
  const body = bytes[0] === 0xff ? new Uint8Array(bytes) : call.body;
  const response = await fetch(\`\${at.url}\${path}\`, { method, ...call, body });
  return \`\${response.status} \${await response.text()}\`;
}`,
  http: () => httpSay("/send"),
  tcp: () =>
    `async function say(at: Endpoint, bytes: Uint8Array): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: at.port });
  await connection.write(new Uint8Array([...bytes, 0x0a]));
  const answer = new Uint8Array(200);
  return new TextDecoder().decode(answer.subarray(0, await connection.read(answer) ?? 0));
}`,
  udp: () =>
    `async function say(at: Endpoint, bytes: Uint8Array): Promise<string> {
  const socket = Deno.listenDatagram({ transport: "udp", hostname: "127.0.0.1", port: 0 });
  try {
    await socket.send(bytes, { transport: "udp", hostname: "127.0.0.1", port: at.port });
    const [answer] = await socket.receive();
    return new TextDecoder().decode(answer);
  } finally {
    socket.close();
  }
}`,
};

function httpSay(path: string): string {
  return `async function say(at: Endpoint, bytes: Uint8Array): Promise<string> {
  const body = new Uint8Array(bytes);
  const response = await fetch(\`\${at.url}${path}\`, { method: "POST", body });
  return \`\${response.status} \${await response.text()}\`;
}`;
}

function wireTest(names: ProviderNames): string {
  const { id, plugin, kind, capture } = names;
  const http = kind === "ingress" || kind === "http";
  return `import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Endpoint } from "../../core/plugin.ts";
import { ${plugin} } from "../../plugins/${plugin}/mod.ts";
import { startService } from "../support/service.ts";

${SAY[kind](names)}

Deno.test("${id} captures text and says so", async () => {
  await using service = await startService({ plugins: [${plugin}] });
  const answer = await say(service.endpoint("${id}"), new TextEncoder().encode("Hello"));
  assertMatch(answer, ${http ? "/^2\\d\\d /" : "/^OK/"});
  const event = await service.waitFor("${capture.eventType}", { provider: "${id}" });
  assertStringIncludes(JSON.stringify(event.payload), "Hello");
});

Deno.test("${id} refuses bytes that are not text, and records the refusal", async () => {
  await using service = await startService({ plugins: [${plugin}] });
  ${
    // Some vendors refuse with status 200.
    kind === "ingress"
      ? ""
      : "const answer = "}await say(service.endpoint("${id}"), new Uint8Array([0xff, 0xfe]));
  ${kind === "ingress" ? "" : `assertMatch(answer, ${http ? "/^400 /" : "/^ERROR /"});`}
  assertEquals(service.events.count(), 0);
  assertEquals((await service.getJson<unknown[]>("/rejected")).length, 1);
});
${kind === "ingress" ? faultTest(names) : ""}`;
}

function faultTest({ id, plugin, capture }: ProviderNames): string {
  return `
Deno.test("a fault rule of ${id} applies to the messages that it names", async () => {
  await using service = await startService({ plugins: [${plugin}] });
  const send = () => say(service.endpoint("${id}"), new TextEncoder().encode("Hello"));
  const outcome = provider.faults!.outcomes[0]!.id;
  const rule = (contains: string) =>
    service.fault({ on: "${plugin}/${id}", outcome, match: { "${capture.textPath}": { contains } } });
  using other = await rule("Goodbye");
  assertMatch(await send(), /^2\\d\\d /);
  using named = await rule("Hello");
  await send();
  assertEquals([other.hits, named.hits, service.events.count()], [0, 1, 1]);
});
`;
}
