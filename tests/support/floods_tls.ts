/**
 * Floods over TLS, most of which the program can neither answer nor read.
 *
 * @module
 */
import { clientHello } from "./client_hello.ts";
import { closeQuietly, writeAll } from "../../core/net/socket.ts";
import { type Flood, type Flooded, hold, MB, portOf } from "./flood.ts";
import { FtpClient } from "./ftp.ts";
import { listening } from "./program.ts";

const HEAD = "POST /v3/mail/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer SG.x\r\n" +
  "Content-Type: application/json\r\n";
const encoder = new TextEncoder();
const ANSWERED = /HTTP\/1\.1 \d{3} [^]*?\r\n\r\n/;

async function caOf({ program }: Flooded): Promise<string[]> {
  return [await (await fetch(`${program.urls.api}/api/v1/tls/ca.pem`)).text()];
}

/** Short bodies that stop before their end. */
const bodies: Flood = async (flooded) => {
  const length = 240_000;
  const body = new Uint8Array(length - 1).fill(0x61);
  const where = { port: await portOf(flooded, "ingress"), caCerts: await caOf(flooded) };
  await hold({ connections: 400, ...where }, flooded, async (sender) => {
    await sender.send(`${HEAD}Content-Length: ${length}\r\n\r\n`);
    await sender.send(body);
    await sender.until(ANSWERED);
  });
};

/** Bytes after a request that is answered later. */
const after: Flood = async (flooded) => {
  const response = await fetch(`${flooded.program.urls.api}/api/v1/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ on: "mail2", delay: "30s", ttl: `${flooded.ms}ms` }),
  });
  await response.body?.cancel();
  const bytes = new Uint8Array(MB).fill(0x61);
  const mail = JSON.stringify({
    personalizations: [{ to: [{ email: "a@example.org" }] }],
    from: { email: "b@example.org" },
    subject: "x",
    content: [{ type: "text/plain", value: "x" }],
  });
  const where = { port: await portOf(flooded, "ingress"), caCerts: await caOf(flooded) };
  await hold({ connections: 8, ...where }, flooded, async (sender) => {
    await sender.send(`${HEAD}Content-Length: ${mail.length}\r\n\r\n${mail}`);
    for (;;) await sender.send(bytes);
  });
};

/** Clients that leave within their ClientHello, or send one that is refused, one after the other; others stay. */
const handshakes: Flood = async (flooded) => {
  const port = await portOf(flooded, "ingress");
  const hello = clientHello({ serverName: "localhost" });
  const begin = async (bytes = hello.subarray(0, 20)): Promise<Deno.Conn> => {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    await conn.write(bytes);
    return conn;
  };
  await Promise.all(Array.from({ length: 50 }, async () => {
    for (let i = 0; i < 80; i++) {
      try {
        const conn = await begin(i % 4 === 0 ? hello : undefined);
        await new Promise((resolve) => setTimeout(resolve, 5));
        conn.close();
      } catch {
        // Refused.
      }
    }
  }));
  const staying = await Promise.allSettled(Array.from({ length: 1500 }, () => begin()));
  await new Promise((resolve) => setTimeout(resolve, flooded.ms));
  for (const conn of staying) if (conn.status === "fulfilled") closeQuietly(conn.value);
};

/** Connections that are upgraded at once. */
const UPGRADED = 250;
/** Long replies; a mail server takes no more commands without a mail. */
const HELLOS = "EHLO x\r\n".repeat(9000);
/** Time for a reply in the clear, in milliseconds. */
const REPLY_MS = 5000;

/** Says these lines in the clear, waits for the reply to each, and starts TLS. Closes the connection if it cannot. */
async function upgrade(
  conn: Deno.TcpConn,
  { lines, caCerts }: { lines: readonly string[]; caCerts: string[] },
): Promise<Deno.Conn> {
  const timer = setTimeout(() => closeQuietly(conn), REPLY_MS);
  try {
    const buffer = new Uint8Array(4096);
    for (const line of lines) {
      await writeAll(conn, encoder.encode(line));
      if (await conn.read(buffer) === null) throw new Error("The other side ended");
    }
    const secure = await Deno.startTls(conn, { hostname: "localhost", caCerts });
    await secure.handshake();
    return secure;
  } catch (error) {
    closeQuietly(conn);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Commands in one go within TLS, which starts after `lines`, if any. Their replies are never read. */
function unreadReplies(
  provider: string,
  { lines, commands }: { lines?: readonly string[]; commands: string },
): Flood {
  return async (flooded) => {
    const caCerts = await caOf(flooded);
    const where = {
      port: await portOf(flooded, provider),
      ...(lines === undefined
        ? { caCerts }
        : { upgrade: (conn: Deno.TcpConn) => upgrade(conn, { lines, caCerts }) }),
    };
    const bytes = encoder.encode(commands);
    await hold({ connections: UPGRADED, reads: false, ...where }, flooded, async (sender) => {
      await sender.send(bytes);
      await new Promise((resolve) => setTimeout(resolve, flooded.ms));
    });
  };
}

/** Longer than everything that lies between the program and a client that does not read. */
const FILE_BYTES = 15 * MB;
/** Fewer than `UPGRADED`, so that there is memory left for the data. */
const DOWNLOADS = 200;

/** Downloads over private data connections, which are never read. */
const privateFiles: Flood = async (flooded) => {
  const caCerts = await caOf(flooded);
  {
    await using client = await FtpClient.open(await listening(flooded.program));
    const reply = await client.put("STOR large", new Uint8Array(FILE_BYTES));
    if (!reply.startsWith("226 ")) throw new Error(`Cannot store the file: ${reply}`);
  }
  const where = {
    port: await portOf(flooded, "ftp"),
    upgrade: (conn: Deno.TcpConn) => upgrade(conn, { lines: ["", "AUTH TLS\r\n"], caCerts }),
  };
  let begun = 0;
  await hold({ connections: DOWNLOADS, ...where }, flooded, async (sender) => {
    const ask = async (command: string, reply: RegExp): Promise<string> => {
      await sender.send(`${command}\r\n`);
      return await sender.until(reply);
    };
    await ask("USER ada", /331 .*\r\n/);
    await ask("PASS x", /230 .*\r\n/);
    await ask("PBSZ 0", /200 .*\r\n/);
    await ask("PROT P", /200 .*\r\n/);
    const port = Number(/\|(\d+)\|/.exec(await ask("EPSV", /229 .*\r\n/))?.[1]);
    using data = await Deno.connectTls({ hostname: "localhost", port, caCerts });
    await ask("RETR large", /150 .*\r\n/);
    data.handshake().then(() => begun++, () => {});
    await sender.until(/\d{3} .*\r\n/);
  });
  if (begun === 0) throw new Error("No download began");
};

/** Floods over TLS, by name. */
export const TLS_FLOODS: Readonly<Record<string, Flood>> = {
  "TLS handshakes": handshakes,
  "TLS bodies": bodies,
  "bytes after a request over TLS": after,
  "replies over STARTTLS": unreadReplies("smtp", {
    lines: ["", "EHLO x\r\n", "STARTTLS\r\n"],
    commands: HELLOS,
  }),
  "replies over SMTP's TLS port": unreadReplies("smtps", { commands: HELLOS }),
  "replies over AUTH TLS": unreadReplies("ftp", {
    lines: ["", "AUTH TLS\r\n"],
    // Almost as long as a command may be.
    commands: `USER ${"x".repeat(4000)}\r\n`.repeat(300),
  }),
  "files over private data connections": privateFiles,
};
