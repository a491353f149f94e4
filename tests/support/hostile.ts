/**
 * Peers that speak the wrong protocol, too much, too little or too slowly, for tests of every listener that takes
 * connections.
 *
 * @module
 */
import type { Readiness } from "../../core/api/ready.ts";
import { closeQuietly } from "../../core/net/socket.ts";
import type { TestService } from "./service.ts";

/** Settings under which every listener with a configurable timeout closes after a second. */
export const IMPATIENT = {
  plugins: {
    mail: { providers: { smtp: { read_timeout: 1, write_timeout: 1 } } },
    s3: { providers: { http: { read_header_timeout: 1, read_timeout: 1, idle_timeout: 1 } } },
    hl7: { providers: { mllp: { read_timeout: 1, idle_timeout: 1 } } },
    files: {
      providers: {
        ftp: { idle_timeout: 1, connection_timeout: 1 },
        sftp: { idle_timeout: 1, handshake_timeout: 1 },
        nfs: { idle_timeout: 1 },
      },
    },
  },
};

/** A listener for connections, by its name in `/api/v1/ready`. */
export interface TcpListener {
  readonly name: string;
  readonly port: number;
}

/** Every listener of the service, under one name if two share a port. */
export async function tcpListeners(service: TestService): Promise<readonly TcpListener[]> {
  const { listeners } = await service.getJson<Readiness>("/ready");
  const found = new Map<number, TcpListener>();
  for (const { name, url } of listeners) {
    const { protocol, port } = new URL(url);
    if (protocol === "tftp:" || protocol === "snmp:") continue;
    if (!found.has(Number(port))) found.set(Number(port), { name, port: Number(port) });
  }
  return [...found.values()];
}

/** Bytes of a text of Latin-1 characters. */
export function latin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

const RPC_NULL = "\x80\0\0\x28\0\0\0\x01\0\0\0\0\0\0\0\x02\0\x01\x86\xa3\0\0\0\x03" +
  "\0".repeat(20);

/** First bytes of clients of other protocols (RFC 8446, 9112, 5321, 959, 4253, 5531), and of no client at all. */
export const HOSTILE: Readonly<Record<string, Uint8Array>> = {
  "a TLS handshake": latin1(
    `\x16\x03\x01\0\x2f\x01\0\0\x2b\x03\x03${"r".repeat(32)}\0\0\x02\x13\x01\x01\0\0\0`,
  ),
  "a cut TLS handshake": latin1("\x16\x03\x01\x02\0\x01"),
  "HTTP": latin1("GET /nobody/takes/this HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
  "cut HTTP": latin1("PUT /box/key HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc"),
  "cleartext HTTP/2": latin1("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\xff\x04\0\0\0\0\0xxxx"),
  "SMTP": latin1("EHLO a.example\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\n"),
  "FTP": latin1("USER a\r\nPASS b\r\nPASV\r\nSTOR x\r\n"),
  "SSH": latin1(`SSH-2.0-OpenSSH_9.9\r\n\0\0\0\x0c\x0a\x14${"x".repeat(10)}`),
  "MLLP": latin1("\x0bMSH|^~\\&|a|b|c|d|20260101||ADT^A01|1|P|2.5\r\x1c\r"),
  "cut MLLP": latin1("\x0bMSH|^~\\&|a|b|c|d|20260101||ADT^A01|2|P"),
  "ONC RPC": latin1(RPC_NULL),
  "a cut record": latin1("\x80\0\0\x28\0\0"),
  "one letter": latin1("Q"),
  "all bits": new Uint8Array(70_000).fill(0xff),
  "a line without end": new Uint8Array(300_000).fill(0x41),
  "many empty lines": latin1("\r\n".repeat(20_000)),
};

/** How a connection ended. */
export interface Ending {
  readonly said: string;
  readonly tookMs: number;
  /** It did not end in time. */
  readonly open: boolean;
}

/**
 * Connects, lets `talk` write, and reads until the other side ends. After `limitMs` the connection is closed from
 * here.
 */
export async function untilEnded(port: number, how: Talk): Promise<Ending> {
  return await endOf(await Deno.connect({ hostname: "127.0.0.1", port }), how);
}

/** Bytes to send on a connection, and how long it may last. */
export interface Talk {
  readonly limitMs: number;
  talk(conn: Deno.TcpConn): Promise<void>;
}

/** The same as above, on an open connection. */
export async function endOf(conn: Deno.TcpConn, { limitMs, talk }: Talk): Promise<Ending> {
  const begunMs = performance.now();
  let open = false;
  const timer = setTimeout(() => {
    open = true;
    conn.close();
  }, limitMs);
  const talking = talk(conn).catch(() => {});
  let said = "";
  try {
    const buffer = new Uint8Array(65_536);
    for (let count; (count = await conn.read(buffer)) !== null;) {
      said += String.fromCharCode(...buffer.subarray(0, Math.min(count, 1000)));
    }
  } catch {
    // A reset is an end, too.
  }
  clearTimeout(timer);
  const tookMs = performance.now() - begunMs;
  closeQuietly(conn);
  await talking;
  return { said, tookMs, open };
}

/** Writes all of it, in chunks of at most `step` bytes. */
export async function writeAll(
  conn: Deno.TcpConn,
  bytes: Uint8Array,
  step = Infinity,
): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at, at + step));
}
