/** pyas2lib as the partner of a service; each has the other's certificate. */
import { as2 } from "../../plugins/as2/mod.ts";
import { findProgram, requirePython, runOk, skipTest } from "./clients.ts";
import { startService, type TestService } from "./service.ts";

/** pyas2lib's verdict on the receipt of one message. */
export type ReceiptVerdict = readonly [subject: string, status: string, detail: unknown];

/**
 * Runs a test with a service and a way to send: the usual messages, a signed one for each subject, or with `--later` one
 * whose receipt is asynchronous.
 */
export async function withPyas2(
  t: Deno.TestContext,
  run: (
    partner: {
      service: TestService;
      send: (...subjects: string[]) => Promise<ReceiptVerdict[]>;
    },
  ) => Promise<void>,
): Promise<void> {
  const openssl = findProgram("openssl");
  if (openssl === undefined) return skipTest(t, "openssl", "is not installed");
  const python = await requirePython(t);
  if (python === undefined) return;
  const folder = await Deno.makeTempDir();
  try {
    const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=py"];
    await runOk(openssl, [...request, "-keyout", "own.pem", "-out", "cert.pem"], { cwd: folder });
    const partner = await Deno.readTextFile(`${folder}/cert.pem`);
    await Deno.writeTextFile(`${folder}/own.pem`, partner, { append: true });
    await using service = await startService({
      plugins: [as2],
      config: {
        callbacks: { enabled: true },
        plugins: { as2: { providers: { http: { partner_cert_file: `${folder}/cert.pem` } } } },
      },
    });
    const certificate = await (await fetch(`${service.ingress.url}/as2/certificate`)).text();
    await Deno.writeTextFile(`${folder}/standin.pem`, certificate);
    const script = new URL("../clients/python/as2_calls.py", import.meta.url).pathname;
    const args = [script, service.ingress.url, `${folder}/standin.pem`, `${folder}/own.pem`];
    await run({
      service,
      async send(...subjects) {
        const { stdout } = await runOk(python, [...args, ...subjects], { timeoutMs: 60_000 });
        return JSON.parse(stdout);
      },
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
