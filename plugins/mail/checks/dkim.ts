import { placeIn } from "../../../core/checks/place.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { type DkimKey, parseKey } from "./dkim/key.ts";
import { fieldsOf, type Verdict, verifySignature } from "./dkim/verify.ts";
import type { MailSubject } from "./subject.ts";

/** Signatures that are verified; receivers stop after a few, too: RFC 6376 section 8.4. */
const MAX_SIGNATURES = 10;
/** RFC 8301 section 3.2: signers should have at least this. */
const GOOD_BITS = 2048;

/** Verifies DKIM signatures with the keys in the setting `dkim_keys`. */
export const dkimTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.dkim_verify",
      level: "error",
      about: "A DKIM signature does not verify with the key in the setting `dkim_keys`",
      source: "https://www.rfc-editor.org/rfc/rfc6376#section-6.1",
    },
    {
      id: "mail.dkim_unknown_key",
      level: "info",
      about:
        "The setting `dkim_keys` has keys, but not the one of this signature: it was not verified",
      source: "https://www.rfc-editor.org/rfc/rfc6376#section-6.1.2",
    },
    {
      id: "mail.dkim_key",
      level: "warning",
      about: "The key of a signature has fewer than 2048 bits, or is marked as a test key",
      source: "https://www.rfc-editor.org/rfc/rfc8301#section-3.2",
    },
    {
      id: "mail.dkim_length",
      level: "warning",
      about: "A signature covers only the beginning of the body (`l=`): anyone can append to it",
      source: "https://www.rfc-editor.org/rfc/rfc6376#section-8.2",
    },
  ],
  *find({ dkimKeys, signedHeader, event }) {
    if (signedHeader === undefined) return;
    const keys = new Map<string, DkimKey>();
    for (const [name, record] of Object.entries(dkimKeys)) {
      const key = parseKey(record);
      if (key.ok) keys.set(name.toLowerCase(), key.value);
    }
    if (keys.size === 0) return;
    const { text, bodyStart } = signedHeader;
    const fields = fieldsOf(text);
    const body = event.raw.body.subarray(bodyStart);
    const signatures = fields.filter((field) => /^dkim-signature[ \t]*:/i.test(field));
    for (const field of signatures.slice(0, MAX_SIGNATURES)) {
      const verdict = yield* verifySignature({ fields, body }, field, {
        keyOf: (name) => keys.get(name),
        nowMs: event.received_at.getTime(),
      });
      for (const found of findingsOf(verdict)) {
        yield {
          ...found,
          where: () => {
            const start = text.indexOf(field);
            return placeIn("headers", text, { start, end: start + field.length });
          },
        };
      }
    }
  },
};

function* findingsOf(verdict: Verdict): Generator<Found> {
  if (verdict.result === "fail") {
    yield { id: "mail.dkim_verify", message: `The signature does not verify: ${verdict.reason}` };
  } else if (verdict.result === "unknown") {
    yield {
      id: "mail.dkim_unknown_key",
      message: `Not verified: dkim_keys does not have ${verdict.name}`,
    };
  } else {
    const { key, tags } = verdict;
    if (key.type === "rsa" && key.bits < GOOD_BITS) {
      yield {
        id: "mail.dkim_key",
        message: `The key has ${key.bits} bits; use at least ${GOOD_BITS}`,
      };
    }
    if (key.flags.includes("y")) {
      yield {
        id: "mail.dkim_key",
        message: "The key has t=y: receivers treat the email as if it were not signed",
        source: "https://www.rfc-editor.org/rfc/rfc6376#section-3.6.1",
      };
    }
    if (tags.has("l")) {
      yield {
        id: "mail.dkim_length",
        message: `Only ${tags.get("l")} octets of the body are signed`,
      };
    }
  }
}
