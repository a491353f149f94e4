import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CA_FILE } from "../../core/tls/identity.ts";
import { assertGolden } from "../support/golden.ts";
import { runToEnd, startCli } from "./console.ts";

/** Runs with a separate home folder. */
async function withHome(run: (home: string) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir();
  try {
    await run(home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

const FREE_MAIL = ["mail", "--ui-port=0", "--in-port=0", "--smtp-port=0"];

/** The folder that the program derives from a home folder on this system. */
const OWN = Deno.build.os === "darwin"
  ? "Library/Application Support/standin/tls"
  : ".config/standin/tls";

Deno.test({
  name: "ca says where the CA is and how to make clients trust it",
  // The page describes the system it is printed on.
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withHome(async (home) => {
      const { code, stdout, stderr } = await runToEnd(["ca"], { env: { HOME: home } });
      assertEquals([code, stderr], [0, ""]);
      await assertGolden(
        stdout.replaceAll(home, "/home/ada"),
        new URL("golden/ca.txt", import.meta.url),
      );
    });
  },
});

Deno.test("ca --pem prints only the certificate, the same one every time", async () => {
  await withHome(async (home) => {
    const env = { HOME: home };
    const [first, second] = [
      await runToEnd(["ca", "--pem"], { env }),
      await runToEnd(["ca", "--pem"], { env }),
    ];
    assertMatch(
      first.stdout,
      /^-----BEGIN CERTIFICATE-----\n[^-]+\n-----END CERTIFICATE-----\n$/,
    );
    assertEquals(second, first);
    assertEquals(first.stdout, await Deno.readTextFile(`${home}/${OWN}/${CA_FILE}`));
  });
});

Deno.test("ca shows the CA that a running program serves", async () => {
  await withHome(async (home) => {
    const env = { HOME: home };
    const { stdout } = await runToEnd(["ca", "--pem"], { env });
    const run = startCli(FREE_MAIL, { env });
    const lines = await run.printed("standin providers");
    const api = lines.map((line) => /^ +api +(\S+)$/.exec(line)?.[1]).find(Boolean);
    const served = await (await fetch(`${api}/tls/ca.pem`)).text();
    run.askToStop();
    assertEquals((await run.ended).stderr, "");
    assertEquals(served, stdout);
  });
});

Deno.test("a program without TLS clients writes nothing", async () => {
  await withHome(async (home) => {
    const run = startCli(FREE_MAIL, { env: { HOME: home } });
    await run.printed("standin providers");
    run.askToStop();
    assertEquals((await run.ended).code, 0);
    assertEquals(await Array.fromAsync(Deno.readDir(home)), []);
  });
});

Deno.test("ca honors settings from file, variables and flags", async () => {
  await withHome(async (home) => {
    await Deno.writeTextFile(
      `${home}/standin.toml`,
      'host = "box"\n[ingress]\nport = 4711\ntls_dir = "certificates"\n',
    );
    const args = ["ca", "--config", `${home}/standin.toml`];
    const { stdout } = await runToEnd(args, { env: { HOME: home } });
    assertStringIncludes(stdout, `CA: ${home}/certificates/${CA_FILE}\n`);
    assertStringIncludes(stdout, "HTTPS_PROXY=http://box:4711\n");
    const any = await runToEnd([...args, "--ingress-port=0"], { env: { HOME: home } });
    assertStringIncludes(any.stdout, "HTTPS_PROXY=http://box:8822\n");
    const flag = await runToEnd([...args, "--tls-dir", `${home}/other`], {
      env: { SERVICE_INGRESS_PORT: "4712" },
    });
    assertStringIncludes(flag.stdout, `CA: ${home}/other/${CA_FILE}\n`);
    assertStringIncludes(flag.stdout, "HTTPS_PROXY=http://box:4712\n");
  });
});

Deno.test("a path with blanks is quoted", async () => {
  await withHome(async (home) => {
    const { stdout } = await runToEnd(["ca", "--tls-dir", `${home}/a b`], {});
    assertStringIncludes(stdout, `NODE_EXTRA_CA_CERTS="${home}/a b/${CA_FILE}"`);
  });
});

const REFUSED: readonly (readonly [
  env: Readonly<Record<string, string>>,
  error: string,
])[] = [
  [
    {},
    "Cannot tell where the CA is kept: the environment names no home folder; use --tls-dir",
  ],
  [
    { SERVICE_TLS_IN_MEMORY: "true" },
    "Cannot show a CA: [ingress] tls_in_memory generates a new one for every run; " +
    "fetch it from http://localhost:8811/api/v1/tls/ca.pem while the program runs",
  ],
  [
    { SERVICE_TLS_CERT_FILE: "c.pem", SERVICE_TLS_KEY_FILE: "k.pem" },
    "Cannot show a CA: the certificate comes from [ingress] tls_cert_file; trust its issuer",
  ],
];
for (const [env, error] of REFUSED) {
  Deno.test(`ca fails: ${error.slice(0, 60)}`, async () => {
    assertEquals(await runToEnd(["ca"], { env }), {
      code: 1,
      stdout: "",
      stderr: `Error: ${error}\n`,
    });
  });
}

Deno.test("ca fails when the folder is unusable, and says what to do", async () => {
  await withHome(async (home) => {
    await Deno.writeTextFile(`${home}/file`, "");
    const { code, stderr } = await runToEnd(["ca", "--tls-dir", `${home}/file/tls`], {});
    assertEquals(code, 1);
    assertMatch(stderr, /^Error: Cannot keep a CA in ".+\/file\/tls": .+; choose another folder/);
  });
});
