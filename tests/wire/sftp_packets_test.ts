/** Packets of SSH clients, and how their connections end. */
import { assertEquals, assertMatch } from "@std/assert";
import { ByteWriter } from "../../core/bytes/writer.ts";
import { noise, operations, startFiles, until } from "../support/files.ts";
import { sftpDriver } from "../support/drivers/sftp.ts";
import { payload, RawSsh, SSH } from "../support/raw_ssh.ts";
import type { TestService } from "../support/service.ts";

const hostname = "127.0.0.1";
const portOf = (service: TestService): number => service.endpoint("sftp").port;
const reasons = (service: TestService): readonly string[] =>
  service.rejected.list({}).map(({ reason }) => reason);

/** An SFTP request as channel data. */
function request(session: number, write: (writer: ByteWriter) => ByteWriter): Uint8Array {
  return payload(SSH.channelData, session, framed(write(new ByteWriter())));
}

function framed(writer: ByteWriter): Uint8Array {
  return new ByteWriter().block(writer.take()).take();
}

Deno.test("a forbidden message ends its connection with a reason, and is recorded", async () => {
  await using service = await startFiles();
  const wrong: readonly (readonly [string, (session: number) => Uint8Array])[] = [
    [
      "Cannot widen a window beyond 4294967295 bytes",
      (session) => payload(SSH.channelWindowAdjust, session, 2 ** 32 - 1),
    ],
    ["Cannot find channel 99 of SSH message 96", () => payload(SSH.channelEof, 99)],
    [
      "Cannot accept 32769 bytes in a packet: 32768 were announced",
      (session) => payload(SSH.channelData, session, new Uint8Array(32_769)),
    ],
    [
      "Cannot read SSH message 98: Cannot read a block of 4294967295 bytes: at most 256 allowed",
      (session) => payload(SSH.channelRequest, session, 2 ** 32 - 1),
    ],
  ];
  for (const [reason, make] of wrong) {
    await using client = await RawSsh.open(portOf(service));
    const session = await client.openSession();
    await client.startSftp(session);
    client.send(make(session));
    assertEquals(await client.farewell(), [2, reason]);
    await client.closed;
    await until(() => reasons(service)[0] === reason);
  }
  assertEquals(reasons(service).length, wrong.length);
});

Deno.test("a message that the library cannot read after the login is recorded", async () => {
  await using service = await startFiles();
  await using client = await RawSsh.open(portOf(service));
  client.send(payload(SSH.disconnect));
  await client.closed;
  await until(() => reasons(service).length === 1);
  assertEquals(reasons(service), ["Inbound: Malformed DISCONNECT packet"]);
});

Deno.test("channels must be sessions, ten at most, with a usable packet size", async () => {
  await using service = await startFiles();
  await using client = await RawSsh.open(portOf(service));
  const refusal = async (type: string, packet: number) => {
    client.send(payload(SSH.channelOpen, type, 5, 2 ** 21, packet));
    const answer = await client.next();
    assertEquals(answer?.[0], SSH.channelOpenFailure);
    return new TextDecoder().decode(answer?.subarray(13, -4));
  };
  assertEquals(
    await refusal("session", 0),
    "Cannot send in packets of 0 bytes: expected at least 256 bytes",
  );
  assertEquals(
    await refusal("direct-tcpip", 32_768),
    'Cannot open a channel "direct-tcpip": only "session"',
  );
  const sessions: number[] = [];
  for (let i = 0; i < 10; i++) sessions.push(await client.openSession());
  assertEquals(await refusal("session", 32_768), "Cannot open more than 10 channels");
  client.send(payload(SSH.channelClose, sessions[3]!));
  await client.openSession();
  assertEquals(reasons(service).length, 3);
});

Deno.test("a connection records its refusals up to a limit", async () => {
  await using service = await startFiles();
  await using client = await RawSsh.open(portOf(service));
  for (let i = 0; i < 50; i++) client.send(payload(SSH.channelOpen, "x11", i, 1, 32_768));
  for (let i = 0; i < 50; i++) assertEquals((await client.next())?.[0], SSH.channelOpenFailure);
  assertEquals(reasons(service).length, 20);
  assertMatch(reasons(service)[0]!, /; further faults of this connection are not recorded$/);
});

Deno.test("a window granted before anything runs counts", async () => {
  await using service = await startFiles();
  await using client = await RawSsh.open(portOf(service));
  const session = await client.openSession({ window: 0 });
  client.send(payload(SSH.channelWindowAdjust, session, 100_000));
  await client.startSftp(session);
  client.send(request(session, (writer) => writer.u8(1).u32(3)));
  assertEquals((await client.next())?.[0], SSH.channelData);
});

Deno.test("a second request about a session is refused", async () => {
  await using service = await startFiles();
  await using client = await RawSsh.open(portOf(service));
  const session = await client.openSession();
  await client.startSftp(session);
  client.send(payload(SSH.channelRequest, session, "env", true, "A", "b"));
  assertEquals((await client.next())?.[0], SSH.channelFailure);
});

Deno.test("a client that hangs up frees its slot", async () => {
  await using service = await startFiles({ sftp: { max_connections: 2 } });
  for (let i = 0; i < 6; i++) {
    await until(async () => {
      const client = await RawSsh.open(portOf(service)).catch(() => undefined);
      await client?.hangUp();
      return client !== undefined;
    });
  }
});

Deno.test("channels closed with unread answers free their slots", async () => {
  await using service = await startFiles({ sftp: { max_connections: 1 } });
  {
    await using filler = await sftpDriver.open(service);
    await filler.put("/big", noise(300_000));
  }
  for (let i = 0; i < 3; i++) {
    let client: RawSsh | undefined;
    await until(async () => {
      client = await RawSsh.open(portOf(service)).catch(() => undefined);
      return client !== undefined;
    });
    await using open = client!;
    const sessions = [
      await open.openSession({ window: 100 }),
      await open.openSession({ window: 100 }),
    ];
    for (const session of sessions) {
      await open.startSftp(session);
      open.send(request(session, (writer) => writer.u8(1).u32(3)));
      const path = new TextEncoder().encode("/big");
      open.send(request(session, (writer) => writer.u8(3).u32(1).block(path).u32(1).u32(0)));
      for (let read = 0; read < 20; read++) {
        const handle = new TextEncoder().encode("1");
        open.send(request(
          session,
          (writer) => writer.u8(5).u32(2).block(handle).u32(0).u32(0).u32(200_000),
        ));
      }
    }
    for (const session of sessions) open.send(payload(SSH.channelClose, session));
  }
});

Deno.test("requests sent before a client hung up are carried out", async () => {
  await using service = await startFiles();
  await using client = await RawSsh.open(portOf(service));
  const session = await client.openSession();
  await client.startSftp(session);
  const [path, handle] = ["/a", "1"].map((text) => new TextEncoder().encode(text));
  const requests = [
    new ByteWriter().u8(1).u32(3),
    new ByteWriter().u8(3).u32(1).block(path!).u32(0x1a).u32(0),
    new ByteWriter().u8(6).u32(2).block(handle!).u32(0).u32(0).block(noise(3)),
    new ByteWriter().u8(4).u32(3).block(handle!),
  ];
  const whole = new ByteWriter();
  for (const writer of requests) whole.bytes(framed(writer));
  client.send(payload(SSH.channelData, session, whole.take()));
  client.send(payload(SSH.channelClose, session));
  await client.hangUp();
  await until(() => operations(service).length === 1);
  assertEquals(operations(service), ["upload /a"]);
});

Deno.test("a key exchange may be interspersed with messages to ignore", async () => {
  await using service = await startFiles();
  await using client = await RawSsh.open(portOf(service));
  const session = await client.openSession();
  await client.startSftp(session);
  const exchanged = client.rekey();
  client.send(payload(SSH.ignore, "noise"));
  client.send(payload(SSH.debug, false, "text", ""));
  await exchanged;
  client.send(request(session, (writer) => writer.u8(1).u32(3)));
  assertEquals((await client.next())?.[0], SSH.channelData);
  assertEquals(reasons(service), []);
});

Deno.test("an unfinished key exchange ends the connection", async () => {
  await using service = await startFiles({ sftp: { handshake_timeout: 1 } });
  await using client = await RawSsh.open(portOf(service), { kex: ["ecdh-sha2-nistp256"] });
  // It would answer the server's own KEXINIT.
  client.stopReading();
  client.send(new Uint8Array([20, ...new Uint8Array(16), ...kexLists()]));
  await until(() => reasons(service).length === 1);
  assertEquals(reasons(service), ["Keys were not exchanged in time"]);
});

/** The name lists of an acceptable KEXINIT. */
function kexLists(): Uint8Array {
  const lists = [
    ...["ecdh-sha2-nistp256", "ssh-ed25519", "aes128-ctr", "aes128-ctr"],
    ...["hmac-sha2-256", "hmac-sha2-256", "none", "none", "", ""],
  ];
  return payload(0, ...lists, false, 0).subarray(1);
}

/** Sends bytes and returns everything that comes back. */
async function say(service: TestService, ...pieces: readonly string[]): Promise<string> {
  const conn = await Deno.connect({ hostname, port: portOf(service) });
  conn.setNoDelay(true);
  for (const piece of pieces) {
    await conn.write(new TextEncoder().encode(piece));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await conn.closeWrite();
  return await new Response(conn.readable).text().catch(() => "");
}

Deno.test("the identification line may arrive in any pieces, and is refused when invalid", async () => {
  await using service = await startFiles();
  assertMatch(await say(service, "SS", "H-2", ".0-", "scan", "\r", "\n"), /diffie-hellman/);
  assertEquals(reasons(service), []);
  const wrong: readonly (readonly [string, RegExp])[] = [
    ["SSH-1.5-old\r\n", /^Expected an identification line of SSH version 2, got "SSH-1.5-old"$/],
    ["SSH-2.0-\r\n", /^Expected an identification line/],
    [`SSH-2.0-${"x".repeat(300)}`, /^Cannot accept an identification line of more than 255 bytes$/],
    ["EHLO client.example\r\n", /^Expected SSH/],
    ["GET / HTTP/1.1\r\n\r\n", /^Cannot speak HTTP here/],
  ];
  for (const [line, reason] of wrong) {
    await say(service, line);
    await until(() => reasons(service).some((noted) => reason.test(noted)));
  }
  assertEquals(reasons(service).length, wrong.length);
});
