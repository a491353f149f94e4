/** Clients that a fault keeps waiting hold a connection slot, and give it back when they leave or the service stops. */
import { assertEquals, assertLess } from "@std/assert";
import http2 from "node:http2";
// @ts-types="../../plugins/files/ssh2_client.d.ts"
import { Client } from "ssh2";
import { closeCiphers } from "../../plugins/files/sftp/library.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { NfsClient } from "../support/nfs.ts";
import { startService, type TestService } from "../support/service.ts";

/** Sends a request that a fault keeps waiting. The returned function leaves; it resolves once the connection ends. */
type Ask = (service: TestService) => Promise<() => void>;

interface Case {
  readonly on: string;
  readonly phase: string;
  /** Name of its listener in `GET /ready`. */
  readonly listener: string;
  readonly ask: Ask;
}

const encoder = new TextEncoder();

/** Reads the greeting, then sends text over a socket. */
function words(provider: string, text: string, greeting = false): Ask {
  return async (service) => {
    const { port } = provider === "" ? service.ingress : service.endpoint(provider);
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    if (greeting) await conn.read(new Uint8Array(1000));
    await conn.write(encoder.encode(text));
    return () => conn.close();
  };
}

const BODY = '{"from":"a@example.com","to":"b@example.com","subject":"Hi","text":"Hi"}';
const HEAD = `POST /emails HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${BODY.length}\r\n\r\n`;
const HL7 = "\x0bMSH|^~\\&|LAB|A|EHR|B|20260101||ORU^R01|C1|P|2.5\r\x1c\r";

const CASES: readonly Case[] = [
  {
    on: "mail/mail3",
    phase: "capture",
    listener: "ingress",
    ask: words("", HEAD + BODY),
  },
  {
    on: "mail/mail3",
    phase: "capture",
    listener: "ingress",
    ask(service) {
      const session = http2.connect(service.ingress.url);
      session.on("error", () => {});
      const stream = session.request({
        ":method": "POST",
        ":path": "/emails",
        "content-type": "application/json",
      });
      stream.on("error", () => {});
      stream.end(BODY);
      return Promise.resolve(() => session.destroy());
    },
  },
  {
    on: "mail/smtp",
    phase: "mail",
    listener: "mail/smtp",
    ask: words("smtp", "EHLO me\r\nMAIL FROM:<a@example.com>\r\n", true),
  },
  {
    on: "files/ftp",
    phase: "login",
    listener: "files/ftp",
    ask: words("ftp", "USER ada\r\n", true),
  },
  {
    on: "files/sftp",
    phase: "read",
    listener: "files/sftp",
    async ask(service) {
      const { port } = service.endpoint("sftp");
      const client = new Client();
      client.on("error", () => {});
      const ready = Promise.withResolvers<void>();
      client.on("ready", () => ready.resolve());
      client.connect({
        ...{ host: "127.0.0.1", port, username: "ada", password: "secret" },
        readyTimeout: 30_000,
      });
      await ready.promise;
      client.sftp((_error, sftp) => sftp.mkdir("/d", () => {}));
      return () => {
        client.end();
        closeCiphers(client);
      };
    },
  },
  {
    on: "files/nfs",
    phase: "read",
    listener: "files/nfs",
    async ask(service) {
      const client = await NfsClient.open(service);
      const root = await client.mount();
      client.getattr(root).catch(() => {});
      return () => client.abort();
    },
  },
  {
    on: "hl7/mllp",
    phase: "capture",
    listener: "hl7/mllp",
    ask: words("mllp", HL7),
  },
];

async function connections(service: TestService, listener: string): Promise<number> {
  const { listeners } = await service.getJson<
    { listeners: { name: string; connections: number }[] }
  >("/ready");
  return listeners.find(({ name }) => name === listener)!.connections;
}

/** Waits until a condition holds. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!await isSo()) await new Promise((go) => setTimeout(go, 5));
}

const plugins = STANDARD_PLUGINS.filter(({ id }) => ["mail", "files", "hl7"].includes(id));

async function endsWith(
  rule: { outcome?: string; delay?: string },
  { on, phase, listener, ask }: Case,
): Promise<void> {
  const service = await startService({ plugins });
  const fault = await service.fault({ on, phase, ...rule });
  const leave = await ask(service);
  await until(() => fault.hits === 1);
  assertEquals(await connections(service, listener), 1, on);
  leave();
  await until(async () => await connections(service, listener) === 0);
  const leaveLater = await ask(service);
  await until(() => fault.hits === 2);
  const begunMs = performance.now();
  await service.stop({ graceMs: 60_000 });
  assertLess(performance.now() - begunMs, 50_000, on);
  leaveLater();
}

for (const rule of [{ outcome: "hang" }, { delay: "10m" }]) {
  const what = "delay" in rule ? "is delayed" : "hangs";
  Deno.test(`what ${what} holds a connection slot until its client leaves or the service stops`, async () => {
    await Promise.all(CASES.map((one) => endsWith(rule, one)));
  });
}
