/**
 * Inputs that are cheap to send and once were expensive to read, each at its listener's size limit.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import * as zip from "@zip.js/zip.js";
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  EVENTS_FILE,
  MANIFEST_FILE,
} from "../../core/bundle/record.ts";
import { encodeDer } from "../../plugins/as2/codec/asn1.ts";
import { writeAll } from "../../core/net/socket.ts";
import { latin1 } from "./hostile.ts";
import { MllpClient } from "./mllp.ts";
import { listening } from "./program.ts";
import type { Target } from "./under_attack.ts";

/** One of them. */
export interface HostileInput {
  /** Description: completes "other clients are answered while". */
  readonly name: string;
  /** Builds the input and sends its prerequisites; the returned function sends the input. */
  prepare(target: Target): Promise<() => Promise<void>>;
}

const MIB = 1024 ** 2;

/** Repeats `text` up to this many characters. */
function fill(text: string, length: number): string {
  return text.repeat(Math.floor(length / text.length));
}

async function portOf(target: Target, provider: string): Promise<number> {
  return (await listening(target)).endpoint(provider).port;
}

/** Sends a request and reads the response to its end. */
async function ask(url: string, init: RequestInit & { readonly status?: number } = {}) {
  const { status = 200, ...request } = init;
  const response = await fetch(url, request);
  await response.body?.pipeTo(new WritableStream());
  assertEquals(response.status, status, url);
}

/** An S3 request with a document for its body. */
function xml(name: string, body: string): HostileInput {
  return {
    name,
    async prepare(target) {
      const url = `http://127.0.0.1:${await portOf(target, "http")}/hostile`;
      return () => ask(url, { method: "PUT", body, status: 400 });
    },
  };
}

/** An HL7 message, and a request about it. */
function hl7(name: string, message: string, query?: string): HostileInput {
  return {
    name,
    async prepare(target) {
      const address = { hostname: "127.0.0.1", port: await portOf(target, "mllp") };
      const frame = latin1(`\x0b${message}\x1c\r`);
      return async () => {
        using client = await MllpClient.open(address);
        await client.send(frame);
        await client.answer();
        const list = `${target.urls.api}/api/v1/hl7/messages`;
        if (query !== undefined) await ask(`${list}?${query}`);
      };
    },
  };
}

/** A mail over SMTP, ended by the final dot; its lines are sent as they are. */
function smtp(name: string, message: string): HostileInput {
  return {
    name,
    async prepare(target) {
      const port = await portOf(target, "smtp");
      const bytes = latin1(`${message}\r\n.\r\nQUIT\r\n`);
      return async () => {
        const conn = await Deno.connect({ hostname: "127.0.0.1", port });
        const envelope =
          "EHLO a\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n";
        await writeAll(conn, latin1(envelope));
        const answers = new Response(conn.readable).text();
        await writeAll(conn, bytes);
        assertEquals(/^250 2\.0\.0 |^250 .*queued/mi.test(await answers), true);
      };
    },
  };
}

function multipart(parts: string): string {
  return `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`;
}

function manyChunks(): string {
  const chunks = Array.from({ length: 1000 }, (_, at) => `n*${at}="a";`).join("");
  const first = Array.from({ length: 60_000 }, (_, at) => `n*0${at}=a;`).join("");
  return `Content-Type: text/plain; ${chunks}${first}\r\n\r\nx`;
}

/** Largest message that the listener accepts, without its framing. */
const MAIL = 25 * MIB - 4096;

/** Number of emails in one attack; a slow pattern needs fewer. */
const MAILS = 24;

/** Mails with one text, and one read-back request about them. */
function mails(
  name: string,
  text: string,
  path: string,
  { count = MAILS, ...init }: RequestInit & { readonly count?: number },
): HostileInput {
  return {
    name,
    async prepare({ urls }) {
      const body = JSON.stringify({
        personalizations: Array(count).fill({ to: [{ email: "a@example.com" }] }),
        from: { email: "b@example.com" },
        subject: "Hostile",
        content: [{ type: "text/plain", value: text }],
      });
      const headers = { "content-type": "application/json", authorization: "Bearer SG.x" };
      await ask(`${urls.ingress}/v3/mail/send`, { method: "POST", headers, body, status: 202 });
      return async () => {
        const response = await fetch(`${urls.api}/api/v1${path}`, init);
        const answer = await response.text();
        assert([200, 409].includes(response.status), `${response.status}: ${answer}`);
      };
    },
  };
}

function expectRegex(name: string, regex: string, text: string, count = MAILS): HostileInput {
  const expectation = { type: "mail.message", match: { "payload.text": { regex } }, timeout: 100 };
  return mails(name, text, "/expect", {
    method: "POST",
    body: JSON.stringify(expectation),
    count,
  });
}

/** Pseudorandom letters a and b: no small automaton can predict them. */
function letters(length: number): string {
  let state = 12_345;
  let text = "";
  for (let at = 0; at < length; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    text += (state >> 16) & 1 ? "a" : "b";
  }
  return text;
}

/** MLLP data without a response, followed by a message with one. */
function mllp(name: string, bytes: string): HostileInput {
  return {
    name,
    async prepare(target) {
      const address = { hostname: "127.0.0.1", port: await portOf(target, "mllp") };
      const sent = latin1(`${bytes}\x0b${HL7_HEADER}\x1c\r`);
      return async () => {
        using client = await MllpClient.open(address);
        await client.send(sent);
        await client.answer();
      };
    },
  };
}

/** An AS2 message that claims to be signed, with nested values. */
function as2(name: string, tag: number, length: number): HostileInput {
  return {
    name,
    prepare({ urls }) {
      const inside = encodeDer(tag, new Uint8Array(length).fill(0x41));
      const body = encodeDer(0x30, Uint8Array.fromHex("06092a864886f70d010702"), inside);
      const headers = {
        "content-type": "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
        "as2-version": "1.1",
        "as2-from": "a",
        "as2-to": "b",
        "message-id": "<1@a>",
      };
      return Promise.resolve(() => ask(`${urls.ingress}/as2`, { method: "POST", headers, body }));
    },
  };
}

const HL7_HEADER = "MSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5\r";

/** Names whose hashes collide in a `Map`: see `mapKey()`. */
function crowdedNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${(i + 1) * 65_536}`);
}

/** A request to the chat API. */
function chat(name: string, body: string): HostileInput {
  return {
    name,
    prepare({ urls }) {
      const headers = { "content-type": "application/json", authorization: "Bearer xoxb-1" };
      const url = `${urls.ingress}/api/chat.postMessage`;
      return Promise.resolve(() => ask(url, { method: "POST", headers, body }));
    },
  };
}

/** A message of the vendor's SMS API, refused or not. */
function sms(name: string, type: string, body: string): HostileInput {
  return {
    name,
    prepare({ urls }) {
      const url = `${urls.ingress}/2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`;
      const headers = { "content-type": type, authorization: `Basic ${btoa("a:b")}` };
      return Promise.resolve(async () => {
        const response = await fetch(url, { method: "POST", headers, body });
        await response.body?.cancel();
        assertEquals(response.status < 500, true, `${response.status}`);
      });
    },
  };
}

/** A request of the vendor's mail API that is refused. */
function refusedMail(name: string, body: string): HostileInput {
  return {
    name,
    prepare({ urls }) {
      const headers = { "content-type": "application/json", authorization: "Bearer re_1" };
      const url = `${urls.ingress}/emails`;
      return Promise.resolve(() => ask(url, { method: "POST", headers, body, status: 422 }));
    },
  };
}

/** An invalid expectation. */
function expectation(name: string, body: string): HostileInput {
  return {
    name,
    prepare({ urls }) {
      const url = `${urls.api}/api/v1/expect`;
      return Promise.resolve(() => ask(url, { method: "POST", body, status: 400 }));
    },
  };
}

/** A bundle with one line of events that is refused. */
function bundle(name: string, line: string): HostileInput {
  return {
    name,
    async prepare({ urls }) {
      zip.configure({ useWebWorkers: false });
      const writer = new zip.ZipWriter(new zip.Uint8ArrayWriter());
      const manifest = JSON.stringify({ format: BUNDLE_FORMAT, version: BUNDLE_VERSION });
      await writer.add(MANIFEST_FILE, new zip.TextReader(manifest));
      await writer.add(EVENTS_FILE, new zip.TextReader(`${line}\n`));
      const body = Uint8Array.from(await writer.close());
      return () => ask(`${urls.api}/api/v1/import`, { method: "POST", body, status: 400 });
    },
  };
}

/** The same datagram repeatedly. */
function datagrams(
  name: string,
  provider: string,
  { datagram, count }: { datagram: Uint8Array; count: number },
): HostileInput {
  return {
    name,
    async prepare(target) {
      const address = {
        transport: "udp",
        hostname: "127.0.0.1",
        port: await portOf(target, provider),
      } as const;
      return async () => {
        const socket = Deno.listenDatagram({ transport: "udp", hostname: "127.0.0.1", port: 0 });
        for (let i = 0; i < count; i++) await socket.send(datagram, address);
        socket.close();
      };
    },
  };
}

/** Nested blocks, about as deep as JSON may nest. */
const NESTED_BLOCK = `${'{"type":"context","elements":['.repeat(100)}${"]}".repeat(100)}`;

/** The requested number of members with different names. */
function numberedMembers(count: number): string {
  return Array.from({ length: count }, (_, at) => `"property${at}":1`).join();
}

/** Nested SEQUENCEs, as deep as fits into a datagram. */
function nestedSequences(depth: number): Uint8Array {
  let inside: Uint8Array = new Uint8Array();
  for (let i = 0; i < depth; i++) inside = encodeDer(0x30, inside);
  return inside;
}

/** Sends bytes on a connection until it ends, whatever the outcome. */
function stream(name: string, provider: string, bytes: Uint8Array): HostileInput {
  return {
    name,
    async prepare(target) {
      const port = await portOf(target, provider);
      return async () => {
        using conn = await Deno.connect({ hostname: "127.0.0.1", port });
        const answers = drain(conn);
        // A listener may close before it has read everything.
        await writeAll(conn, bytes).then(() => conn.closeWrite()).catch(() => {});
        await answers;
      };
    },
  };
}

/** Reads to the end, or until the connection breaks. */
async function drain(conn: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(65_536);
  try {
    while (await conn.read(buffer) !== null);
  } catch (error) {
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
  }
}

/** A business document over AS2 without any layer. */
function document(name: string, type: string, body: string): HostileInput {
  return {
    name,
    prepare({ urls }) {
      const headers = {
        "content-type": type,
        "as2-version": "1.1",
        "as2-from": "a",
        "as2-to": "b",
        "message-id": "<1@a>",
      };
      return Promise.resolve(() => ask(`${urls.ingress}/as2`, { method: "POST", headers, body }));
    },
  };
}

/** Every hostile input. */
export const HOSTILE_INPUTS: readonly HostileInput[] = [
  xml("an S3 document nests elements without an end", fill("<a>", 2 * MIB)),
  hl7(
    "a list looks for a field of 130 000 repetitions",
    `${HL7_HEADER}PID|1||${fill("4711~", 650_000)}`,
    "path=PID-3.1&include_segments=false",
  ),
  hl7(
    "a message is made of escape sequences",
    `${HL7_HEADER}PID|1||${fill("\\X41\\", 10 * MIB - 4096)}`,
    "path=PID-3.1&include_segments=false",
  ),
  hl7(
    "a message has segments of names that crowd a map",
    HL7_HEADER + crowdedNames(50_000).join("|\r"),
    "path=PID-3.1&include_segments=false",
  ),
  chat(
    "an object has names that crowd a map",
    `{${crowdedNames(100_000).map((name) => `"${name}":1`)},"channel":"#a","text":"b"}`,
  ),
  chat(
    "a message has blocks in blocks",
    `{"channel":"#a","text":"b","blocks":[${fill(`${NESTED_BLOCK},`, 60 * MIB)}${NESTED_BLOCK}]}`,
  ),
  sms(
    "a form is made of separators",
    "application/x-www-form-urlencoded",
    `From=%2B1&To=%2B2&Body=b&${fill("&=", 60 * MIB)}`,
  ),
  sms(
    "a form has very many fields of one name",
    "application/x-www-form-urlencoded",
    `From=%2B1&To=%2B2&Body=b&${fill("MediaUrl=a&", 60 * MIB)}`,
  ),
  sms(
    "a form has lines that are almost its boundary",
    "multipart/form-data; boundary=b",
    `${fill("--bb\r\n", 60 * MIB)}--b--\r\n`,
  ),
  sms(
    "a form has very many parts",
    "multipart/form-data; boundary=b",
    `${fill('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n', 60 * MIB)}--b--\r\n`,
  ),
  chat("an object has millions of members", `{${numberedMembers(1_500_000)}}`),
  chat(
    "a message has millions of blocks",
    `{"channel":"#a","text":"b","blocks":[${fill("{},", 50 * MIB)}{}]}`,
  ),
  refusedMail(
    "a mail has millions of recipients",
    `{"from":"a@b.c","subject":"x","text":"x","to":[${fill('"x",', 50 * MIB)}"y"]}`,
  ),
  expectation("an expectation has very many members", `{${numberedMembers(50_000)}}`),
  expectation("an expectation has a very long name", `{"${"a".repeat(MIB - 100)}":1}`),
  bundle("an event of a bundle has millions of lists", `{"payload":[${fill("[],", 60 * MIB)}[]]}`),
  bundle(
    "an event of a bundle has millions of members",
    `{"payload":{${numberedMembers(2_000_000)}}}`,
  ),
  datagrams("datagrams nest sequences", "trap", {
    datagram: nestedSequences(10_000),
    count: 2000,
  }),
  datagrams("requests are made of empty options", "tftp", {
    datagram: latin1(`\0\x01a\0octet${"\0".repeat(65_000)}`),
    count: 2000,
  }),
  datagrams("requests repeat one option", "tftp", {
    datagram: latin1(`\0\x01a\0octet\0${fill("blksize\x009\0", 65_000)}`),
    count: 2000,
  }),
  datagrams("requests have options of very long names and numbers", "tftp", {
    datagram: latin1(`\0\x01a\0octet\0${"a".repeat(30_000)}\0x\0tsize\0${"9".repeat(30_000)}\0`),
    count: 2000,
  }),
  document(
    "an EDIFACT interchange is made of separators",
    "application/edifact",
    `UNA:+.? '${fill("A+:'", 40 * MIB)}`,
  ),
  document(
    "an X12 interchange is made of elements",
    "application/edi-x12",
    `ISA*${fill("*~", 40 * MIB)}`,
  ),
  stream("a command never ends", "ftp", latin1(fill("A", 16 * MIB))),
  stream("commands come by the hundred thousand", "ftp", latin1(fill("NOOP\r\n", MIB))),
  stream("a record is made of empty fragments", "nfs", new Uint8Array(8 * MIB)),
  stream(
    "records are too short to be calls",
    "nfs",
    latin1(fill("\x80\0\0\x04abcd", 2 * MIB)),
  ),
  mllp("messages begin and never end", fill("\x0b", 4 * MIB)),
  mllp("very many messages are cut short", fill("\x0bA", 100_000)),
  as2("an object identifier is of very many numbers", 0x06, 20 * MIB),
  as2("a text in a certificate is very long", 0x1e, 60 * MIB),
  smtp("a mail has a parameter of many first chunks", manyChunks()),
  smtp("a mail is addressed to groups within groups", `To: ${fill("a:", MIB - 4096)}\r\n\r\nx`),
  smtp(
    "a mail's base64 is made of small units",
    `Content-Transfer-Encoding: base64\r\n\r\n${fill("Q!==", MAIL)}`,
  ),
  smtp("a mail is made of empty lines", `\r\n${fill("\r\n", MAIL)}`),
  smtp("a mail has lines that are almost its boundary", multipart(fill("--bb\r\n", MAIL))),
  smtp(
    "a mail has parts within parts within parts",
    Array.from({ length: 300 }, (_, at) => multipart(`--b${at}\r\n`).replace("=b", `=b${at}`)).join(
      "",
    ) +
      fill("--b\r\n", MAIL - 20_000),
  ),
  smtp(
    "a mail's quoted-printable is made of blanks before line ends",
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${fill(" \r\n", MAIL)}`,
  ),
  expectRegex("a pattern may end in many ways", "(a?){190}a{190}c", `c${letters(262_143)}`),
  expectRegex("a pattern has states without number", "a[ab]{900}c", `c${letters(262_143)}`, 6),
  expectRegex(
    "a pattern is of letters of all scripts",
    "(?i)(\\pL|\\pN){190}\\d",
    letters(262_144),
  ),
  mails(
    "texts are waited for that have no code",
    `code ${fill("A1-", 262_000)}`,
    "/mail/messages?has=code&timeout=100ms",
    {},
  ),
];
