/** Python's asyncssh. */
import { assertEquals } from "@std/assert";
import { requirePython, runOk } from "../support/clients.ts";
import { content, noise, operations, scratch, startFiles } from "../support/files.ts";
import { assertBytes } from "../support/real_client.ts";

const SCRIPT = new URL("./python/asyncssh_calls.py", import.meta.url).pathname;
const MIB = 1024 * 1024;

/** Uploads and downloads a file, and returns ciphers and compression of both directions. */
async function transfer(
  t: Deno.TestContext,
  ...args: readonly string[]
): Promise<readonly string[] | undefined> {
  const python = await requirePython(t);
  if (python === undefined) return undefined;
  await using service = await startFiles();
  await using folder = await scratch();
  const bytes = noise(9 * MIB + 1);
  await Deno.writeFile(`${folder.path}/up`, bytes);
  const { hostname, port } = service.endpoint("sftp");
  const { stdout } = await runOk(python, [SCRIPT, hostname, String(port), folder.path, ...args]);
  assertBytes(await content(service, "/up"), bytes, "The content");
  assertBytes(await Deno.readFile(`${folder.path}/down`), bytes, "The download");
  assertEquals(operations(service), ["upload /up"]);
  assertEquals(service.rejected.list({}), []);
  return JSON.parse(stdout);
}

Deno.test("asyncssh, which prefers compression, transfers files in both directions", async (t) => {
  const agreed = await transfer(t, "plain");
  assertEquals(agreed?.slice(2) ?? ["none", "none"], ["none", "none"]);
});

Deno.test("asyncssh exchanges keys again in the middle of transfers", async (t) => {
  await transfer(t, "rekeyed");
});

for (const cipher of ["aes128-gcm@openssh.com", "aes256-ctr", "chacha20-poly1305@openssh.com"]) {
  Deno.test(`asyncssh exchanges keys again with ${cipher}`, async (t) => {
    const agreed = await transfer(t, "cipher", cipher);
    assertEquals(agreed?.slice(0, 2) ?? [cipher, cipher], [cipher, cipher]);
  });
}
