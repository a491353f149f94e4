/** The install script, run by real shells against a release on this machine. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { encodeHex } from "@std/encoding/hex";
import { createAuthority, issueCertificate } from "../../core/tls/generate.ts";
import { clientTest, findProgram, runOk, runProgram } from "../support/clients.ts";

const SCRIPT = new URL("../../scripts/release/install.sh", import.meta.url);
const PROGRAM = "#!/bin/sh\necho standin 9.9.9\n";
const NAME = `standin-${Deno.build.os === "darwin" ? "macos" : "linux"}-${
  Deno.build.arch === "aarch64" ? "arm64" : "x64"
}`;

async function sums(program: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(program));
  return `${"0".repeat(64)}  standin-other-x64\n${encodeHex(new Uint8Array(bytes))}  ${NAME}\n`;
}

/** A release of these files at an address, and a folder to install into. */
async function release(files: Readonly<Record<string, string>>) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const file = files[new URL(url).pathname.slice("/v9/".length)];
    return file === undefined ? new Response(null, { status: 404 }) : new Response(file);
  });
  const home = await Deno.makeTempDir();
  return {
    url: `http://127.0.0.1:${server.addr.port}/v9/`,
    home,
    bin: `${home}/.local/bin`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(home, { recursive: true });
    },
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).toSorted();
}

/** Environment without the variables of the test's own process. */
function run(shell: string, env: Readonly<Record<string, string>>, args = [SCRIPT.pathname]) {
  return runProgram(shell, args, { env: { STANDIN_BASE_URL: "", STANDIN_DIR: "", ...env } });
}

for (const name of ["sh", "dash", "bash", "zsh"] as const) {
  clientTest(
    `${name} installs a release with a matching checksum over an older one`,
    [name],
    async (found) => {
      const shell = found[name];
      await using at = await release({ SHA256SUMS: await sums(PROGRAM), [NAME]: PROGRAM });
      await Deno.mkdir(at.bin, { recursive: true });
      await Deno.writeTextFile(`${at.bin}/standin`, "old");
      const { code, stdout, stderr } = await run(shell, {
        HOME: at.home,
        STANDIN_BASE_URL: at.url,
      });
      assertEquals([code, stderr], [0, ""]);
      assertStringIncludes(stdout, `Installed ${at.bin}/standin\n`);
      assertStringIncludes(stdout, "to PATH");
      assertEquals((await runOk(`${at.bin}/standin`, [])).stdout, "standin 9.9.9\n");
      assertEquals(await namesIn(at.bin), ["standin"]);
    },
  );

  clientTest(
    `${name} leaves the installed program alone when the release does not match`,
    [name],
    async (found) => {
      const shell = found[name];
      const cases: readonly (readonly [files: Record<string, string>, said: string])[] = [
        [{ SHA256SUMS: await sums("another"), [NAME]: PROGRAM }, "nothing was installed"],
        [{ SHA256SUMS: await sums(PROGRAM) }, `could not fetch`],
        [{ [NAME]: PROGRAM }, "/SHA256SUMS"],
        [{ SHA256SUMS: "", [NAME]: PROGRAM }, `the release has no ${NAME}`],
        [{ SHA256SUMS: `x  ${NAME}2\n`, [NAME]: PROGRAM }, `the release has no ${NAME}`],
      ];
      for (const [files, said] of cases) {
        await using at = await release(files);
        const dir = `${at.home}/a folder`;
        await Deno.mkdir(dir);
        await Deno.writeTextFile(`${dir}/standin`, "old");
        const env = { HOME: at.home, STANDIN_BASE_URL: at.url, STANDIN_DIR: dir };
        const { code, stderr } = await run(shell, env);
        assertEquals(code, 1);
        assertStringIncludes(stderr, "Cannot install standin: ");
        assertStringIncludes(stderr, said);
        assertEquals(await namesIn(dir), ["standin"]);
        assertEquals(await Deno.readTextFile(`${dir}/standin`), "old");
      }
    },
  );

  clientTest(
    `${name} reports a missing release address, unless one is built in`,
    [name],
    async (found) => {
      const shell = found[name];
      await using at = await release({ SHA256SUMS: await sums(PROGRAM), [NAME]: PROGRAM });
      const { code, stderr } = await run(shell, { HOME: at.home });
      assertEquals(code, 1);
      assertStringIncludes(stderr, "STANDIN_BASE_URL");
      const baked = `${at.home}/install.sh`;
      const text = await Deno.readTextFile(SCRIPT);
      await Deno.writeTextFile(baked, text.replaceAll("@STANDIN_BASE_URL@", at.url));
      assertEquals((await run(shell, { HOME: at.home }, [baked])).code, 0);
      assertEquals(await namesIn(at.bin), ["standin"]);
    },
  );
}

clientTest(
  "curl does not follow a redirect from HTTPS to HTTP",
  ["sh", "curl"],
  async ({ sh }) => {
    await using clear = await release({ SHA256SUMS: await sums(PROGRAM), [NAME]: PROGRAM });
    const authority = await createAuthority({ name: "Test CA", days: 1, now: new Date() });
    const leaf = await issueCertificate(authority, {
      name: "Test",
      days: 1,
      hosts: ["127.0.0.1"],
      now: new Date(),
    });
    const ca = `${clear.home}/ca.pem`;
    await Deno.writeTextFile(ca, authority.cert);
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {}, cert: leaf.cert, key: leaf.key },
      ({ url }) => Response.redirect(clear.url + new URL(url).pathname.slice("/v9/".length)),
    );
    const { code, stderr } = await run(sh, {
      HOME: clear.home,
      STANDIN_BASE_URL: `https://127.0.0.1:${server.addr.port}/v9`,
      CURL_CA_BUNDLE: ca,
    });
    assertEquals(code, 1);
    assertStringIncludes(stderr, 'Protocol "http" not supported or disabled');
    assertEquals(await namesIn(clear.bin), []);
  },
);

clientTest("without curl, wget fetches the release", ["sh", "wget"], async ({ sh }) => {
  await using at = await release({ SHA256SUMS: await sums(PROGRAM), [NAME]: PROGRAM });
  const tools = `${at.home}/tools`;
  await Deno.mkdir(tools);
  for (
    const name of [
      "wget",
      "uname",
      "mkdir",
      "mktemp",
      "rm",
      "awk",
      "sha256sum",
      "cut",
      "chmod",
      "mv",
    ]
  ) {
    const program = findProgram(name);
    if (program !== undefined) await Deno.symlink(program, `${tools}/${name}`);
  }
  const env = { HOME: at.home, STANDIN_BASE_URL: at.url, PATH: tools };
  const { code, stderr } = await run(sh, env);
  assertEquals([code, stderr], [0, ""]);
  assertEquals(await namesIn(at.bin), ["standin"]);
});

clientTest("a script truncated in transit does nothing", ["sh"], async ({ sh }) => {
  const text = await Deno.readTextFile(SCRIPT);
  for (let at = text.indexOf("set -eu"); at < text.lastIndexOf("main"); at += 97) {
    const home = await Deno.makeTempDir();
    try {
      const args = ["-c", text.slice(0, at)];
      await run(sh, { HOME: home, STANDIN_BASE_URL: "http://127.0.0.1:1" }, args);
      assertEquals(await namesIn(home), [], `cut at ${at}`);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  }
});
