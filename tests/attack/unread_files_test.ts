/** Unread files and listings: each client holds no more than one chunk. */
import { assertEquals } from "@std/assert";
import { concat } from "../../core/bytes/concat.ts";
import { writeAll } from "../../core/net/socket.ts";
import { XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { noise, scratch } from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import { encodeCall, NFS, NfsClient, PROC } from "../support/nfs.ts";
import { FREE_PORTS, listening } from "../support/program.ts";
import { startTarget, type Target } from "../support/under_attack.ts";
import { ask, holdsLittle } from "../support/unread.ts";

type Listening = Awaited<ReturnType<typeof listening>>;

const READERS = 100;
/** The most that one NFS READ returns. */
const READ_BYTES = 1024 * 1024;
const FILE_BYTES = 15_000_000;
const LIMIT_BYTES = 128_000_000;
const ARGS = ["serve", ...FREE_PORTS, `--memory-limit=${LIMIT_BYTES}`];

async function put(url: string, body: BodyInit | null): Promise<void> {
  const response = await fetch(url, { method: "PUT", body });
  assertEquals(response.status, 200, await response.text());
}

async function check(t: Deno.TestContext, target: Target, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    await t.step(
      url.replace(/^\w+:\/\/[^/]+/, ""),
      () => holdsLittle(target, LIMIT_BYTES, () => ask(url, READERS)),
    );
  }
}

Deno.test("unread objects and their lists are held in chunks", async (t) => {
  await using target = await startTarget({ args: ARGS });
  const store = `http://127.0.0.1:${(await listening(target)).endpoint("http").port}`;
  await put(`${store}/box`, null);
  await put(`${store}/box/large`, noise(FILE_BYTES));
  // As long as a key may be; three times as long in a URL.
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

/** Connections that fetch the file over FTP. */
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

/** Connections that request as many chunks of the file over NFS as allowed. */
async function readAll(service: Listening): Promise<Deno.TcpConn[]> {
  await using client = await NfsClient.open(service);
  const handle = await client.lookup(await client.mount(), "large");
  const calls = Array.from({ length: Math.ceil(FILE_BYTES / READ_BYTES) }, (_, at) =>
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

Deno.test("unread files and directory trees are held in chunks", async (t) => {
  // Files on disk are copied when read.
  await using folder = await scratch();
  await using target = await startTarget({ args: [...ARGS, `--persist=${folder.path}`] });
  const service = await listening(target);
  await using client = await FtpClient.open(service);
  await client.put("STOR large", noise(FILE_BYTES));
  for (let dir = 0; dir < 5; dir++) {
    const names = Array.from({ length: 4000 }, (_, at) => `MKD /d${dir}/${at}\r\n`);
    await client.play(`MKD /d${dir}`, /^257/);
    for (const name of names) await client.play(name.trim(), /^257/);
  }
  const api = `${target.urls.api}/api/v1`;
  await t.step("RETR", () => holdsLittle(target, LIMIT_BYTES, () => retrieve(service)));
  await t.step("READ", () => holdsLittle(target, LIMIT_BYTES, () => readAll(service)));
  await check(t, target, [
    `${api}/files/content/large`,
    `${api}/files/tree?recursive=1`,
    `${api}/events`,
  ]);
});
