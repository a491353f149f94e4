import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { clientTest, runProgram } from "../support/clients.ts";
import { sftpDriver } from "../support/drivers/sftp.ts";
import { noise, operations, scratch, startFiles, until } from "../support/files.ts";
import type { TestService } from "../support/service.ts";

const hostname = "127.0.0.1";

function connect(service: TestService): Promise<Deno.TcpConn> {
  return Deno.connect({ hostname, port: service.endpoint("sftp").port });
}

/** Everything received until the connection ends, however it ends. */
async function rest(conn: Deno.TcpConn): Promise<string> {
  const bytes = new Uint8Array(65_536);
  let text = "";
  try {
    for (let count; (count = await conn.read(bytes)) !== null;) {
      text += new TextDecoder("latin1").decode(bytes.subarray(0, count));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
  }
  conn.close();
  return text;
}

Deno.test("a client that does not log in in time is disconnected and recorded", async () => {
  await using service = await startFiles({ sftp: { handshake_timeout: 1 } });
  assertMatch(await rest(await connect(service)), /^SSH-2\.0-standin\r\n/);
  assertEquals(service.rejected.list({}).map(({ reason }) => reason), [
    "The client did not log in in time",
  ]);
});

Deno.test("input that is not SSH ends only its own connection", async () => {
  await using service = await startFiles();
  await using good = await sftpDriver.open(service);
  for (
    const garbage of ["GET / HTTP/1.1\r\n\r\n", "\r\n\r\n", "SSH-1.5-old\r\n", "x".repeat(70_000)]
  ) {
    const conn = await connect(service);
    await conn.write(new TextEncoder().encode(garbage));
    await conn.closeWrite();
    assertMatch(await rest(conn), /^SSH-2\.0-standin\r\n/);
  }
  const conn = await connect(service);
  await conn.write(new TextEncoder().encode("SSH-2.0-scan\r\n"));
  await conn.write(Uint8Array.from(noise(5000)));
  await rest(conn);
  await good.put("/a", noise(3));
  assertEquals(operations(service), ["upload /a"]);
});

Deno.test("a client that does not start with SSH is disconnected at once and recorded", async () => {
  await using service = await startFiles();
  for (const garbage of ["GET / HTTP/1.1\r\n\r\n", "\r\n", "SSL-", "x".repeat(70_000)]) {
    const conn = await connect(service);
    await conn.write(new TextEncoder().encode(garbage));
    assertMatch(await rest(conn), /^SSH-2\.0-standin\r\n|^$/);
  }
  await until(() => service.rejected.list({}).length === 4);
  assertMatch(service.rejected.list({})[0]!.reason, /^Expected SSH/);
});

Deno.test("connections over the cap are refused with a reason, and served once there is room", async () => {
  await using service = await startFiles({ sftp: { max_connections: 1 } });
  {
    await using first = await sftpDriver.open(service);
    const said = await rest(await connect(service));
    assertMatch(said, /^SSH-2\.0-standin\r\n/);
    // Reason 12: RFC 4253 section 11.1.
    assertStringIncludes(said, "\x01\0\0\0\x0c\0\0\0%Too many connections, try again later");
    await first.put("/a", noise(3));
  }
  await until(async () => {
    const conn = await connect(service);
    const count = await conn.read(new Uint8Array(100)).catch(() => null);
    conn.close();
    return count !== null;
  });
});

Deno.test("an idle client is disconnected", async () => {
  await using service = await startFiles({ sftp: { idle_timeout: 1 } });
  const conn = await connect(service);
  assertMatch(await rest(conn), /^SSH-2\.0-standin\r\n/);
  assertEquals(operations(service), []);
});

clientTest(
  "too many wrong passwords end a connection",
  ["curl"],
  async ({ curl }) => {
    await using service = await startFiles({
      sftp: { username: "ada", password: "right", max_auth_tries: 1 },
    });
    const url = `sftp://${hostname}:${service.endpoint("sftp").port}/a`;
    const put = (password: string) =>
      runProgram(curl, ["--silent", "--insecure", "--user", `ada:${password}`, "-T", "-", url], {
        stdin: "x",
      });
    // CURLE_LOGIN_DENIED
    assertEquals((await put("wrong")).code, 67);
    assertMatch(service.rejected.list({})[0]?.reason ?? "", /Refused password of user "ada"/);
    assertEquals((await put("right")).code, 0);
    assertEquals(operations(service), ["upload /a"]);
  },
);

Deno.test("a service that stops ends SSH connections", async () => {
  const service = await startFiles();
  const client = await sftpDriver.open(service);
  await client.put("/a", noise(3));
  await service.stop();
  await assertRejects(() => client.put("/b", noise(3)));
  await client[Symbol.asyncDispose]();
});

Deno.test("the host key exists as soon as the listener does, and stays the same", async () => {
  await using folder = await scratch();
  const path = `${folder.path}/keys/host`;
  const sftp = { host_key_path: path };
  const keys: string[] = [];
  for (let i = 0; i < 2; i++) {
    await using _service = await startFiles({ sftp });
    keys.push(await Deno.readTextFile(path));
  }
  assertEquals(keys[0], keys[1]);
  if (Deno.build.os !== "windows") assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
  await Deno.writeTextFile(path, keys[0]!.slice(0, 200));
  await assertRejects(() => startFiles({ sftp }), ConfigError, "Cannot use the host key");
});
