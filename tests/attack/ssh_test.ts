/** The cost of an SSH client, before and after its login. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ByteWriter } from "../../core/bytes/writer.ts";
import { IdleError } from "../../core/net/transport.ts";
import { within } from "../../core/net/within.ts";
import { listening } from "../support/program.ts";
import { payload, RawSsh, type RawSshOptions, SSH } from "../support/raw_ssh.ts";
import { mib, startTarget, type Toll } from "../support/under_attack.ts";

const MIB = 1024 * 1024;
/** Connections that the listener holds by default. */
const PLACES = 64;
/** Longest wait allowed for others: other tests run on the same machine. */
const MAX_WAIT_MS = 2000;

/** Runs an attack over one connection and returns its cost; a second client of the listener is served afterwards. */
async function attacked(
  attack: (client: RawSsh) => Promise<void>,
  options: RawSshOptions = {},
): Promise<Toll> {
  await using target = await startTarget();
  const { port } = (await listening(target)).endpoint("sftp");
  // Modules loaded by the first connection are not part of the attack.
  await using _first = await RawSsh.open(port);
  const toll = await target.measure(async () => {
    await using client = await RawSsh.open(port, options);
    await attack(client);
  });
  await using _last = await RawSsh.open(port);
  return toll;
}

function assertCheap({ restBytes, peakBytes, longestWaitMs }: Toll, moreBytes: number): void {
  assert(
    peakBytes - restBytes < moreBytes,
    `Took ${mib(peakBytes - restBytes)}: expected less than ${mib(moreBytes)}`,
  );
  assert(longestWaitMs < MAX_WAIT_MS, `Another client waited ${Math.round(longestWaitMs)} ms`);
}

/** Runs an attack for a given time, or until it is over. */
async function lasting(ms: number, attack: Promise<void>): Promise<void> {
  await within(attack, ms, "Long enough").catch((error) => {
    if (!(error instanceof IdleError)) throw error;
  });
}

Deno.test("a channel with a maximum packet size of 0 is refused", async () => {
  for (const request of [["subsystem", true, "sftp"], ["exec", true, "ls"]] as const) {
    const toll = await attacked(async (client) => {
      client.send(payload(SSH.channelOpen, "session", 0, 2 ** 21, 0));
      client.send(payload(SSH.channelRequest, 0, ...request));
      client.send(payload(SSH.channelData, 0, new ByteWriter().u32(5).u8(1).u32(3).take()));
      await lasting(3000, client.closed);
    });
    assertCheap(toll, 64 * MIB);
  }
});

Deno.test("a client that requests much and reads nothing only delays itself", async () => {
  const toll = await attacked(async (client) => {
    const session = await client.openSession({ window: 2 ** 32 - 1 });
    await client.startSftp(session);
    const sftp = (writer: ByteWriter) =>
      client.send(payload(SSH.channelData, session, new ByteWriter().block(writer.take()).take()));
    sftp(new ByteWriter().u8(1).u32(3));
    const text = (value: string) => new TextEncoder().encode(value);
    sftp(new ByteWriter().u8(3).u32(1).block(text("/big")).u32(0x1b).u32(0));
    sftp(
      new ByteWriter().u8(10).u32(2).block(text("1")).u32(1).u32(0).u32(250_000),
    );
    client.stopReading();
    const read = new ByteWriter().u8(5).u32(3).block(text("1")).u32(0).u32(0).u32(250_000).take();
    const bytes = new ByteWriter().block(read).take();
    const many = new Uint8Array(bytes.length * 500);
    for (let i = 0; i < 500; i++) many.set(bytes, i * bytes.length);
    const asked = payload(SSH.channelData, session, many);
    await lasting(4000, client.flood(100, () => asked));
    await lasting(2000, client.closed);
  });
  assertCheap(toll, 128 * MIB);
});

Deno.test("unread answers do not pile up", async () => {
  const toll = await attacked(async (client) => {
    client.stopReading();
    const request = payload(SSH.globalRequest, "keepalive@openssh.com", true);
    await lasting(6000, client.flood(1e6, () => request));
  });
  assertCheap(toll, 128 * MIB);
});

Deno.test("data in many small pieces costs little more than its bytes", async () => {
  const toll = await attacked(async (client) => {
    const session = await client.openSession({ window: 0 });
    await client.startSftp(session);
    const init = new ByteWriter().u32(5).u8(1).u32(3).take();
    client.send(payload(SSH.channelData, session, init));
    const piece = payload(SSH.channelData, session, new Uint8Array(1));
    await lasting(10_000, client.flood(2 ** 20, () => piece));
  });
  assertCheap(toll, 120 * MIB);
});

Deno.test("data beyond the granted window ends the connection", async () => {
  const toll = await attacked(async (client) => {
    const session = await client.openSession({ window: 0 });
    await client.startSftp(session);
    const init = new ByteWriter().u32(5).u8(1).u32(3).take();
    client.send(payload(SSH.channelData, session, init));
    const piece = payload(SSH.channelData, session, new Uint8Array(32_000));
    await lasting(6000, client.flood(40_000, () => piece));
  });
  assertCheap(toll, 128 * MIB);
});

Deno.test("the number of channels is limited", async () => {
  const toll = await attacked(async (client) => {
    const open = payload(SSH.channelOpen, "session", 0, 2 ** 21, 32_768);
    await lasting(8000, client.flood(200_000, () => open));
  });
  assertCheap(toll, 128 * MIB);
});

Deno.test("an expensive key is not checked", async () => {
  const toll = await attacked(async (client) => {
    const number = new Uint8Array(2048).fill(0x55);
    const key = payload(0, "ssh-dss", number, number, number, number).subarray(1);
    const signature = payload(0, "ssh-dss", new Uint8Array(40).fill(1)).subarray(1);
    const login = ["ada", "ssh-connection", "publickey", true, "ssh-dss", key, signature] as const;
    client.send(payload(SSH.serviceRequest, "ssh-userauth"));
    for (let i = 0; i < 3; i++) client.send(payload(SSH.userauthRequest, ...login));
    await lasting(3000, client.closed);
  }, { login: false });
  assertCheap(toll, 64 * MIB);
});

Deno.test("repeated key exchanges are limited", async () => {
  const toll = await attacked(async (client) => {
    const again = setInterval(() => void client.rekey(), 1);
    try {
      await within(client.closed, 20_000, "It exchanges keys forever");
    } finally {
      clearInterval(again);
    }
  }, { kex: ["curve25519-sha256"] });
  assertCheap(toll, 64 * MIB);
});

Deno.test("expensive key exchange methods are not offered", async () => {
  await using target = await startTarget();
  const { port } = (await listening(target)).endpoint("sftp");
  for (const slow of ["diffie-hellman-group17-sha512", "diffie-hellman-group18-sha512"]) {
    await assertRejects(() => RawSsh.open(port, { kex: [slow] }), Error, "no matching");
  }
});

Deno.test("clients that occupy every slot without a login do not block others for long", async () => {
  await using target = await startTarget();
  const { port } = (await listening(target)).endpoint("sftp");
  const silent: Deno.TcpConn[] = [];
  try {
    for (let i = 0; i < PLACES; i++) silent.push(await Deno.connect({ port }));
    const deadline = performance.now() + 10_000;
    let client: RawSsh | undefined;
    while (client === undefined) {
      assert(performance.now() < deadline, "Nobody gets in");
      client = await RawSsh.open(port).catch(() => undefined);
      await client?.hangUp();
    }
    assertEquals((await target.stop()).code, 0);
  } finally {
    for (const conn of silent) conn.close();
  }
});
