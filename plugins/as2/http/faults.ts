/** Faults of a receiver of AS2 messages: dispositions, and receipts that do not verify. */
import type { HttpFaults, HttpOutcome } from "../../../core/plugin.ts";
import type { As2State } from "../capture.ts";
import type { Issue } from "../model.ts";
import type { ReceiptFault } from "../receipt.ts";
import type { OPTIONS } from "./options.ts";
import { capturing, readEnvelope, readingOf } from "./request.ts";

const RFC4130 = "https://www.rfc-editor.org/rfc/rfc4130";
const DISPOSITION = `${RFC4130}#section-7.5.3`;

type Outcome = HttpOutcome<typeof OPTIONS, As2State>;
type About = Omit<Outcome, "answer" | "phases" | "captures">;

const RECEIPTS = new Map<string, ReceiptFault>();

/** Returns an outcome whose receipt is changed as in `fault`. */
function outcome(about: About, fault: ReceiptFault): Outcome {
  RECEIPTS.set(about.id, fault);
  return {
    ...about,
    phases: ["capture"],
    async answer({ call, env }) {
      const { answerOnly } = await capturing();
      return await answerOnly(call, env, readingOf(call, env, fault));
    },
  };
}

/** Returns an outcome with a faulty receipt whose message is captured. */
function capturingOutcome(about: About, fault: ReceiptFault): Outcome {
  return { ...outcome(about, fault), captures: true, answer: ({ handle }) => handle() };
}

function claim(code: string, detail: string): ReceiptFault {
  const issue: Issue = { code, detail, severity: "error" };
  return { claim: issue };
}

/** Outcomes of a message. */
export const FAULTS: HttpFaults<typeof OPTIONS, As2State> = {
  phases: {
    capture:
      "A message: payload has from, to, receipt, message_id, subject and content_type from its head",
    read: "The certificate for encryption",
  },
  subjects(call) {
    if (call.method === "GET") return [];
    const { about, ...head } = readEnvelope(call);
    return [{
      payload: { ...head, ...about },
      summary_parts: { from: head.from, to: [head.to] },
    }];
  },
  outcomes: [
    outcome({
      id: "decryption_failed",
      about: "The receipt says processed/Error: decryption-failed",
      source: DISPOSITION,
    }, claim("decryption-failed", "The message cannot be decrypted")),
    outcome({
      id: "authentication_failed",
      about: "The receipt says processed/Error: authentication-failed",
      source: DISPOSITION,
    }, claim("signature-invalid", "The sender cannot be authenticated")),
    outcome({
      id: "processing_error",
      about: "The receipt says processed/Error: unexpected-processing-error",
      source: DISPOSITION,
    }, claim("unparsable-body", "The message cannot be processed")),
    outcome({
      id: "no_receipt",
      about: "200 without the requested receipt",
      source: `${RFC4130}#section-7.1`,
    }, { none: true }),
    capturingOutcome({
      id: "wrong_mic",
      about: "Captured; the receipt has the digest of another message",
      source: `${RFC4130}#section-7.3.1`,
    }, { wrongMic: true }),
    capturingOutcome({
      id: "bad_receipt_signature",
      about: "Captured; the signature of the receipt does not verify, where one was requested",
      source: `${RFC4130}#section-7.3`,
    }, { badSignature: true }),
  ],
};

/** Returns how an outcome changes the receipt; `undefined` for network faults. */
export function receiptFault(outcome: string | undefined): ReceiptFault | undefined {
  return outcome === undefined ? undefined : RECEIPTS.get(outcome);
}
