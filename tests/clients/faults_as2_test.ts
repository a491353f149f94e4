/** Reactions of pyas2lib to AS2 faults. */
import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import type { As2Message } from "../../plugins/as2/model.ts";
import { withPyas2 } from "../support/pyas2.ts";

const OUTCOMES = [
  ...["decryption_failed", "authentication_failed", "processing_error", "no_receipt"],
  ...["wrong_mic", "bad_receipt_signature"],
];

Deno.test("pyas2lib reads every outcome from the receipt", async (t) => {
  await withPyas2(t, async ({ service, send }) => {
    const on = "as2/http";
    for (const subject of OUTCOMES) {
      await service.fault({ on, outcome: [subject], match: { subject } });
    }
    const match = { subject: "kept", from: "py partner" };
    await service.fault({ on, outcome: ["decryption_failed"], after: true, match });
    await service.fault({ on, outcome: ["wrong_mic"], after: true, match: { subject: "twice" } });
    assertEquals(await send(...OUTCOMES, "kept", "twice", "none"), [
      ["decryption_failed", "processed/Error", "decryption-failed"],
      ["authentication_failed", "processed/Error", "authentication-failed"],
      ["processing_error", "processed/Error", "unexpected-processing-error"],
      ["no_receipt", "no receipt", null],
      ["wrong_mic", "processed/warning", "Message Integrity check failed."],
      [
        "bad_receipt_signature",
        "failed/Failure",
        "Failed to parse received MDN. Failed to verify message signature: Message Digest does not match.",
      ],
      ["kept", "processed/Error", "decryption-failed"],
      ["twice", "processed/warning", "Message Integrity check failed."],
      ["none", "processed", null],
    ]);
    const events = service.events.list({ plugin: "as2" }) as CapturedEvent<As2Message>[];
    assertEquals(
      events.reverse().map(({ payload: { subject }, meta }) => [
        subject,
        meta.fault,
        meta.disposition,
      ]),
      [
        ["wrong_mic", "wrong_mic", PROCESSED],
        ["bad_receipt_signature", "bad_receipt_signature", PROCESSED],
        // The event has the receipt that was sent.
        ["kept", "decryption_failed", `${PROCESSED}/Error: decryption-failed`],
        ["twice", "wrong_mic", PROCESSED],
        ["none", undefined, PROCESSED],
      ],
    );
    assertEquals(
      service.rejected.list().map(({ reason }) => reason).reverse(),
      OUTCOMES.slice(0, 4).map((outcome) => `fault "${outcome}": ${outcome}`),
    );
    await service.fault({ on, outcome: "close", phase: "read" });
    assertEquals(
      await fetch(`${service.ingress.url}/as2/certificate`).catch(() => "closed"),
      "closed",
    );
  });
});

const PROCESSED = "automatic-action/MDN-sent-automatically; processed";
