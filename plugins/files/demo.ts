/** Files that machines upload overnight, over four protocols. */
import { Buffer } from "node:buffer";
// @ts-types="./ssh2_client.d.ts"
import { Client, type SftpWrapper } from "ssh2";
import { settingOr } from "../../core/demo.ts";
import { LOGO_PNG, pdfOf } from "../../core/demo_files.ts";
import type { Transport } from "../../core/net/transport.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";
import { uploadByNfs } from "./demo_nfs.ts";
import { closeCiphers } from "./sftp/library.ts";
import { decodePacket, encodePacket, type Packet } from "./tftp/codec/packet.ts";

const WAIT_MS = 10_000;
/** TFTP opcodes (RFC 1350 section 2). */
const BLOCK_BYTES = 512;
const FTP_DIR = "exports";
const SFTP_DIR = "/invoices";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const ORDERS = [
  "order;date;customer;total",
  "2026-0417;2026-04-01;Ada Lovelace;24.90",
  "2026-0418;2026-04-01;Mary Somerville;51.20",
  "2026-0419;2026-04-02;Jürgen Müller;12.00",
  "",
].join("\r\n");
const RUNNING_CONFIG = [
  "hostname edge-1",
  "!",
  "interface GigabitEthernet0/2",
  " description Uplink to Zürich",
  "!",
  "end",
  "",
]
  .join("\n").padEnd(3 * BLOCK_BYTES, "! standby\n");

const DUMP = `-- shop, version 4.2.0
CREATE TABLE orders (number TEXT PRIMARY KEY, customer TEXT NOT NULL, total NUMERIC(8, 2));
INSERT INTO orders VALUES ('2026-0417', 'Ada Lovelace', 24.90);
`;

/** Uploads into folders of the shared tree. */
export const SAMPLES: readonly DemoSample[] = [
  {
    provider: "ftp",
    what: `A CSV file of orders and a picture, into /${FTP_DIR}`,
    send: (to) => uploadByFtp(to, { "orders.csv": encoder.encode(ORDERS), "logo.png": LOGO_PNG }),
  },
  {
    provider: "sftp",
    what: `Two invoices, into ${SFTP_DIR}`,
    send: (to) =>
      uploadBySftp(to, {
        "2026-0417.pdf": pdfOf(["Lovelace Books", "Invoice 2026-0417", "Total: 24.90 EUR"]),
        "2026-0418.pdf": pdfOf(["Lovelace Books", "Invoice 2026-0418", "Total: 51.20 EUR"]),
      }),
  },
  {
    provider: "tftp",
    what: "A router configuration, as /edge-1.cfg",
    send: (to) => uploadByTftp(to, "edge-1.cfg", encoder.encode(RUNNING_CONFIG)),
  },
  {
    provider: "nfs",
    what: "A database dump, into /backups",
    send: (to) =>
      uploadByNfs(to, { folder: "backups", name: "shop.sql", bytes: encoder.encode(DUMP) }),
  },
];

/** FTP in binary and extended passive mode (RFC 959, RFC 2428). */
async function uploadByFtp(
  to: DemoTarget,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  const { at, net } = to;
  await using control = new FtpControl(await net.connectTcp({ ...at, idleMs: WAIT_MS }));
  await control.expect(/^220/);
  const greeting = await control.ask(
    `USER ${settingOr(to, "username", "night-export")}`,
    /^(230|331)/,
  );
  if (greeting.startsWith("331")) {
    await control.ask(`PASS ${settingOr(to, "password", "secret")}`, /^230/);
  }
  await control.ask("TYPE I", /^200/);
  // 550: it exists from an earlier run.
  await control.ask(`MKD ${FTP_DIR}`, /^(257|550)/);
  await control.ask(`CWD ${FTP_DIR}`, /^250/);
  for (const [name, bytes] of Object.entries(files)) {
    const passive = await control.ask("EPSV", /^229/);
    const port = Number(/\|\|\|(\d+)\|/.exec(passive)?.[1]);
    const data = await net.connectTcp({ hostname: at.hostname, port, idleMs: WAIT_MS });
    await control.ask(`STOR ${name}`, /^1/);
    await data.write(bytes);
    await data[Symbol.asyncDispose]();
    await control.expect(/^226/);
  }
  await control.ask("QUIT", /^221/);
}

class FtpControl implements AsyncDisposable {
  readonly #wire: Transport;
  #unread = "";

  constructor(wire: Transport) {
    this.#wire = wire;
  }

  async ask(command: string, wanted: RegExp): Promise<string> {
    await this.#wire.write(encoder.encode(`${command}\r\n`));
    return await this.expect(wanted, command);
  }

  /** Returns the last line of the next reply, which must have the expected code. */
  async expect(wanted: RegExp, command = "the connection"): Promise<string> {
    for (;;) {
      const end = this.#unread.indexOf("\r\n");
      if (end < 0) {
        const chunk = await this.#wire.read({ idleMs: WAIT_MS });
        if (chunk === undefined) throw new Error(`it closed after ${command}`);
        this.#unread += decoder.decode(chunk);
        continue;
      }
      const line = this.#unread.slice(0, end);
      this.#unread = this.#unread.slice(end + 2);
      if (!/^\d{3} /.test(line)) continue;
      if (wanted.test(line)) return line;
      throw new Error(`it answered "${line}" to ${command.replace(/^(PASS) .*/, "$1")}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire[Symbol.asyncDispose]();
  }
}

async function uploadBySftp(
  to: DemoTarget,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  const client = new Client();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  client.on("error", reject);
  const closed = new Promise<void>((resolve) => client.on("close", resolve));
  const ready = new Promise<void>((resolve) => client.on("ready", resolve));
  client.connect({
    host: to.at.hostname,
    port: to.at.port,
    username: settingOr(to, "username", "billing"),
    password: settingOr(to, "password", "secret"),
    readyTimeout: WAIT_MS,
    algorithms: { cipher: ["aes128-ctr"] },
  });
  try {
    await Promise.race([failed, putAll(client, { ready, files })]);
    client.end();
    await Promise.race([failed, closed]);
  } finally {
    client.end();
    closeCiphers(client);
  }
}

async function putAll(
  client: Client,
  { ready, files }: { ready: Promise<void>; files: Readonly<Record<string, Uint8Array>> },
): Promise<void> {
  await ready;
  const sftp = await new Promise<SftpWrapper>((resolve, reject) =>
    client.sftp((error, opened) => error ? reject(error) : resolve(opened))
  );
  // It may exist from an earlier run.
  await new Promise<void>((resolve) => sftp.mkdir(SFTP_DIR, () => resolve()));
  for (const [name, bytes] of Object.entries(files)) {
    await new Promise<void>((resolve, reject) =>
      sftp.writeFile(
        `${SFTP_DIR}/${name}`,
        Buffer.from(bytes),
        (error) => error ? reject(error) : resolve(),
      )
    );
  }
}

/** Sends a write request and its blocks, one after the other (RFC 1350 section 2). */
async function uploadByTftp(
  { at, net }: DemoTarget,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  await using socket = await net.openUdp({
    hostname: at.hostname.includes(":") ? "::" : "0.0.0.0",
  });
  const exchange = async (packet: Packet, peer: string): Promise<string> => {
    await socket.send(encodePacket(packet), peer);
    const timer = setTimeout(() => void socket[Symbol.asyncDispose](), WAIT_MS);
    const datagram = await socket.receive();
    clearTimeout(timer);
    if (datagram === undefined) throw new Error("it did not answer in time");
    const answer = decodePacket(datagram.bytes);
    if (answer.type === "ERROR") {
      throw new Error(`it answered error ${answer.code}: ${answer.message}`);
    }
    return datagram.peer;
  };
  const host = at.hostname.includes(":") ? `[${at.hostname}]` : at.hostname;
  let peer = await exchange(
    { type: "WRQ", file: encoder.encode(name), mode: "octet", options: new Map() },
    `${host}:${at.port}`,
  );
  // A block that is not full ends the transfer, so the last one may be empty.
  for (let block = 1; block <= Math.floor(bytes.length / BLOCK_BYTES) + 1; block++) {
    const from = (block - 1) * BLOCK_BYTES;
    peer = await exchange(
      { type: "DATA", block, bytes: bytes.subarray(from, from + BLOCK_BYTES) },
      peer,
    );
  }
}
