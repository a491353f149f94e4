/**
 * A client for every protocol; each sends one item at a time and resolves when it was acknowledged.
 */
import { createSocket } from "node:dgram";
import { assertEquals, assertMatch } from "@std/assert";
import { TcpTransport } from "../../core/net/tcp_transport.ts";
import { Dialogue } from "./dialogue.ts";
import { DRIVERS } from "./drivers/mod.ts";
import { MllpClient } from "./mllp.ts";

/** Address of a program. */
export interface Where {
  readonly ingress: string;
  /** Maximum wait for the response to an inform, in milliseconds; by default 2000. */
  readonly informMs?: number;
  endpoint(provider: string): { readonly port: number };
}

/** The bytes sent, which the event must hold exactly. */
export interface Sent {
  /** The body as received. */
  readonly raw?: Uint8Array | string;
  readonly attachment?: Uint8Array;
}

/** One client; `send` resolves once the token was acknowledged, and rejects for anything else. */
export interface Sender {
  send(token: string, sent: (what: Sent) => void): Promise<void>;
  close?(): void | PromiseLike<void>;
}

const HOST = "127.0.0.1";
const INFORM_MS = 2000;
/** Far fewer than a folder may hold, so that a test can run for hours. */
const FILES_PER_FOLDER = 1000;

/** By the name of the provider. */
export const SENDERS: Readonly<Record<string, (at: Where) => Promise<Sender>>> = {
  mail1: http("/v3.1/send", { authorization: `Basic ${btoa("a:b")}` }, (token) => ({
    Messages: [{ From: { Email: "a@x.org" }, To: [{ Email: "b@x.org" }], TextPart: token }],
  })),
  mail2: http("/v3/mail/send", { authorization: "Bearer SG.x" }, (token, attachment) => ({
    personalizations: [{ to: [{ email: "b@x.org" }] }],
    from: { email: "a@x.org" },
    subject: token,
    content: [{ type: "text/plain", value: "Hello" }],
    attachments: [{ content: attachment.toBase64(), filename: "a.bin" }],
  }), { attached: 3000 }),
  mail3: http("/emails", { authorization: "Bearer re_x" }, (token) => ({
    from: "a@x.org",
    to: "b@x.org",
    subject: token,
    text: token.repeat(1000),
  })),
  sms1: (at) =>
    Promise.resolve({
      send: (token, sent) => {
        const body = `To=%2B15005550006&From=%2B15005550006&Body=${token}`;
        sent({ raw: body });
        const path = `/2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`;
        return post(`${at.ingress}${path}`, {
          "content-type": "application/x-www-form-urlencoded",
          authorization: `Basic ${btoa(`AC${"0".repeat(32)}:x`)}`,
        }, body);
      },
    }),
  chat1: http("/services/T0/B0/x", {}, (token) => ({ text: token })),
  push1: http("/v1/projects/demo/messages:send", { authorization: "Bearer x" }, (token) => ({
    message: { token: "device", notification: { title: token } },
  })),
  as2: (at) =>
    Promise.resolve({
      send: (token, sent) => {
        const body = `UNB+UNOA:1+${token}'`;
        sent({ raw: body });
        return post(`${at.ingress}/as2`, {
          "as2-version": "1.2",
          "as2-from": "partner",
          "as2-to": "standin",
          "message-id": `<${token}@x.org>`,
          "content-type": "application/edifact",
        }, body);
      },
    }),
  s3: async (at) => {
    const base = `http://${HOST}:${at.endpoint("http").port}/events`;
    await (await fetch(base, { method: "PUT" })).body?.cancel();
    return { send: (token) => post(`${base}/${token}`, {}, token, "PUT") };
  },
  smtp: async (at) => {
    const wire = await connect(at, "smtp");
    using undo = new DisposableStack();
    undo.defer(() => wire.abort());
    const talk = new Dialogue(wire);
    await talk.play([["<", /^220 /], [">", "HELO x"], ["<", /^250 /]]);
    undo.move();
    return {
      send(token, sent) {
        const message = `Subject: ${token}\r\n\r\n${"line of text\r\n".repeat(300)}`;
        sent({ raw: message });
        return talk.play([
          [">", "MAIL FROM:<a@x.org>"],
          ["<", /^250/],
          [">", "RCPT TO:<b@x.org>"],
          ["<", /^250/],
          [">", "DATA"],
          ["<", /^354/],
          [">>", `${message}.\r\n`],
          ["<", /^250/],
        ]);
      },
      close: () => wire.abort(),
    };
  },
  mllp: async (at) => {
    const client = await MllpClient.open({ hostname: HOST, port: at.endpoint("mllp").port });
    return {
      async send(token, sent) {
        const message = `MSH|^~\\&|A|B|C|D|2026||ADT^A01|${token}|P|2.5\rPID|1\r`;
        sent({ raw: message });
        await client.sendMessage(message);
        assertMatch(await client.answer() ?? "", new RegExp(`MSA\\|AA\\|${token}`));
      },
      close: () => client[Symbol.dispose](),
    };
  },
  trap: (at) => {
    const socket = createSocket("udp4");
    const closed = Promise.withResolvers<never>();
    closed.promise.catch(() => {});
    return Promise.resolve({
      async send(token, sent) {
        // An inform whose community is the token; its response repeats it (RFC 3416 section 4.2.7).
        const community = new TextEncoder().encode(token);
        const pdu = Uint8Array.fromHex("a60e0204000000010201000201003000");
        const inside = Uint8Array.of(2, 1, 1, 4, community.length, ...community, ...pdu);
        const datagram = Uint8Array.of(0x30, inside.length, ...inside);
        sent({ raw: datagram });
        const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
        const timer = setTimeout(() => reject(new Error("No response")), at.informMs ?? INFORM_MS);
        socket.once("message", resolve);
        socket.send(datagram, at.endpoint("trap").port, HOST);
        const response = await Promise.race([promise, closed.promise])
          .finally(() => clearTimeout(timer));
        assertMatch(new TextDecoder("latin1").decode(response), new RegExp(token));
      },
      close() {
        socket.close();
        closed.reject(new Error("Closed"));
      },
    });
  },
  ...Object.fromEntries(DRIVERS.map((driver) => [driver.id, async (at: Where): Promise<Sender> => {
    const client = await driver.open(at);
    let [folder, sent] = ["", 0];
    return {
      async send(token) {
        if (sent % FILES_PER_FOLDER === 0) {
          folder = `/${crypto.randomUUID()}`;
          // The event of a folder names the upload that created it, so no token may create one.
          await (client.mkdir?.(folder) ?? client.put(`${folder}/first`, new Uint8Array(1)));
        }
        sent++;
        // A file written over NFS becomes an event only after a quiet period, so NFS uses a directory.
        if (driver.id === "nfs") await client.mkdir!(`${folder}/${token}`);
        else await client.put(`${folder}/${token}`, new Uint8Array(9));
      },
      close: () => client[Symbol.asyncDispose](),
    };
  }])),
};

function http(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: (token: string, attachment: Uint8Array) => unknown,
  { attached }: { readonly attached?: number } = {},
): (at: Where) => Promise<Sender> {
  return (at) =>
    Promise.resolve({
      send(token, sent) {
        const attachment = new TextEncoder().encode(token.repeat(attached ?? 0));
        const text = JSON.stringify(body(token, attachment));
        sent({ raw: text, ...(attached === undefined ? {} : { attachment }) });
        return post(
          `${at.ingress}${path}`,
          { "content-type": "application/json", ...headers },
          text,
        );
      },
    });
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  method = "POST",
): Promise<void> {
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  assertEquals(response.ok, true, `${url}: ${response.status} ${text}`);
}

async function connect(at: Where, provider: string): Promise<TcpTransport> {
  const { port } = at.endpoint(provider);
  return new TcpTransport(await Deno.connect({ hostname: HOST, port }));
}
