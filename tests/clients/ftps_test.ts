/** FTP within TLS (RFC 4217), by clients that check the certificate. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  clientTest,
  findProgram,
  requireNode,
  runOk,
  runProgram,
  skipTest,
} from "../support/clients.ts";
import {
  content,
  fileEvents,
  noise,
  operations,
  paths,
  scratch,
  startFiles,
  until,
} from "../support/files.ts";
import type { TestService } from "../support/service.ts";

const SCRIPT = new URL("./python/ftps_calls.py", import.meta.url).pathname;
const SIZES = [0, 1, 1024 * 1024];
const ENDED = new TextEncoder().encode("no farewell");

interface Secure extends AsyncDisposable {
  readonly service: TestService;
  readonly port: number;
  /** A separate folder for this test. */
  readonly folder: string;
  readonly caFile: string;
}

/** A service that offers TLS over FTP, and its CA in a file. */
async function startSecure(): Promise<Secure> {
  const folder = await scratch();
  const service = await startFiles({ ftp: { tls: true } }, { ingress: { tls_dir: folder.path } });
  await (await fetch(`${service.api.url}/api/v1/tls/ca.pem`)).body?.cancel();
  return {
    service,
    port: service.endpoint("ftp").port,
    folder: folder.path,
    caFile: `${folder.path}/ca.pem`,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function protections(service: TestService): readonly unknown[] {
  return fileEvents(service).map(({ meta }) => meta.tls === true ? meta.prot : "none");
}

clientTest(
  "curl --ssl-reqd uploads, downloads and lists within TLS",
  ["curl"],
  async ({ curl }) => {
    await using secure = await startSecure();
    const { service, folder } = secure;
    const url = `ftp://127.0.0.1:${secure.port}`;
    const quiet = ["--silent", "--show-error", "--noproxy", "*", "--user", "ada:s3cret"];
    const trusting = [...quiet, "--cacert", secure.caFile];
    const run = (...args: string[]) => runOk(curl, [...trusting, "--ssl-reqd", ...args]);
    for (const size of SIZES) {
      await Deno.writeFile(`${folder}/up`, noise(size, size));
      await run("-T", `${folder}/up`, `${url}/dir/${size}`, "--ftp-create-dirs");
      assertEquals(await content(service, `/dir/${size}`), noise(size, size));
      await run("-o", `${folder}/down`, `${url}/dir/${size}`);
      assertEquals(await Deno.readFile(`${folder}/down`), noise(size, size));
    }
    assertEquals((await run("-l", `${url}/dir/`)).stdout.split(/\r?\n/), ["0", "1", "1048576", ""]);
    await run("-r", "1000-1999", "-o", `${folder}/part`, `${url}/dir/1048576`);
    assertEquals(await Deno.readFile(`${folder}/part`), noise(1048576, 1048576).slice(1000, 2000));
    await run("--tls-max", "1.2", "-T", `${folder}/up`, `${url}/old`);
    await runOk(curl, [...trusting, "--ftp-ssl-control", "-T", `${folder}/up`, `${url}/clear`]);
    // It requests a cleartext control connection, is refused, and continues.
    await run("--ftp-ssl-ccc", "-T", `${folder}/up`, `${url}/ccc`);
    assertEquals(protections(service), ["P", "P", "P", "P", "P", "C", "P"]);
  },
);

clientTest("curl without the CA sends nothing", ["curl"], async ({ curl }) => {
  await using secure = await startSecure();
  const url = `ftp://127.0.0.1:${secure.port}/a`;
  const args = ["--silent", "--noproxy", "*", "--ssl-reqd", "-T", "-", url];
  // CURLE_PEER_FAILED_VERIFICATION
  assertEquals((await runProgram(curl, args, { stdin: "x" })).code, 60);
  await until(() => secure.service.rejected.list({}).length > 0);
  assertMatch(secure.service.rejected.list({})[0]!.reason, /^Cannot agree on TLS/);
  assertEquals(await paths(secure.service), []);
});

clientTest("curl --ssl-reqd gives up if TLS is not offered", ["curl"], async ({ curl }) => {
  await using service = await startFiles();
  const url = `${service.endpoint("ftp").url}/a`;
  const args = ["--silent", "--noproxy", "*", "--ssl-reqd", "-T", "-", url];
  // CURLE_USE_SSL_FAILED
  assertEquals((await runProgram(curl, args, { stdin: "x" })).code, 64);
  assertEquals(operations(service), []);
});

clientTest("lftp with ftp:ssl-force mirrors, passive and active", ["lftp"], async ({ lftp }) => {
  await using secure = await startSecure();
  const { service, folder } = secure;
  await Deno.mkdir(`${folder}/up/sub`, { recursive: true });
  for (const size of SIZES) await Deno.writeFile(`${folder}/up/sub/${size}`, noise(size, size));
  const run = (script: string) =>
    runOk(lftp, [
      ...["-u", "ada,s3cret", "-p", String(secure.port), "127.0.0.1", "-e"],
      `set ssl:ca-file ${secure.caFile}; set ftp:ssl-force on; ${script}; bye`,
    ], { cwd: folder });
  await run("set ftp:ssl-protect-data on; mirror --parallel=3 -R up there; mirror there down");
  await run("set ftp:passive-mode off; put up/sub/1 -o active");
  // With the older name of TLS, data is protected at once, and PROT is not sent.
  await run("set ftp:ssl-auth SSL; put up/sub/1 -o older");
  await run("set ftp:ssl-protect-data off; put up/sub/1 -o clear");
  for (const size of SIZES) {
    assertEquals(await content(service, `/there/sub/${size}`), noise(size, size));
    assertEquals(await Deno.readFile(`${folder}/down/sub/${size}`), noise(size, size));
  }
  const found = new Map(fileEvents(service).map(({ payload, meta }) => [payload.path, meta.prot]));
  for (const path of ["/there/sub/0", "/there/sub/1048576", "/active", "/older"]) {
    assertEquals([path, found.get(path)], [path, "P"]);
  }
  assertEquals(found.get("/clear"), "C");
});

clientTest("ftplib's FTP_TLS, with and without a farewell", ["python3"], async ({ python3 }) => {
  await using secure = await startSecure();
  const { service } = secure;
  const { stdout } = await runOk(python3, [
    SCRIPT,
    "127.0.0.1",
    String(secure.port),
    secure.caFile,
  ]);
  assertEquals(JSON.parse(stdout), {
    "0": true,
    "1": true,
    "1048576": true,
    nlst: ["0.bin", "1.bin", "1048576.bin", "active.bin"],
    mlsd: ["0.bin", "1.bin", "1048576.bin", "active.bin"],
    ccc: "534",
    "in order": "226",
    reset: "426",
    bye: "221",
  });
  assertEquals(await content(service, "/ended.txt"), ENDED);
  assertEquals((await paths(service)).includes("/reset.txt"), false);
  assertEquals(protections(service), ["P", "P", "P", "P", "P", "C"]);
});

clientTest("ftplib killed within TLS leaves nothing", ["python3"], async ({ python3 }) => {
  await using secure = await startSecure();
  const child = new Deno.Command(python3, {
    args: [SCRIPT, "127.0.0.1", String(secure.port), secure.caFile, "half"],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    if (text.includes("half")) child.kill("SIGKILL");
  }
  await child.status;
  const { rejected } = secure.service;
  await until(() => rejected.list({}).length > 0);
  assertMatch(rejected.list({})[0]!.reason, /^Ended a transfer early/);
  assertEquals(await paths(secure.service), []);
  assertEquals(operations(secure.service), []);
});

Deno.test("basic-ftp with secure: true uploads, lists and downloads", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using secure = await startSecure();
  const { service, folder } = secure;
  // It ends the connection of an empty upload before the TLS handshake has: with vsftpd 3.0.3, too, most of them fail.
  const sizes = SIZES.filter((size) => size > 0);
  for (const size of sizes) await Deno.writeFile(`${folder}/${size}`, noise(size, size));
  const code = `import { readFileSync } from "node:fs";
import { Client } from "basic-ftp";
const client = new Client();
await client.access({
  host: "127.0.0.1", port: ${secure.port}, user: "ada", password: "s3cret", secure: true,
  secureOptions: { ca: readFileSync(${JSON.stringify(secure.caFile)}) },
});
for (const size of ${JSON.stringify(sizes)}) {
  await client.uploadFrom(${JSON.stringify(folder)} + "/" + size, String(size));
  await client.downloadTo(${JSON.stringify(folder)} + "/back" + size, String(size));
}
console.log(JSON.stringify((await client.list()).map(({ name, size }) => [name, size])));
client.close();`;
  const args = ["--input-type=module", "--eval", code];
  const { stdout } = await runOk(project.node, args, { cwd: project.folder });
  assertEquals(JSON.parse(stdout), sizes.map((size) => [String(size), size]));
  for (const size of sizes) {
    assertEquals(await content(service, `/${size}`), noise(size, size));
    assertEquals(await Deno.readFile(`${folder}/back${size}`), noise(size, size));
  }
  assertEquals(protections(service), ["P", "P"]);
});

clientTest("openssl s_client -starttls ftp talks within TLS", ["openssl"], async ({ openssl }) => {
  await using secure = await startSecure();
  const { stdout, stderr } = await runOk(openssl, [
    ...["s_client", "-connect", `127.0.0.1:${secure.port}`, "-starttls", "ftp", "-quiet"],
    ...["-CAfile", secure.caFile, "-verify_return_error"],
  ], { stdin: "USER ada\r\nPASS x\r\nMKD made\r\nQUIT\r\n" });
  assertMatch(stdout, /331 .*\r\n230 .*\r\n257 "\/made" created\r\n221 /);
  assertMatch(stderr, /CN = Standin/);
  assertEquals(operations(secure.service), ["mkdir /made"]);
  assert(fileEvents(secure.service)[0]?.meta.tls);
});

Deno.test("fifty clients upload within TLS at once", async (t) => {
  const curl = findProgram("curl");
  if (curl === undefined) return skipTest(t, "curl", "is not installed");
  await using secure = await startSecure();
  const { service, folder } = secure;
  const uploads = Array.from({ length: 50 }, async (_, i) => {
    await Deno.writeFile(`${folder}/${i}`, noise(20_000, i));
    await runOk(curl, [
      ...["--silent", "--show-error", "--noproxy", "*", "--ssl-reqd", "--cacert", secure.caFile],
      ...["-T", `${folder}/${i}`, `ftp://127.0.0.1:${secure.port}/all/${i}`, "--ftp-create-dirs"],
    ]);
  });
  await Promise.all(uploads);
  for (let i = 0; i < 50; i++) assertEquals(await content(service, `/all/${i}`), noise(20_000, i));
  assertEquals(fileEvents(service).filter(({ meta }) => meta.prot === "P").length, 51);
});
