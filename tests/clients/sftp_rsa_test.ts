/** SFTP clients that do not support Ed25519, and so use the RSA host key. */
import { assertEquals } from "@std/assert";
import { requireClient, requireMaven, runOk, runProgram, skipTest } from "../support/clients.ts";
import { operations, startFiles } from "../support/files.ts";

const script = (path: string): string => new URL(path, import.meta.url).pathname;

Deno.test("JSch and Apache MINA SSHD move files without Ed25519", async (t) => {
  const project = await requireMaven(t, "sftp");
  if (project === undefined) return;
  await using service = await startFiles();
  const { hostname, port } = service.endpoint("sftp");
  const args = ["-cp", project.classPath, `${project.folder}Move.java`, hostname, String(port)];
  const { stdout } = await runOk(project.java, args, { timeoutMs: 90_000 });
  assertEquals(stdout.trim().split("\n"), ["ssh-rsa 300000 true", "RSA 300000 true"]);
  assertEquals(operations(service), [
    ...["upload /jsch.part", "mkdir /jsch", "rename /jsch.part /jsch/done"],
    ...["upload /mina.part", "mkdir /mina", "rename /mina.part /mina/done"],
  ]);
});

for (
  const [what, options] of [
    ["", []],
    // As without the sodium extension, which Debian builds in.
    [", without sodium", ["-d", "disable_functions=sodium_crypto_box_publickey_from_secretkey"]],
  ] as const
) {
  Deno.test(`phpseclib 2 moves files without Ed25519${what}`, async (t) => {
    const php = requireClient(t, "php");
    if (php === undefined) return;
    const library = "require '/usr/share/php/phpseclib/autoload.php';";
    const { code } = await runProgram(php, ["-r", library]);
    if (code !== 0) return skipTest(t, "php-phpseclib", "is not installed");
    await using service = await startFiles();
    const { hostname, port } = service.endpoint("sftp");
    const { stdout } = await runOk(php, [
      ...options,
      script("php/sftp.php"),
      hostname,
      String(port),
    ]);
    assertEquals(JSON.parse(stdout), {
      login: true,
      host_key: "rsa-sha2-256",
      put: true,
      rename: true,
      same: true,
      list: ["done"],
      truncate: [true, 10],
    });
  });
}
