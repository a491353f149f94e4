/** Files and listings that nobody reads: each reader holds no more than a piece of them. */
import { assertEquals } from "@std/assert";
import { concat } from "../../core/bytes/concat.ts";
import { writeAll } from "../../core/net/socket.ts";
import { XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { noise } from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import { encodeCall, NFS, NfsClient, PROC } from "../support/nfs.ts";
import { listening } from "../support/program.ts";
import { residentBytes, startTarget, type Target } from "../support/under_attack.ts";
import { ask, holdsLittle } from "../support/unread.ts";

type Listening = Awaited<ReturnType<typeof listening>>;

const READERS = 100;
/** The most that one READ of NFS gives. */
const READ_BYTES = 1024 * 1024;
const FILE_BYTES = 50 * 1024 * 1024;
/** Whole, the file would take five thousand MiB, and a listing a thousand. */
const MAX_GROWTH_BYTES = 500 * 1024 ** 2;

async function put(url: string, body: BodyInit | null): Promise<void> {
  const response = await fetch(url, { method: "PUT", body });
  assertEquals(response.status, 200, await response.text());
}

async function check(t: Deno.TestContext, target: Target, urls: readonly string[]): Promise<void> {
  const restBytes = await residentBytes(target.pid);
  for (const url of urls) {
    await t.step(
      url.replace(/^\w+:\/\/[^/]+/, ""),
      () => holdsLittle(target, { restBytes, most: MAX_GROWTH_BYTES }, () => ask(url, READERS)),
    );
  }
}

Deno.test("objects and lists of them that nobody reads are held in pieces", async (t) => {
  await using target = await startTarget();
  const store = `http://127.0.0.1:${(await listening(target)).endpoint("http").port}`;
  await put(`${store}/box`, null);
  await put(`${store}/box/large`, noise(FILE_BYTES));
  // As long as a key may be, and three times as long in a URL.
  const name = encodeURIComponent("ü".repeat(500));
  for (let i = 0; i < 1000; i += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => put(`${store}/box/${name}${i + at}`, null)),
    );
  }
  const api = `${target.urls.api}/api/v1`;
  await check(t, target, [
    `${store}/box/large`,
    `${store}/box?list-type=2&encoding-type=url`,
    `${api}/s3/buckets/box/objects`,
    `${api}/s3/buckets/box/objects/large`,
    `${api}/events`,
    `${api}/export`,
  ]);
});

/** Connections that fetch the file by FTP. */
async function retrieve(service: Listening): Promise<AsyncDisposable[]> {
  const readers: AsyncDisposable[] = [];
  for (let i = 0; i < READERS / 2; i++) {
    const client = await FtpClient.open(service);
    const data = await client.data();
    await client.play("RETR large", /^150 /);
    readers.push(client, data);
  }
  return readers;
}

/** Connections that ask by NFS for as many pieces of the file as one may. */
async function readAll(service: Listening): Promise<Deno.TcpConn[]> {
  await using client = await NfsClient.open(service);
  const handle = await client.lookup(await client.mount(), "large");
  const calls = Array.from({ length: FILE_BYTES / READ_BYTES }, (_, at) =>
    encodeCall(
      { program: NFS, procedure: PROC.READ, xid: at + 1 },
      { args: new XdrWriter().opaque(handle).u64(at * READ_BYTES).u32(READ_BYTES).take() },
    ));
  const { port } = service.endpoint("nfs");
  return await Promise.all(Array.from({ length: READERS }, async () => {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    await writeAll(conn, concat(calls));
    return conn;
  }));
}

Deno.test("files and trees of them that nobody reads are held in pieces", async (t) => {
  await using target = await startTarget();
  const service = await listening(target);
  await using client = await FtpClient.open(service);
  await client.put("STOR large", noise(FILE_BYTES));
  for (let dir = 0; dir < 5; dir++) {
    const names = Array.from({ length: 4000 }, (_, at) => `MKD /d${dir}/${at}\r\n`);
    await client.play(`MKD /d${dir}`, /^257/);
    for (const name of names) await client.play(name.trim(), /^257/);
  }
  const api = `${target.urls.api}/api/v1`;
  const restBytes = await residentBytes(target.pid);
  const limits = { restBytes, most: MAX_GROWTH_BYTES };
  await t.step("RETR", () => holdsLittle(target, limits, () => retrieve(service)));
  await t.step("READ", () => holdsLittle(target, limits, () => readAll(service)));
  await check(t, target, [
    `${api}/files/content/large`,
    `${api}/files/tree?recursive=1`,
    `${api}/events`,
  ]);
});
