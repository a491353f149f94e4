/** Asynchronous receipts (RFC 4130 section 7.2), and documents for the partner. */
import { type CallContext, defineCallbacks, type OutgoingCall } from "../../../core/plugin.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import { unknownName } from "../../../core/options/suggest.ts";
import type { As2State } from "../capture.ts";
import type { As2Message, MdnRecord } from "../model.ts";
import { signReport } from "../receipt.ts";
import type { OPTIONS } from "./options.ts";

type Context = CallContext<typeof OPTIONS, As2State>;

const RFC4130 = "https://www.rfc-editor.org/rfc/rfc4130";
const MINUTE_MS = 60_000;

export const CALLBACKS = defineCallbacks<typeof OPTIONS, As2State>({
  // RFC 4130 has no schedule.
  schedule: {
    delaysMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
    timeoutMs: 30_000,
    source: `${RFC4130}#section-7.2`,
  },
  kinds: {
    receipt: {
      label: "Send the receipt",
      about: "The receipt, to the address that the sender requested",
      source: `${RFC4130}#section-7.2`,
    },
  },
  applies: (_name, event) => asynchronous(event) !== undefined,
  async make({ event }, context) {
    const wanted = asynchronous(event);
    if (wanted === undefined) {
      throw new RangeError(
        'Cannot send "receipt": the message requested no receipt to an address (Receipt-Delivery-Option)',
      );
    }
    return [await receiptCall(wanted, context)];
  },
  async afterCapture(event, context) {
    const wanted = asynchronous(event);
    return wanted === undefined ? [] : [await receiptCall(wanted, context)];
  },
  inbound: {
    about: "A signed document that requests a signed receipt; the response has the receipt",
    source: `${RFC4130}#section-5.2`,
    example: { to: "partner", content_type: "application/edi-x12", document: "ISA*00*..." },
    make: async (payload, context) => ({ calls: [await documentCall(payload, context)] }),
  },
});

interface Wanted {
  readonly url: string;
  readonly mdn: MdnRecord;
}

function asynchronous({ type, payload }: CapturedEvent): Wanted | undefined {
  if (type !== "as2.message") return undefined;
  const { receipt: { async_url: url }, mdn } = payload as As2Message;
  return url === undefined || mdn === undefined ? undefined : { url, mdn };
}

async function receiptCall({ url, mdn }: Wanted, { env }: Context): Promise<OutgoingCall> {
  const body = mdn.blob === undefined
    ? new TextEncoder().encode(mdn.text ?? "")
    : await bytesOf(mdn.blob.id, env);
  const headers = Object.entries(mdn.headers ?? {}).filter(([name]) => name !== "server")
    .flatMap(([name, values]) => values.map((value) => [name, value] as const));
  return { name: "receipt", url, headers: [...headers, ["User-Agent", "standin"]], body };
}

async function bytesOf(id: string, { ctx }: Context["env"]): Promise<Uint8Array> {
  const opened = await ctx.blobs.open(id);
  if (opened === undefined) {
    throw new RangeError("Cannot send the receipt: it is no longer held");
  }
  return new Uint8Array(await new Response(opened.body).arrayBuffer());
}

const FIELDS = ["from", "to", "subject", "content_type", "document"];

async function documentCall(
  payload: Readonly<Record<string, unknown>>,
  { env, inbound }: Context,
): Promise<OutgoingCall> {
  for (const [name, value] of Object.entries(payload)) {
    if (!FIELDS.includes(name)) throw cannot(unknownName("field", name, FIELDS));
    if (typeof value !== "string") throw cannot(`expected ${name} as text`);
  }
  const {
    from = env.values.as2_to ?? "standin",
    to,
    subject = "Document",
    content_type,
    document,
  } = payload as Record<string, string>;
  if (to === undefined || document === undefined) throw cannot('expected "to" and "document"');
  if (inbound === undefined) {
    throw cannot("set [callbacks.inbound] http (--callbacks-inbound-http)");
  }
  const identity = await env.state.identity?.obtain();
  if (identity?.own === undefined) throw cannot(identity?.info.error ?? "the service has no key");
  const { key, certificate } = identity.own;
  const { ctx } = env;
  const signed = signReport({
    contentType: oneLine(content_type ?? "application/octet-stream"),
    body: document,
  }, {
    key,
    certificate,
    digest: "sha256",
    micalg: "sha-256",
    now: ctx.now(),
    uuid: ctx.uuid,
  });
  return {
    name: "document",
    url: inbound,
    headers: [
      ["AS2-Version", "1.1"],
      ["AS2-From", quoted(from)],
      ["AS2-To", quoted(to)],
      ["Message-ID", `<${ctx.uuid()}@standin>`],
      ["Subject", oneLine(subject)],
      ["Date", ctx.now().toUTCString()],
      ["MIME-Version", "1.0"],
      ["Content-Type", signed.contentType],
      ["Disposition-Notification-To", "standin@standin.invalid"],
      [
        "Disposition-Notification-Options",
        "signed-receipt-protocol=optional, pkcs7-signature; signed-receipt-micalg=optional, sha-256",
      ],
      ["User-Agent", "standin"],
    ],
    body: new TextEncoder().encode(signed.body),
  };
}

/** RFC 4130 section 6.2: a name with a space is quoted. */
function quoted(name: string): string {
  return /[\s"\\]/.test(name) ? `"${oneLine(name).replace(/["\\]/g, "\\$&")}"` : name;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}

function cannot(why: string): RangeError {
  return new RangeError(`Cannot send a document: ${why}`);
}
