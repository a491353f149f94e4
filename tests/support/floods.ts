/**
 * Clients that send as much as a protocol allows, on many connections at once, whatever the response:
 * the load under which the program's memory is measured.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { concat } from "../../core/bytes/concat.ts";
import { XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { compress } from "./as2.ts";
import { type Flood, hold, largest, MB, portOf, Sender } from "./flood.ts";
import { halfRecords, sftpReads, sftpWrites, transfers } from "./floods_files.ts";
import { KEPT_FLOODS } from "./floods_kept.ts";
import { http2Heads, silentStreams, streams } from "./floods_http2.ts";
import { TLS_FLOODS } from "./floods_tls.ts";
import { FILE_SYNC, NfsClient, PROC } from "./nfs.ts";
import { listening } from "./program.ts";

const encoder = new TextEncoder();

/** A request for a mail of `bytes`, valid JSON. */
function mailJson(bytes: number): Uint8Array<ArrayBuffer> {
  const begin = encoder.encode(
    '{"personalizations":[{"to":[{"email":"a@example.org"}]}],"from":{"email":"b@example.org"},' +
      '"subject":"much","content":[{"type":"text/plain","value":"',
  );
  const body = new Uint8Array(bytes).fill(0x61);
  body.set(begin);
  body.set(encoder.encode('"}]}'), bytes - 4);
  return body;
}

const MAIL_HEAD =
  "POST /v3/mail/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer SG.x\r\n" +
  "Content-Type: application/json\r\n";

/** HTTP answered, whatever the status. */
const ANSWERED = /HTTP\/1\.1 \d{3} [^]*?\r\n\r\n/;

/** Complete bodies of the maximum size. */
const bodies: Flood = async (flooded) => {
  const body = mailJson(largest(flooded, 60 * MB));
  const port = await portOf(flooded, "ingress");
  await hold({ connections: 24, port }, flooded, async (sender) => {
    await sender.send(`${MAIL_HEAD}Content-Length: ${body.length}\r\n\r\n`);
    await sender.send(body);
    await sender.until(ANSWERED);
  });
};

/** Short bodies that stop before their end, on many connections. */
const manyBodies: Flood = async (flooded) => {
  const length = 240_000;
  const body = mailJson(length - 1);
  const port = await portOf(flooded, "ingress");
  await hold({ connections: 1500, port }, flooded, async (sender) => {
    await sender.send(`${MAIL_HEAD}Content-Length: ${length}\r\n\r\n`);
    await sender.send(body);
    await sender.until(ANSWERED);
  });
};

/** Bodies without a length that stop before their end. */
const endless: Flood = async (flooded) => {
  const body = mailJson(largest(flooded, 60 * MB));
  const port = await portOf(flooded, "ingress");
  await hold({ connections: 24, port }, flooded, async (sender) => {
    await sender.send(`${MAIL_HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    await sender.send(`${body.length.toString(16)}\r\n`);
    await sender.send(body);
    await sender.until(ANSWERED);
  });
};

/** Twenty concurrent bodies that expand a thousandfold. */
const bombs: Flood = async (flooded) => {
  const bomb = gzipSync(mailJson(largest(flooded, 60 * MB)));
  const port = await portOf(flooded, "ingress");
  await hold({ connections: 20, port }, flooded, async (sender) => {
    await sender.send(
      `${MAIL_HEAD}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
    );
    await sender.send(bomb);
    await sender.until(ANSWERED);
  });
};

/** Bodies of very many tiny values, each of which takes tens of times its bytes. */
const values: Flood = async (flooded) => {
  const wanted = (most: number, bytes: number): number =>
    Math.min(most, Math.floor(largest(flooded, 60 * MB) / bytes));
  const members = Array.from({ length: wanted(250_000, 12) }, (_, at) => `"${at}":""`);
  const requests = [
    `${MAIL_HEAD}${withLength(`{"personalizations":[${"{},".repeat(wanted(800_000, 3))}1]}`)}`,
    "POST /v1/projects/p/messages:send HTTP/1.1\r\nHost: localhost\r\n" +
    "Authorization: Bearer x\r\nContent-Type: application/json\r\n" +
    withLength(`{"message":{"topic":"a","data":{${members.join()}}}}`),
  ];
  const port = await portOf(flooded, "ingress");
  await hold({ connections: 16, port }, flooded, async (sender, number) => {
    await sender.send(requests[number % 2] ?? "");
    await sender.until(ANSWERED);
  });
};

function withLength(body: string): string {
  return `Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** Unfinished heads of the maximum length, on every HTTP listener. */
const heads: Flood = async (flooded) => {
  const head = `GET /x HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"a".repeat(60_000)}`;
  await Promise.all(["ingress", "ui", "http"].map(async (name) => {
    const port = await portOf(flooded, name);
    await hold({ connections: 600, port }, flooded, async (sender) => {
      await sender.send(head);
      await sender.until(ANSWERED);
    });
  }));
};

/** Mails of the maximum size. */
const mails: Flood = async (flooded) => {
  const line = "Your order is on its way and should arrive on Thursday.\r\n";
  const mail = encoder.encode(
    `Subject: much\r\n\r\n${line.repeat(Math.floor(largest(flooded, 26 * MB) / line.length))}.\r\n`,
  );
  const port = await portOf(flooded, "smtp");
  await hold({ connections: 40, port }, flooded, async (sender) => {
    await sender.until(/220 .*\r\n/);
    await sender.send("EHLO x\r\n");
    await sender.until(/250 .*\r\n/);
    for (;;) {
      await sender.send("MAIL FROM:<a@example.org>\r\n");
      await sender.until(/^\d{3} .*\r\n/m);
      await sender.send("RCPT TO:<b@example.org>\r\n");
      await sender.until(/^\d{3} .*\r\n/m);
      await sender.send("DATA\r\n");
      await sender.until(/^354 .*\r\n/m);
      await sender.send(mail);
      await sender.until(/^\d{3} .*\r\n/m);
    }
  });
};

/** Mails to as many addresses as fit. */
const addresses: Flood = async (flooded) => {
  const line = ` ${"a@b,".repeat(220)}\r\n`;
  const lines = Math.floor(largest(flooded, 3 * MB) / line.length);
  const mail = encoder.encode(`Subject: much\r\nCc: x@y,\r\n${line.repeat(lines)}\r\n.\r\n`);
  const port = await portOf(flooded, "smtp");
  await hold({ connections: 30, port }, flooded, async (sender) => {
    await sender.until(/220 .*\r\n/);
    await sender.send("EHLO x\r\n");
    await sender.until(/250 .*\r\n/);
    for (;;) {
      await sender.send("MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n");
      await sender.until(/^354 .*\r\n/m);
      await sender.send(mail);
      await sender.until(/^\d{3} .*\r\n/m);
    }
  });
};

/** Sends mails of one size over eight connections, all of which must be accepted. */
export async function sendMails(
  port: number,
  { bytes, count }: { bytes: number; count: number },
): Promise<void> {
  const line = "Your order is on its way and should arrive on Thursday.\r\n";
  const mail = encoder.encode(
    `Subject: hello\r\n\r\n${line.repeat(Math.ceil(bytes / line.length))}.\r\n`,
  );
  let left = count;
  await Promise.all(Array.from({ length: 8 }, async () => {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    using sender = new Sender(conn, { reads: true, ms: 120_000 });
    await sender.until(/220 .*\r\n/);
    await sender.send("EHLO x\r\n");
    await sender.until(/250 .*\r\n/);
    while (left-- > 0) {
      await sender.send("MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n");
      await sender.until(/354 .*\r\n/);
      await sender.send(mail);
      await sender.until(/250 .*captured.*\r\n/);
    }
  }));
}

/** Commands in one go, whose replies are read. */
const commands: Flood = async (flooded) => {
  const noops = "NOOP\r\n".repeat(20_000);
  const port = await portOf(flooded, "smtp");
  await hold({ connections: 250, port }, flooded, async (sender) => {
    for (;;) await sender.send(noops);
  });
};

/** Mails in chunks (RFC 3030) that never reach the last one. */
const chunks: Flood = async (flooded) => {
  // Some of them fit into one mail.
  const chunk = new Uint8Array(Math.floor(largest(flooded, 26 * MB) / 4)).fill(0x61);
  const port = await portOf(flooded, "smtp");
  await hold({ connections: 40, port }, flooded, async (sender) => {
    await sender.until(/220 .*\r\n/);
    await sender.send("EHLO x\r\n");
    await sender.until(/250 .*\r\n/);
    for (;;) {
      await sender.send("RSET\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\n");
      for (let replies = 0; replies < 3; replies++) await sender.until(/^\d{3} .*\r\n/m);
      for (let reply = "2"; reply.startsWith("2");) {
        await sender.send(`BDAT ${chunk.length}\r\n`);
        await sender.send(chunk);
        reply = await sender.until(/^\d{3} .*\r\n/m);
      }
    }
  });
};

/** End of every MLLP response. */
const MLLP_END = new RegExp(`${String.fromCharCode(0x1c)}\r`);

/** HL7 messages of the maximum size; every other one never ends. */
const frames: Flood = async (flooded) => {
  const segment = `OBX|1|TX|||${"a".repeat(100)}\r`;
  const message = encoder.encode(
    "\x0bMSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5\r" +
      segment.repeat(Math.floor(largest(flooded, 10 * MB) / segment.length)),
  );
  const port = await portOf(flooded, "mllp");
  await hold({ connections: 100, port }, flooded, async (sender, number) => {
    await sender.send(message);
    if (number % 2 === 0) await sender.send("\x1c\r");
    await sender.until(MLLP_END);
  });
};

/** Uncommitted NFS writes, far apart in files that are never closed. */
const records: Flood = async (flooded) => {
  const service = await listening(flooded.program);
  const endMs = performance.now() + flooded.ms;
  const bytes = new Uint8Array(1024 * 1024);
  await Promise.all(Array.from({ length: 30 }, async (_, number) => {
    try {
      await using client = await NfsClient.open(service);
      const timer = setTimeout(() => client.abort(), flooded.ms);
      const file = await client.create(await client.mount(), `file${number}`);
      for (let at = 0; performance.now() < endMs; at += bytes.length) {
        const args = new XdrWriter(bytes.length + 128).opaque(file).u64(at).u32(bytes.length)
          .u32(number % 2 === 0 ? FILE_SYNC : 0).opaque(bytes);
        await Promise.race([
          client.raw({ program: 100_003, procedure: PROC.WRITE }, args.take()),
          client.ended,
        ]);
      }
      clearTimeout(timer);
    } catch {
      // Refused, as intended.
    }
  }));
};

/** Files over FTP. */
const uploads: Flood = async (flooded) => {
  const bytes = new Uint8Array(MB);
  const port = await portOf(flooded, "ftp");
  await hold({ connections: 30, port }, flooded, async (sender, number) => {
    await sender.until(/220 .*\r\n/);
    await sender.send("USER a\r\n");
    await sender.until(/331 .*\r\n/);
    await sender.send("PASS b\r\n");
    await sender.until(/230 .*\r\n/);
    await sender.send("EPSV\r\n");
    const [, data] = /\|\|\|(\d+)\|/.exec(await sender.until(/229 .*\r\n/)) ?? [];
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: Number(data) });
    using file = new Sender(conn, { reads: true, ms: flooded.ms });
    await sender.send(`STOR file${number}\r\n`);
    for (;;) await file.send(bytes);
  });
};

/** S3 uploads that stop before their end. */
const objects: Flood = async (flooded) => {
  const bytes = new Uint8Array(MB);
  // The largest size that is accepted: half of the memory is for stored data.
  const megabytes = Math.floor(Math.min(flooded.limitBytes / 2, 60 * MB) / MB);
  const port = await portOf(flooded, "http");
  await (await fetch(`http://127.0.0.1:${port}/box`, { method: "PUT" })).body?.cancel();
  await hold({ connections: 40, port }, flooded, async (sender, number) => {
    await sender.send(
      `PUT /box/object${number} HTTP/1.1\r\nHost: localhost\r\n` +
        `Content-Length: ${megabytes * MB + 1}\r\n\r\n`,
    );
    for (let sent = 0; sent < megabytes; sent++) await sender.send(bytes);
    await sender.until(ANSWERED);
  });
};

/** Messages of AS2. */
const partners: Flood = async (flooded) => {
  const body = new Uint8Array(largest(flooded, 60 * MB)).fill(0x61);
  const port = await portOf(flooded, "ingress");
  await hold({ connections: 24, port }, flooded, async (sender) => {
    await sender.send(
      "POST /as2 HTTP/1.1\r\nHost: localhost\r\nAS2-From: a\r\nAS2-To: b\r\nAS2-Version: 1.2\r\n" +
        "Message-ID: <1@a>\r\nContent-Type: application/edi-x12\r\n" +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    await sender.send(body);
    await sender.until(ANSWERED);
  });
};

/** Small AS2 messages that unpack to large ones. */
const packed: Flood = async (flooded) => {
  const text = new Uint8Array(largest(flooded, 60 * MB)).fill(0x61);
  text.set(encoder.encode("Content-Type: text/plain\r\n\r\n"));
  const { type, body } = compress(text);
  const port = await portOf(flooded, "ingress");
  await hold({ connections: 24, port }, flooded, async (sender) => {
    await sender.send(
      "POST /as2 HTTP/1.1\r\nHost: localhost\r\nAS2-From: a\r\nAS2-To: b\r\nAS2-Version: 1.2\r\n" +
        `Message-ID: <1@a>\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await sender.send(body);
    await sender.until(ANSWERED);
  });
};

/** Datagrams. */
const datagrams: Flood = async (flooded) => {
  const port = await portOf(flooded, "trap");
  const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
  const endMs = performance.now() + flooded.ms;
  const bytes = new Uint8Array(60_000).fill(0x30);
  while (performance.now() < endMs) {
    await socket.send(bytes, { transport: "udp", hostname: "127.0.0.1", port });
  }
  socket.close();
};

/** Informs of the maximum datagram size, all of which are answered. */
const informs: Flood = async (flooded) => {
  const port = await portOf(flooded, "trap");
  const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
  const endMs = performance.now() + flooded.ms;
  const bytes = encodeInform(60_000);
  while (performance.now() < endMs) {
    await socket.send(bytes, { transport: "udp", hostname: "127.0.0.1", port });
  }
  socket.close();
};

/** Informs of the maximum datagram size with as many bindings as fit. */
const bindings: Flood = async (flooded) => {
  const port = await portOf(flooded, "trap");
  const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
  const endMs = performance.now() + flooded.ms;
  const one = Uint8Array.of(0x30, 5, 0x06, 1, 0x2b, 0x05, 0);
  const bytes = encodeNotification(concat(Array(9000).fill(one)));
  while (performance.now() < endMs) {
    await socket.send(bytes, { transport: "udp", hostname: "127.0.0.1", port });
  }
  socket.close();
};

/** A version 2c inform with one value of this many bytes: RFC 3416 section 4.2.7, in BER. */
function encodeInform(bytes: number): Uint8Array {
  const value = ber(0x04, new Uint8Array(bytes).fill(0x61));
  return encodeNotification(ber(0x30, Uint8Array.of(0x06, 3, 0x2b, 6, 1), value));
}

/** A version 2c inform with these bindings. */
function encodeNotification(bindings: Uint8Array): Uint8Array {
  const numbers = Uint8Array.of(0x02, 1, 1, 0x02, 1, 0, 0x02, 1, 0);
  const version = Uint8Array.of(0x02, 1, 1);
  return ber(
    0x30,
    version,
    ber(0x04, encoder.encode("public")),
    ber(0xa6, numbers, ber(0x30, bindings)),
  );
}

function ber(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = concat(contents);
  return concat([Uint8Array.of(tag, 0x82, content.length >>> 8, content.length & 0xff), content]);
}

/** Lists of large events, with clients that read nothing. */
const lists: Flood = async (flooded) => {
  const { urls } = flooded.program;
  const body = mailJson(5 * MB);
  for (let sent = 0; sent < 20; sent++) {
    const response = await fetch(`${urls.ingress}/v3/mail/send`, {
      method: "POST",
      headers: { authorization: "Bearer SG.x", "content-type": "application/json" },
      body,
    });
    await response.body?.cancel();
  }
  const port = await portOf(flooded, "ui");
  await hold({ connections: 24, port, reads: false }, flooded, async (sender) => {
    await sender.send("GET /api/v1/mail/messages HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, flooded.ms));
  });
};

/** Floods by name of their target. */
export const FLOODS: Readonly<Record<string, Flood>> = {
  bodies,
  "many bodies": manyBodies,
  endless,
  bombs,
  "tiny values": values,
  heads,
  mails,
  addresses,
  frames,
  records,
  "half records": halfRecords,
  uploads,
  objects,
  partners,
  packed,
  datagrams,
  lists,
  streams,
  "silent streams": silentStreams,
  "HTTP/2 heads": http2Heads,
  commands,
  chunks,
  "SFTP writes": sftpWrites,
  "unread SFTP reads": sftpReads,
  "TFTP writes": transfers,
  informs,
  "SNMP bindings": bindings,
  ...TLS_FLOODS,
  ...KEPT_FLOODS,
};
