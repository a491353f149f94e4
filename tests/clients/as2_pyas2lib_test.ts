/** pyas2lib, an AS2 implementation of Python: it sends, and it judges the receipts. */
import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { as2 } from "../../plugins/as2/mod.ts";
import type { As2Message } from "../../plugins/as2/model.ts";
import { findProgram, requirePython, runOk, skipTest } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("pyas2lib matches the digest of every receipt, and checks its signature", async (t) => {
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
        plugins: { as2: { providers: { http: { partner_cert_file: `${folder}/cert.pem` } } } },
      },
    });
    const certificate = await (await fetch(`${service.ingress.url}/as2/certificate`)).text();
    await Deno.writeTextFile(`${folder}/standin.pem`, certificate);
    const script = new URL("python/as2_calls.py", import.meta.url).pathname;
    const args = [script, service.ingress.url, `${folder}/standin.pem`, `${folder}/own.pem`];
    const { stdout } = await runOk(python, args, { timeoutMs: 60_000 });
    const results = JSON.parse(stdout) as [name: string, status: string, detail: unknown][];
    assertEquals(results.length, 14);
    for (const result of results) assertEquals(result, [result[0], "processed", null]);
    const events = service.events.list({ plugin: "as2" }) as CapturedEvent<As2Message>[];
    assertEquals(
      events.map(({ payload }) => payload.subject),
      results.map(([name]) => name).reverse(),
    );
    for (const { payload } of events) {
      assertEquals([payload.subject, payload.issues], [payload.subject, undefined]);
      assertEquals(payload.payload.format, "edifact");
      assertEquals(payload.payload.filename, "order.edi");
    }
    const all = events.find(({ payload }) => payload.subject === "all");
    assert(all !== undefined);
    assertEquals(all.payload.layers?.map(({ kind }) => kind), [
      "encrypted",
      "signed",
      "compressed",
    ]);
    assertEquals(all.payload.security.compression?.placement, "before-signing");
    assertEquals(all.meta.assurance, "intact-partner");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
