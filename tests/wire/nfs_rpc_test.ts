/** The layer below NFS: invalid calls, on as many connections as possible. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { fc } from "../support/fast_check.ts";
import { XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { noise, operations, startFiles, until } from "../support/files.ts";
import { fuzzed } from "../support/fuzz.ts";
import {
  dirOp,
  encodeCall,
  MOUNT,
  NFS,
  NfsClient,
  PATIENT,
  PROC,
  readPostOp,
  refused,
  RpcFault,
  UNSTABLE,
} from "../support/nfs.ts";

async function faults(stat: readonly number[], work: Promise<unknown>): Promise<void> {
  assertEquals((await assertRejects(() => work, RpcFault)).stat, stat);
}

Deno.test("rpc: an unavailable program, version or procedure gets its own error", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  for (const program of [NFS, MOUNT]) {
    assertEquals((await client.call({ program, procedure: 0 })).rest.length, 0);
    await faults([0, 3], client.call({ program, procedure: program === NFS ? 22 : 6 }));
  }
  // NFSACL, which Linux asks for, the portmapper and the lock manager
  for (const program of [100_227, 100_000, 100_021, 0]) {
    await faults([0, 1], client.call({ program, procedure: 0 }));
  }
  for (const version of [2, 4, 0, 0xffff_ffff]) {
    await faults([0, 2, 3, 3], client.call({ program: NFS, version, procedure: 0 }));
  }
  await faults([0, 2, 3, 3], client.call({ program: MOUNT, version: 1, procedure: 1 }));
  await faults([0, 2, 3, 3], client.call({ program: MOUNT, version: 4, procedure: 3 }));
  for (const version of [1, 2, 3]) {
    const path = new XdrWriter().opaque(new Uint8Array([0x2f]));
    assertEquals(
      (await client.call({ program: MOUNT, version, procedure: 3 }, path)).rest.length,
      0,
    );
    await client.call({ program: MOUNT, version, procedure: 4 });
  }
  assertEquals((await client.call({ program: MOUNT, procedure: 2 })).rest.length, 4);
  const exports = await client.call({ program: MOUNT, procedure: 5 });
  assertEquals([exports.bool(), exports.opaque(10)], [true, new Uint8Array([0x2f])]);
  await using anonymous = await NfsClient.open(service, { anonymous: true });
  const root = await anonymous.mount();
  assertEquals((await anonymous.getattr(root)).uid, 0);
});

Deno.test("rpc: undecodable arguments are GARBAGE_ARGS for every procedure", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const args: Record<number, XdrWriter> = {
    [PROC.READDIR]: new XdrWriter().opaque(root).u64(0),
    [PROC.WRITE]: new XdrWriter().opaque(root).u64(0).u32(4).u32(0).u32(4),
    [PROC.CREATE]: dirOp(root, "a").u32(9),
    [PROC.SETATTR]: new XdrWriter().opaque(root).u32(7),
  };
  for (let procedure = 1; procedure <= 21; procedure++) {
    await faults([0, 4], client.call({ program: NFS, procedure }));
    const huge = new XdrWriter().u32(0xffff_ffff);
    await faults([0, 4], client.call({ program: NFS, procedure }, huge));
    if (args[procedure]) {
      await faults([0, 4], client.call({ program: NFS, procedure }, args[procedure]));
    }
  }
  const long = new XdrWriter(70_000).opaque(noise(1025));
  await faults([0, 4], client.call({ program: MOUNT, procedure: 1 }, long));
  const write = new XdrWriter(2 ** 21).opaque(root).u64(0).u32(2 ** 20 + 4).u32(0);
  await faults(
    [0, 4],
    client.call({ program: NFS, procedure: 7 }, write.opaque(noise(2 ** 20 + 4))),
  );
  assertEquals(operations(service), []);
  assert(service.rejected.list({}).length >= 40);
});

Deno.test("rpc: a record in fragments, some of them empty, is one call", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const reply = client.raw({ program: NFS, procedure: 0, xid: 7 });
  assertEquals((await reply).length, 24);
  const call = encodeCall({ program: NFS, procedure: 0, xid: 8 }).subarray(4);
  const pieces: number[] = [];
  for (let at = 0; at < call.length; at += 3) {
    const part = call.subarray(at, at + 3);
    const last = at + 3 >= call.length ? 0x80 : 0;
    pieces.push(0, 0, 0, 0, last, 0, 0, part.length, ...part);
  }
  const again = client.expect(8);
  for (const byte of pieces) await client.write(Uint8Array.of(byte));
  assertEquals((await again).length, 24);
});

Deno.test("rpc: anything but a call ends its connection and is recorded", async () => {
  await using service = await startFiles(PATIENT);
  const shapes: readonly Uint8Array[] = [
    // A record of two billion bytes, and one that is slightly too long.
    Uint8Array.of(0xff, 0xff, 0xff, 0xff),
    Uint8Array.of(0x80, 0x20, 0x00, 0x00),
    // Endless fragments without a byte.
    new Uint8Array(4 * 2000),
    // An empty record, a reply, and HTTP.
    Uint8Array.of(0x80, 0, 0, 0),
    Uint8Array.of(0x80, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 1),
    new TextEncoder().encode("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
  ];
  for (const [i, shape] of shapes.entries()) {
    const client = await NfsClient.open(service);
    await client.write(shape).catch(() => {});
    await client.ended;
    client.abort();
    await until(() => service.rejected.list({}).length === i + 1);
  }
  // A truncated record is recorded when its sender leaves.
  const cut = await NfsClient.open(service);
  await cut.write(Uint8Array.of(0x80, 0, 0, 50, 1, 2, 3));
  await cut[Symbol.asyncDispose]();
  await until(() => service.rejected.list({}).length === shapes.length + 1);
  await using client = await NfsClient.open(service);
  await client.mount();
});

Deno.test("rpc: hundreds of concurrent calls each get their own reply", async () => {
  await using service = await startFiles(PATIENT);
  const client = await NfsClient.open(service);
  const root = await client.mount();
  const files = await Promise.all(
    Array.from({ length: 300 }, (_, i) => client.create(root, `f${i}`)),
  );
  await Promise.all(files.map((file, i) => client.writeTo(file, noise(i + 1, i))));
  const reads = files.map(async (file, i) => {
    assertEquals((await client.read(file, 0, 1000)).bytes, noise(i + 1, i));
    assertEquals((await client.getattr(file)).size, i + 1);
  });
  await Promise.all(reads);
  await client[Symbol.asyncDispose]();
  assertEquals(operations(service).length, 300);
});

Deno.test("rpc: long and short replies that are ready together do not interleave", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const names = Array.from({ length: 200 }, (_, i) => `${i}`.padStart(200, "n"));
  await Promise.all(names.map((name) => client.create(root, name)));
  const file = await client.lookup(root, names[0]!);
  // A whole listing is too long to be copied; one page is not.
  const calls = [0, 9000, 0, 40_000, 100, 0, 100_000].map((maxBytes, i) => {
    const args = new XdrWriter().opaque(maxBytes === 0 ? file : root);
    if (maxBytes > 0) args.u64(0).fixed(new Uint8Array(8)).u32(maxBytes);
    return encodeCall(
      { program: NFS, procedure: maxBytes > 0 ? PROC.READDIR : PROC.GETATTR, xid: 5000 + i },
      { args: args.take() },
    );
  });
  const alone: Uint8Array[] = [];
  for (const [i, call] of calls.entries()) {
    const reply = client.expect(5000 + i);
    await client.write(call);
    alone.push(await reply);
  }
  const together = calls.map((_, i) => client.expect(5000 + i));
  await client.write(new Uint8Array(await new Blob(calls as BlobPart[]).arrayBuffer()));
  assertEquals(await Promise.all(together), alone);
  assert(alone.some(({ length }) => length > 32_000));
});

Deno.test("rpc: a client that does not read replies gets no more than the buffer limit", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const file = await client.create(await client.mount(), "a");
  await client.writeTo(file, noise(1024 * 1024), { stable: UNSTABLE });
  const { port } = service.endpoint("nfs");
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const args = new XdrWriter().opaque(file).u64(0).u32(1024 * 1024).take();
  const call = encodeCall({ program: NFS, procedure: PROC.READ, xid: 1 }, { args });
  let sent = 0;
  // Only as much as the sockets of both sides hold: the server has stopped reading.
  const feeding = (async () => {
    for (;;) sent += await conn.write(call);
  })().catch(() => {});
  let before = -1;
  await until(async () => {
    const idle = sent === before;
    before = sent;
    if (!idle) await client.getattr(file);
    return idle;
  });
  assertEquals((await client.getattr(file)).size, 1024 * 1024);
  conn.close();
  await feeding;
});

Deno.test("rpc: the server survives a thousand connections, most of them over the cap", async () => {
  await using service = await startFiles(PATIENT);
  const { port } = service.endpoint("nfs");
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const conns: Deno.TcpConn[] = [];
  for (let i = 0; i < 1000; i++) conns.push(await Deno.connect({ hostname: "127.0.0.1", port }));
  await Promise.all(
    conns.map((conn, i) =>
      conn.write(encodeCall({ program: NFS, procedure: 0, xid: i })).catch(() => 0)
    ),
  );
  const answered = await Promise.all(
    conns.map((conn) => conn.read(new Uint8Array(100)).catch(() => null)),
  );
  assertEquals(answered.filter((count) => count === 28).length, 255);
  assertEquals((await client.getattr(root)).id, 1);
  for (const conn of conns) conn.close();
  await until(async () => {
    await using again = await NfsClient.open(service);
    return await again.mount().then(() => true, () => false);
  });
});

Deno.test("rpc: any arguments are answered with a status or an RPC error", async () => {
  await using service = await startFiles(PATIENT);
  await using client = await NfsClient.open(service);
  const root = await client.mount();
  const file = await client.create(root, "f");
  const part = fc.oneof(
    fc.constantFrom(...[root, file].map((handle) => new XdrWriter().opaque(handle).take())),
    fc.uint8Array({ minLength: 4, maxLength: 24 }),
    fc.nat(3).map((value) => new XdrWriter().u32(value).take()),
    fc.string({ maxLength: 8 }).map((text) =>
      new XdrWriter().opaque(new TextEncoder().encode(text)).take()
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(23), fc.array(part, { maxLength: 8 }), async (procedure, parts) => {
      const args = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const bytes of parts) {
        args.set(bytes, at);
        at += bytes.length;
      }
      const reply = await client.raw({ program: NFS, procedure }, args);
      assert(reply.length >= 24);
      // Never SYSTEM_ERR, which would be an internal error.
      assertEquals(new DataView(reply.buffer).getUint32(20) === 5, false);
    }),
    fuzzed(300),
  );
  assertEquals(service.log, []);
  assertEquals(readPostOp(await client.nfs("FSINFO", new XdrWriter().opaque(root)))?.dir, true);
  await refused("NOENT", client.lookup(root, "no such name"));
});

Deno.test("rpc: a connection without a call is closed after a while", async () => {
  await using service = await startFiles({ nfs: { idle_timeout: 1 } });
  await using client = await NfsClient.open(service);
  await client.mount();
  await client.ended;
});
