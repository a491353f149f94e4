import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Step } from "../support/dialogue.ts";
import { content, isSame, noise, operations, paths, startFiles, until } from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import { untilEnded, writeAll } from "../support/hostile.ts";

const encoder = new TextEncoder();

Deno.test("commands are answered as RFC 959 and its extensions specify", async () => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service, false);
  const steps: readonly Step[] = [
    [">", "SYST"],
    ["<", "215 UNIX Type: L8"],
    [">", "FEAT"],
    ["<", "211-Features"],
    ["<", " EPRT"],
    ["<", " EPSV"],
    ["<", " MDTM"],
    ["<", " MFMT"],
    ["<", " MLST type*;size*;modify*;perm*;unique*;unix.mode;"],
    ["<", " REST STREAM"],
    ["<", " SIZE"],
    ["<", " TVFS"],
    ["<", " UTF8"],
    ["<", "211 End"],
    [">", "PWD"],
    ["<", /^530 /],
    [">", "PASS x"],
    ["<", /^503 /],
    [">", "AUTH TLS"],
    ["<", /^502 /],
    [">", "HOST ftp.example.com"],
    ["<", /^502 /],
    [">", "opts utf8 on"],
    ["<", /^200 /],
    [">", "USER ada"],
    ["<", /^331 /],
    [">", "PASS"],
    ["<", /^230 /],
    [">", 'MKD a "b"'],
    ["<", '257 "/a ""b""" created'],
    [">", 'MKD a "b"'],
    ["<", /^550 /],
    [">", 'CWD a "b"'],
    ["<", /^250 /],
    [">", "PWD"],
    ["<", '257 "/a ""b""" is the current directory'],
    [">", "CDUP"],
    ["<", /^250 /],
    [">", "CWD ../../.."],
    ["<", '250 Now in "/"'],
    [">", "CWD nope"],
    ["<", /^550 /],
    [">", "TYPE A N"],
    ["<", /^200 /],
    [">", "TYPE E"],
    ["<", /^504 /],
    [">", "MODE S"],
    ["<", /^200 /],
    [">", "MODE B"],
    ["<", /^504 /],
    [">", "STRU F"],
    ["<", /^200 /],
    [">", "STRU R"],
    ["<", /^504 /],
    [">", "ALLO 10"],
    ["<", /^202 /],
    [">", "RNTO x"],
    ["<", /^503 /],
    [">", "RNFR nope"],
    ["<", /^550 /],
    [">", 'RNFR a "b"'],
    ["<", /^350 /],
    [">", "NOOP"],
    ["<", /^200 /],
    [">", "RNTO x"],
    ["<", /^503 /],
    [">", "REST -1"],
    ["<", /^501 /],
    [">", "REST 99999999999999"],
    ["<", /^350 /],
    [">", "STOR"],
    ["<", /^501 /],
    [">", "RETR nope"],
    ["<", /^550 /],
    [">", "STOR x"],
    ["<", /^425 /],
    [">", "OPTS MLST size;nope;"],
    ["<", "200 MLST OPTS size;"],
    [">", "SITE CHMOD 644 x"],
    ["<", /^200 /],
    [">", "ABOR"],
    ["<", /^226 /],
    [">", "XYZZY"],
    ["<", /^500 /],
    [">", "QUIT"],
    ["<", /^221 /],
    ["<end"],
  ];
  await client.talk.play(steps);
  assertEquals(operations(service), ['mkdir /a "b"']);
});

Deno.test("hostile names are refused, and the connection stays open", async () => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service);
  await client.play(`CWD ${"d/".repeat(33)}`, /^553 /);
  await client.play(`MKD ${"n".repeat(256)}`, /^553 /);
  await client.play(`MKD ${"n".repeat(5000)}`, /^500 /, "NOOP", /^200 /);
  await client.talk.send(Uint8Array.from([...encoder.encode("MKD "), 0xff, 0xfe, 0x0d, 0x0a]));
  await client.play(/^501 /);
  await client.talk.send("MKD a\0b\r\n");
  await client.play(/^553 /, "MKD a\\..\\..\\b", /^257 "\/b"/);
  assertEquals(await paths(service), ["/b"]);
});

Deno.test("a file is replaced atomically, and readers of the old one are not disturbed", async () => {
  await using service = await startFiles();
  await using writer = await FtpClient.open(service);
  await using reader = await FtpClient.open(service);
  const old = noise(20_000_000, 1);
  assertMatch(await writer.put("STOR f", old), /^226 /);
  const data = await reader.data();
  await reader.play("RETR f", /^150 /);
  assertMatch(await writer.put("STOR f", encoder.encode("new")), /^226 /);
  let size = 0;
  for (let chunk; (chunk = await data.read({ idleMs: 5000 })) !== undefined;) {
    assert(chunk.every((byte, i) => byte === old[size + i]));
    size += chunk.length;
  }
  await data[Symbol.asyncDispose]();
  await reader.play(/^226 /);
  assertEquals(size, old.length);
  assertEquals(await reader.get("RETR f"), "new");
});

Deno.test("large files replace one another, and none contains bytes of another", async () => {
  await using service = await startFiles();
  await using writer = await FtpClient.open(service);
  await using reader = await FtpClient.open(service);
  const MIB = 1024 * 1024;
  const old = noise(20 * MIB, 1);
  assertMatch(await writer.put("STOR f", old), /^226 /);
  const data = await reader.data();
  await reader.play("RETR f", /^150 /);
  const put = async (seed: number): Promise<void> => {
    const bytes = noise(5 * MIB + seed * 10_000, seed);
    assertMatch(await writer.put("STOR f", bytes), /^226 /);
    assert(isSame(await content(service, "/f"), bytes));
    assertMatch(await writer.put("STOR g", bytes.subarray(0, -seed)), /^226 /);
    assertMatch(await writer.put("STOR f", bytes), /^226 /);
  };
  for (const seed of [2, 3]) await put(seed);
  const received = new Uint8Array(old.length);
  let size = 0;
  for (let chunk; (chunk = await data.read({ idleMs: 5000 })) !== undefined;) {
    received.set(chunk, size);
    size += chunk.length;
  }
  await data[Symbol.asyncDispose]();
  await reader.play(/^226 /);
  assert(isSame(received, old));
  for (const seed of [4, 5, 6]) {
    await put(seed);
    assertEquals((await reader.get("RETR g")).length > 0, true);
  }
  assert(isSame(await content(service, "/g"), noise(5 * MIB + 60_000, 6).subarray(0, -6)));
});

Deno.test("an upload cut off by a reset, ABOR or the end of its session leaves the old file", async () => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service);
  assertMatch(await client.put("STOR f", encoder.encode("old")), /^226 /);
  const reset = await client.data();
  await client.play("STOR f", /^150 /);
  // Unread bytes in the receive buffer turn the close into a reset.
  await using other = await FtpClient.open(service);
  const aborted = await other.data();
  await other.play("STOR f", /^150 /);
  await aborted.write(noise(100_000));
  await other.play("ABOR", /^426 /, /^226 /, "NOOP", /^200 /);
  await aborted[Symbol.asyncDispose]();
  await reset.write(noise(100_000));
  client.abort();
  await reset[Symbol.asyncDispose]();
  await until(() => service.rejected.list({}).length === 2);
  assertEquals(new TextDecoder().decode(await content(service, "/f")), "old");
  assertEquals(operations(service), ["upload /f"]);
});

Deno.test("data connections go only to unprivileged ports of the client's own address", async () => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service);
  await client.play("PORT 192,0,2,1,8,73", /^501 /, "PORT 127,0,0,1,0,80", /^501 /);
  await client.play("EPRT |2|2001:db8::1|2121|", /^501 /, "EPRT |9|x|1|", /^522 .*\(1,2\)/);
  await client.play("EPSV 2", /^522 .*\(1\)/, "EPSV ALL", /^200 /);
  await client.play("PASV", /^501 /, "PORT 127,0,0,1,8,73", /^501 /, "EPSV", /^229 /);
});

Deno.test("passive mode announces the configured host and stays within the configured ports", async () => {
  const probe = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = probe.addr;
  probe.close();
  await using service = await startFiles({
    ftp: { passive_host: "192.0.2.7", passive_ports: String(port) },
  });
  await using client = await FtpClient.open(service);
  await client.play("PASV", new RegExp(`\\(192,0,2,7,${port >> 8},${port & 255}\\)`));
  await using other = await FtpClient.open(service);
  await other.play("EPSV", /^425 .*is free/);
});

Deno.test("listings, times and sizes", async () => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service);
  await client.put("STOR dir/a b.txt", encoder.encode("hello"));
  await client.put("STOR dir/c.bin", encoder.encode("xyz"));
  await client.play("MFMT 20200102030405 dir/c.bin", /^213 Modify=20200102030405; \/dir\/c\.bin$/);
  await client.play("MDTM dir/c.bin", /^213 20200102030405$/, "SIZE dir/c.bin", /^213 3$/);
  await client.play("SIZE dir", /^550 /);
  assertEquals(await client.get("NLST dir/*.bin"), "dir/c.bin\r\n");
  assertEquals(await client.get("NLST -a dir"), "dir/a b.txt\r\ndir/c.bin\r\n");
  assertMatch(await client.get("LIST -la dir"), /^-rw-rw-rw- .* Jan {2}2 {2}2020 c\.bin\r\n$/m);
  assertMatch(
    await client.get("MLSD dir"),
    /^type=file;size=3;modify=20200102030405;perm=adfrw;unique=\w+; c\.bin\r\n$/m,
  );
  const listed = await client.ask("MLST dir/c.bin");
  assertMatch(listed[1] ?? "", /^ type=file;.* \/dir\/c\.bin$/);
  assertEquals((await client.ask("STAT dir")).length, 4);
  await client.play("MLSD nope", /^550 /, "MLSD dir/c.bin", /^501 /, "MKD empty", /^257 /);
  assertEquals(await client.get("NLST empty"), "");
});

Deno.test("REST, APPE and STOU", async () => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service);
  await client.put("STOR f", encoder.encode("0123456789"));
  await client.play("REST 6", /^350 /);
  assertEquals(await client.get("RETR f"), "6789");
  assertEquals(await client.get("RETR f"), "0123456789");
  await client.play("REST 11", /^350 /, "RETR f", /^554 /);
  await client.play("REST 5", /^350 /, "RETR nope", /^550 /);
  assertEquals(await client.get("RETR f"), "0123456789");
  await client.play("REST 4", /^350 /);
  await client.put("STOR f", encoder.encode("XY"));
  await client.put("APPE f", encoder.encode("Z"));
  assertEquals(await client.get("RETR f"), "0123XYZ");
  const data = await client.data();
  await client.play("STOU f", /^150 FILE: f\.1$/);
  await data[Symbol.asyncDispose]();
  await client.play(/^226 /);
  assertEquals(await paths(service), ["/f", "/f.1"]);
});

Deno.test("commands are answered in order however they are split or joined", async () => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service);
  await client.talk.send("NOOP\r\nPWD\r\nNO");
  await client.play(/^200 /, /^257 /);
  await client.talk.send("OP\r");
  await client.talk.send("\nABOR\rSYST\r\n");
  await client.play(/^200 /, /^226 /, /^215 /);
  // A line feed that is urgent data does not arrive.
  await client.talk.send("STAT\r");
  await client.play(/^211 /);
  await client.talk.send("STAT /\rPWD\r\nQUIT\r");
  await client.play(/^213 /, /^257 /, /^221 /);
});

Deno.test("three wrong passwords end the session and are recorded", async () => {
  await using service = await startFiles({ ftp: { username: "ada", password: "right" } });
  await using client = await FtpClient.open(service, false);
  for (const end of [/^530 /, /^530 /, /^421 /]) {
    await client.play("USER ada", /^331 /, "PASS wrong", end);
  }
  assertEquals(await client.talk.line(), undefined);
  assertEquals(service.rejected.list({}).map(({ status }) => status), [421, 530, 530]);
});

Deno.test("an idle client is disconnected", async () => {
  await using service = await startFiles({ ftp: { idle_timeout: 1 } });
  await using client = await FtpClient.open(service);
  await client.play(/^421 /);
  assertEquals(await client.talk.line(), undefined);
});

Deno.test("a data connection that is never opened times out, and the session continues", async () => {
  await using service = await startFiles({ ftp: { connection_timeout: 1 } });
  await using client = await FtpClient.open(service);
  await client.play(
    "EPSV",
    /^229 /,
    "STOR a",
    /^150 /,
    /^425 /,
    "STOR a",
    /^425 /,
    "NOOP",
    /^200 /,
  );
  await using nobody = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = nobody.addr;
  nobody.close();
  await client.play(
    `EPRT |1|127.0.0.1|${port}|`,
    /^200 /,
    "STOR a",
    /^150 /,
    /^425 /,
    "NOOP",
    /^200 /,
  );
  assertEquals(operations(service), []);
});

Deno.test("connections over the cap are refused with a reason, and served once there is room", async () => {
  await using service = await startFiles({ ftp: { max_connections: 2 } });
  const first = await FtpClient.open(service);
  await using _second = await FtpClient.open(service);
  const wire = await Deno.connect({ hostname: "127.0.0.1", port: service.endpoint("ftp").port });
  const reply = await new Response(wire.readable).text();
  assertMatch(reply, /^421 Too many connections/);
  await first.play("QUIT", /^221 /);
  assertEquals(await first.talk.line(), undefined);
  await first[Symbol.asyncDispose]();
  await using third = await FtpClient.open(service);
  await third.play("NOOP", /^200 /);
});

Deno.test("fifty clients upload at once, and waiting clients are notified when the service stops", async () => {
  const service = await startFiles();
  const clients = await Promise.all(Array.from({ length: 50 }, () => FtpClient.open(service)));
  const replies = await Promise.all(
    clients.map((client, i) => client.put(`STOR d/${i}`, noise(50_000, i))),
  );
  assert(replies.every((reply) => reply.startsWith("226 ")));
  for (let i = 0; i < 50; i++) assertEquals(await content(service, `/d/${i}`), noise(50_000, i));
  assertEquals(operations(service).filter((one) => one.startsWith("mkdir")), ["mkdir /d"]);
  const stopped = service.stop();
  for (const client of clients) await client.play(/^421 /);
  for (const client of clients) await client[Symbol.asyncDispose]();
  await stopped;
});

Deno.test("the wait for a data connection ends when the client leaves or aborts", async () => {
  await using service = await startFiles();
  const begunMs = performance.now();
  await using client = await FtpClient.open(service);
  await client.play("EPSV", /^229 /, "STOR x", /^150 /, "ABOR", /^426 /, /^226 /);
  const { open } = await untilEnded(service.endpoint("files/ftp").port, {
    limitMs: 25_000,
    async talk(conn) {
      await writeAll(
        conn,
        encoder.encode(`USER a\r\nPASS b\r\n${"EPSV\r\nSTOR x\r\n".repeat(20)}`),
      );
      await conn.closeWrite();
    },
  });
  assertEquals(open, false);
  // The setting allows 30 seconds for each.
  assert(performance.now() - begunMs < 25_000);
});
