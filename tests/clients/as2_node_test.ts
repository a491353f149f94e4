/**
 * libas2 on Node as a sending partner: it verifies the signature of every receipt, and its message.
 */
import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import type { As2Message } from "../../plugins/as2/model.ts";
import { OpenSslPartner } from "../support/as2_openssl.ts";
import { requireNode, runOk } from "../support/clients.ts";

// With a newer pkijs libas2 cannot sign.
const SCRIPT = `
import libas2 from "libas2";
import { readFileSync } from "node:fs";

const { AS2Composer, AS2Constants, AS2Disposition, request } = libas2;
const { ENCRYPTION, SIGNING } = AS2Constants;
const { BASE, FOLDER } = process.env;
const read = (name) => readFileSync(FOLDER + "/" + name, "utf8");
const [certificate, privateKey, service] = ["cert.pem", "key.pem", "standin.pem"].map(read);

async function send(name, { sign = false, encrypt = false, signing = SIGNING.SHA256 } = {}) {
  const composer = new AS2Composer({
    message: { content: "UNB+UNOA:1+A+B+240101:1200+9'", contentType: "application/edifact" },
    agreement: {
      host: {
        name: "Host", id: "libas2 partner", url: "http://127.0.0.1:1/", certificate, privateKey, sign,
        decrypt: false, mdn: { async: false, signing },
      },
      partner: {
        name: "Service", id: "Stand In", url: BASE + "/as2", file: "EDIFACT", certificate: service,
        encrypt, verify: false,
      },
    },
    additionalHeaders: { subject: name },
  });
  const message = await composer.compile();
  const answer = await (await request(await composer.toRequestOptions())).mime();
  const signed = signing ? await answer.verify({ cert: service }) !== undefined : "unsigned";
  const { notification } = await AS2Disposition.incoming(answer, signing ? { cert: service } : undefined);
  const mine = notification.originalMessageId === message.messageId();
  return [name, signed, mine, notification.disposition.processed];
}

const results = [await send("plain"), await send("receipt unsigned", { signing: false })];
for (const name of ["SHA1", "SHA256", "SHA384", "SHA512"]) {
  results.push(await send("signed " + name, { sign: SIGNING[name], signing: SIGNING[name] }));
}
for (const [name, encrypt] of Object.entries(ENCRYPTION)) {
  results.push(await send("encrypted " + name, { encrypt }));
}
const both = { sign: SIGNING.SHA256, encrypt: ENCRYPTION.AES256_GCM };
results.push(await send("signed, encrypted", both));
console.log(JSON.stringify(results));
`;

Deno.test("libas2 checks the signature of every receipt, and finds its message in it", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using partner = await OpenSslPartner.open(t);
  if (partner === undefined) return;
  const { service, folder } = partner;
  const { stdout } = await runOk(project.node, ["--input-type=module", "--eval", SCRIPT], {
    cwd: project.folder,
    env: { BASE: service.ingress.url, FOLDER: folder },
    timeoutMs: 60_000,
  });
  const results = JSON.parse(stdout) as [name: string, ...outcome: unknown[]][];
  assertEquals(results.length, 13);
  for (const [name, ...outcome] of results) {
    const signed = name === "receipt unsigned" ? "unsigned" : true;
    assertEquals([name, ...outcome], [name, signed, true, true]);
  }
  const events = service.events.list({ plugin: "as2" }) as CapturedEvent<As2Message>[];
  assertEquals(
    events.map(({ payload }) => payload.subject),
    results.map(([name]) => name).toReversed(),
  );
  for (const { payload } of events) {
    assertEquals([payload.subject, payload.issues], [payload.subject, undefined]);
    assertEquals(payload.payload.format, "edifact");
  }
  const layers = events[0]!.payload.layers?.map(({ kind, algorithm }) => `${kind} ${algorithm}`);
  // It appends the GCM tag to the ciphertext of a plain envelope.
  assertEquals(layers, ["encrypted AES-256-GCM, RSAES-OAEP", "signed RSA-SHA256"]);
  assertEquals(events[0]!.payload.security.signature?.signer_matched, true);
});
