/** Asynchronous receipts that openssl checks, and documents for the partner. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { as2 } from "../../plugins/as2/mod.ts";
import { findProgram, runOk, skipTest } from "../support/clients.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

Deno.test("openssl verifies an asynchronous receipt, and a document sent to the application", async (t) => {
  const openssl = findProgram("openssl");
  if (openssl === undefined) return skipTest(t, "openssl", "is not installed");
  const folder = await Deno.makeTempDir();
  await using app = startReceiver();
  await using service = await startService({
    plugins: [as2],
    config: { callbacks: { enabled: true, inbound: { http: `${app.url}/inbox` } } },
  });
  try {
    const pem = await (await fetch(`${service.ingress.url}/as2/certificate`)).text();
    await Deno.writeTextFile(`${folder}/standin.pem`, pem);
    const verify = async ({ headers, body }: { headers: Headers; body: string }) => {
      const type = headers.get("content-type");
      await Deno.writeTextFile(`${folder}/in.eml`, `Content-Type: ${type}\r\n\r\n${body}`);
      const args = ["cms", "-verify", "-in", "in.eml", "-CAfile", "standin.pem", "-purpose", "any"];
      return (await runOk(openssl, args, { cwd: folder })).stdout;
    };
    const sent = await fetch(`${service.ingress.url}/as2`, {
      method: "POST",
      body: "ISA*00*\r\n",
      headers: {
        "content-type": "application/edi-x12",
        "as2-version": "1.1",
        "as2-from": '"My Partner"',
        "as2-to": "standin",
        "message-id": "<1@partner>",
        "disposition-notification-to": "partner@example.com",
        "disposition-notification-options":
          "signed-receipt-protocol=optional, pkcs7-signature; signed-receipt-micalg=optional, sha-256",
        "receipt-delivery-option": `${app.url}/mdn`,
      },
    });
    assertEquals([sent.status, await sent.text()], [200, ""]);
    const event = await service.waitFor<
      { issues?: unknown[]; mdn: { received_content_mic: string } }
    >(
      "as2.message",
    );
    assertEquals(event.payload.issues, undefined);
    await service.getJson(`/events/${event.id}/callbacks?wait=1`);
    const [mdn] = app.received;
    assertEquals([new URL(mdn!.url).pathname, mdn?.headers.get("as2-to")], [
      "/mdn",
      '"My Partner"',
    ]);
    const report = await verify(mdn!);
    assertStringIncludes(report, "Original-Message-ID: <1@partner>");
    assertStringIncludes(report, `Received-Content-MIC: ${event.payload.mdn.received_content_mic}`);
    assertMatch(report, /Disposition: automatic-action\/MDN-sent-automatically; processed\r?\n/);
    const again = await service.callback(event, "receipt");
    assertEquals(again[0]?.state, "done");

    const { calls: [call] } = await service.inbound("http", {
      to: "My Partner",
      content_type: "application/edi-x12",
      document: "ISA*00*\r\n",
    });
    assertEquals(call?.state, "done");
    const document = app.received.at(-1)!;
    assertEquals(document.headers.get("as2-to"), '"My Partner"');
    assert((await verify(document)).includes("ISA*00*"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
