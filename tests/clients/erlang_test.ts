/** Erlang, and so Elixir: ftp, ssh_sftp and tftp of its standard library. */
import { assertEquals } from "@std/assert";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import { operations, startFiles } from "../support/files.ts";

/** Downloads of one session: its client may take two replies that it reads at once for the end of a transfer. */
const DOWNLOADS = 40;

/** Runs a script, and returns what it printed. */
async function call(escript: string, script: string, ...args: readonly string[]): Promise<unknown> {
  const path = new URL(`erlang/${script}`, import.meta.url).pathname;
  const { stdout } = await runOk(escript, [path, ...args]);
  return JSON.parse(stdout);
}

/** Skips a test without the library of a Debian package. */
async function lacks(t: Deno.TestContext, erl: string, library: string): Promise<boolean> {
  const check = `halt(case code:which(${library}) of non_existing -> 1; _ -> 0 end).`;
  const { code } = await runProgram(erl, ["-noshell", "-eval", check]);
  if (code !== 0) skipTest(t, `erlang-${library}`, "is not installed");
  return code !== 0;
}

for (
  const [how, mode, tls] of [
    ["in passive mode", "passive", false],
    ["in extended passive mode", "extended", false],
    ["in active mode", "active", false],
    ["within TLS", "passive", true],
  ] as const
) {
  clientTest(`Erlang's ftp stores and reads files ${how}`, ["erl", "escript"], async (
    { erl, escript },
    t,
  ) => {
    if (await lacks(t, erl, "ftp")) return;
    await using service = await startFiles({ ftp: { tls } });
    const port = String(service.endpoint("ftp").port);
    const seen = await call(escript, "ftp.escript", port, mode, String(tls), String(DOWNLOADS));
    assertEquals(seen, { same: DOWNLOADS, names: "box/b.bin", missing: "epath" });
    assertEquals(operations(service), [
      "upload /a.bin",
      "mkdir /box",
      "rename /a.bin /box/b.bin",
      "upload /box/b.bin",
      "upload /chunks",
    ]);
  });
}

clientTest("Erlang's ssh_sftp and tftp store and read files", ["erl", "escript"], async (
  { erl, escript },
  t,
) => {
  for (const library of ["ssh", "tftp"]) if (await lacks(t, erl, library)) return;
  await using service = await startFiles();
  const ports = ["sftp", "tftp"].map((name) => String(service.endpoint(name).port));
  const seen = await call(escript, "sftp_tftp.escript", ...ports);
  assertEquals(seen, { sftp: [true, true, true], tftp: [true, true], missing: "enoent" });
  assertEquals(operations(service), [
    ...["/ssh-ed25519", "/rsa-sha2-512", "/rsa-sha2-256"].flatMap((folder) => [
      `upload ${folder}.part`,
      `mkdir ${folder}`,
      `rename ${folder}.part ${folder}/done`,
    ]),
    "upload /plain.bin",
    "upload /blocks.bin",
  ]);
});
