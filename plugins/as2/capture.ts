/** Captures AS2 messages as events. */
import { reasonOf, StoreFullError } from "../../core/errors.ts";
import type { BlobRef } from "../../core/blobs/blob.ts";
import { toLine } from "../../core/bytes/line.ts";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import type { IngressCall, OptionSet, PluginState, ProviderEnv } from "../../core/plugin.ts";
import { inSlices } from "../../core/time_slice.ts";
import type { Bytes } from "./cms_crypto.ts";
import { toDocument } from "./document.ts";
import type { Identity, IdentityHolder } from "./identity.ts";
import { computeMics, firstKnown, micDigest } from "./mic.ts";
import { entityOfHttp } from "./mime.ts";
import type { As2Message, Issue, LayerKind, MdnRecord, Mic, Payload } from "./model.ts";
import { composeReceipt, NOT_SIGNED, type Receipt } from "./receipt.ts";
import { unwrap, type Unwrapped } from "./unwrap.ts";
import { assuranceOf, securityWords } from "./words.ts";

/** State of the as2 plugin: the identity that opens messages, once the provider runs. */
export interface As2State extends PluginState {
  identity?: IdentityHolder;
}

/** The parts of a provider's environment that capturing uses. */
export type As2Env = Pick<ProviderEnv<OptionSet, As2State>, "capture" | "ctx" | "state">;

/** Expectations of the settings. */
export interface Expectations {
  /** AS2 name that messages should be addressed to. */
  readonly to?: string | undefined;
  readonly maxBytes: number;
}

const NO_IDENTITY: Identity = { info: { configured: false, ready: false, source: "none" } };

/** Opens a message, captures it as an `as2.message` event, and answers with the requested receipt. */
export async function receive(
  call: IngressCall,
  env: As2Env,
  { envelope, ...expected }: Expectations & { readonly envelope: Envelope },
): Promise<Response> {
  const { headers } = call;
  const now = env.ctx.now();
  const identity = await env.state.identity?.obtain() ?? NO_IDENTITY;
  const outer = entityOfHttp(headers, call.body as Bytes);
  using lease = env.ctx.memory.lease();
  const unwrapped = await unwrap(outer, {
    now,
    room: (bytes) => lease.cover(bytes),
    maxBytes: expected.maxBytes,
    ...compact({ own: identity.own, partner: identity.partner }),
  });
  const { receipt } = envelope;
  const issues = [...unwrapped.issues, ...checkEnvelope(envelope, env, expected)];
  const asked = receipt.mic_algs ?? [];
  if (receipt.requested && asked.length > 0 && firstKnown(asked) === undefined) {
    const detail = `None of ${asked.join(", ")} is known; sha256 is used`;
    issues.push({ code: "unsupported-mic-algorithm", detail, severity: "warning" });
  }
  const named = micDigest(unwrapped, asked);
  const { mic, alternates } = computeMics(outer, unwrapped, named);
  const blobs: string[] = [];
  const payload = await storePayload(unwrapped, { env, issues, blobs });
  const content = { ...envelope, mic, alternates, issues, unwrapped, payload, blobs };
  const sent = receipt.requested
    ? answer(content, { identity, now, call, uuid: env.ctx.uuid })
    : undefined;
  const mdn = sent === undefined ? undefined : await recordMdn(sent, { env, blobs });
  const message = toMessage(content, mdn);
  env.capture<As2Message>({
    type: "as2.message",
    ...describe(message),
    meta: toMeta(message, call, expected),
    payload: message,
    raw: call.raw,
    blobs,
  });
  return sent === undefined
    ? new Response(null, { headers: { server: "standin" } })
    : new Response(sent.receipt.body, { headers: sent.headers });
}

/** Captures a message that was refused unread: too large, or with a broken content coding. */
export function captureRefused(
  call: IngressCall,
  env: As2Env,
  { envelope, issue }: {
    readonly envelope: Envelope;
    readonly issue: Pick<Issue, "code" | "detail">;
  },
): CapturedEvent<As2Message> {
  const { from, to, receipt, about } = envelope;
  const message: As2Message = {
    from,
    to,
    payload: { size: call.raw.body.length, recovered: true },
    receipt,
    security: { compressed: false, encrypted: false, signed: false },
    ...about,
    issues: [{ ...issue, severity: "error" }],
  };
  return env.capture<As2Message>({
    type: "as2.message",
    ...describe(message),
    meta: { ...toMeta(message, call, {}), truncated: issue.code === "body-too-large" },
    payload: message,
    raw: call.raw,
  });
}

/** The parsed head of a request. */
export interface Envelope {
  readonly from: string;
  readonly to: string;
  readonly receipt: As2Message["receipt"];
  readonly about: Pick<
    As2Message,
    "as2_version" | "content_type" | "date" | "message_id" | "subject" | "user_agent"
  >;
}

const REQUIRED = ["AS2-Version", "AS2-From", "AS2-To", "Message-ID"];

function checkEnvelope(envelope: Envelope, env: As2Env, expected: Expectations): Issue[] {
  const { from, to, receipt, about } = envelope;
  const given: readonly (string | undefined)[] = [about.as2_version, from, to, about.message_id];
  const missing = REQUIRED.filter((_, index) => !given[index]);
  const found: (readonly [code: string, detail: string])[] = [];
  if (missing.length > 0) found.push(["missing-header", `Absent: ${missing.join(", ")}`]);
  if (expected.to !== undefined && expected.to !== to) {
    found.push(["to-mismatch", `Addressed to "${to}", expected "${expected.to}"`]);
  }
  if (about.message_id !== undefined && isHeld(env, from, about.message_id)) {
    found.push(["duplicate-message-id", `A message ${about.message_id} from "${from}" is held`]);
  }
  if (receipt.async_url !== undefined) {
    found.push([
      "async-receipt-not-delivered",
      "An asynchronous receipt was requested; the receipt was sent at once, and nothing is delivered",
    ]);
  }
  if (receipt.requested && receipt.protocol !== undefined && !receipt.signed_requested) {
    found.push([
      "unsupported-receipt-protocol",
      `A receipt signed as "${receipt.protocol}" was requested; expected pkcs7-signature`,
    ]);
  }
  return found.map(([code, detail]) => ({ code, detail, severity: "warning" }));
}

function isHeld({ ctx }: As2Env, from: string, messageId: string): boolean {
  const match = ({ payload }: CapturedEvent): boolean => {
    const held = payload as As2Message;
    return held.message_id === messageId && held.from === from;
  };
  return ctx.events.list({ plugin: ctx.plugin }, { limit: 1, match }).length > 0;
}

async function storePayload(
  unwrapped: Unwrapped,
  { env, issues, blobs }: { env: As2Env; issues: Issue[]; blobs: string[] },
): Promise<Payload> {
  const { bytes, about } = await inSlices(toDocument(unwrapped));
  const { content_type, filename } = about;
  const blob = await store(bytes, {
    ...compact({ content_type, filename }),
  }, { env, blobs });
  if (blob !== undefined) return { ...about, blob };
  const detail = "The store has no room for the document; it is in the raw message only";
  issues.push({ code: "payload-not-stored", detail, severity: "warning" });
  return about;
}

async function store(
  bytes: Uint8Array,
  about: { content_type?: string; filename?: string },
  { env, blobs }: { env: As2Env; blobs: string[] },
): Promise<BlobRef | undefined> {
  try {
    const ref = await env.ctx.blobs.put(bytes, about);
    blobs.push(ref.id);
    return ref;
  } catch (error) {
    if (error instanceof StoreFullError) return undefined;
    throw error;
  }
}

interface Content extends Envelope {
  readonly mic: As2Message["mic"];
  readonly alternates: readonly Mic[];
  readonly issues: Issue[];
  readonly unwrapped: Unwrapped;
  readonly payload: Payload;
  readonly blobs: string[];
}

interface Sent {
  readonly receipt: Receipt;
  readonly headers: Headers;
  readonly messageId: string;
}

function answer(
  content: Content,
  { identity: { own }, now, call, uuid }: {
    identity: Identity;
    now: Date;
    call: IngressCall;
    uuid: () => string;
  },
): Sent {
  const { from, to, about, mic, issues, receipt: wish, unwrapped } = content;
  if (wish.signed_requested && own === undefined) {
    const detail = "The receipt is unsigned: the service has no key, see its identity";
    issues.push({ code: "identity-not-ready", detail, severity: "warning" });
  }
  const named = firstKnown(wish.mic_algs ?? []) ?? micDigest(unwrapped, []);
  const base = { from, to, messageId: about.message_id, mic, issues, now, uuid };
  const signer = wish.signed_requested && own !== undefined
    ? { key: own.key, certificate: own.certificate, digest: named.digest, micalg: named.spelled }
    : undefined;
  const receipt = compose(base, signer, issues);
  const messageId = `<${uuid()}@standin>`;
  const headers = new Headers({
    "MIME-Version": "1.0",
    "AS2-Version": "1.1",
    "Message-ID": messageId,
    "Date": now.toUTCString(),
    "Content-Type": receipt.contentType,
    "Server": "standin",
  });
  // Swapped, and exactly as received, including quotes.
  for (const [name, source] of [["AS2-From", "as2-to"], ["AS2-To", "as2-from"]] as const) {
    const value = call.headers.get(source);
    if (value !== null) headers.set(name, value);
  }
  return { receipt, headers, messageId };
}

function compose(
  base: Parameters<typeof composeReceipt>[0],
  signer: Parameters<typeof composeReceipt>[0]["signer"],
  issues: Issue[],
): Receipt {
  if (signer === undefined) return composeReceipt(base);
  try {
    return composeReceipt({ ...base, signer });
  } catch (error) {
    const detail = `The receipt is unsigned: ${reasonOf(error)}`;
    issues.push({ code: NOT_SIGNED, detail, severity: "error" });
    return composeReceipt(base);
  }
}

async function recordMdn(
  { receipt, headers, messageId }: Sent,
  place: { env: As2Env; blobs: string[] },
): Promise<MdnRecord> {
  const blob = await store(receipt.body, { content_type: receipt.contentType }, place);
  return {
    disposition: receipt.disposition,
    message_id: messageId,
    signed: receipt.micalg !== undefined,
    size: receipt.body.length,
    status: 200,
    ...(blob === undefined ? { text: new TextDecoder().decode(receipt.body) } : { blob }),
    headers: Object.fromEntries([...headers].map(([name, value]) => [name, [value]])),
    human_text: receipt.humanText,
    ...compact({ micalg: receipt.micalg, received_content_mic: receipt.receivedContentMic }),
  };
}

function toMessage(content: Content, mdn: MdnRecord | undefined): As2Message {
  const { from, to, receipt, about, mic, alternates, issues, unwrapped, payload } = content;
  const { layers, compression, encryption, signature } = unwrapped;
  const has = (kind: LayerKind): boolean => layers.some((layer) => layer.kind === kind);
  return {
    from,
    to,
    payload,
    receipt,
    security: {
      compressed: has("compressed"),
      encrypted: has("encrypted"),
      signed: has("signed"),
      ...compact({ compression, encryption, signature }),
    },
    ...(alternates.length === 0 ? {} : { alternate_mics: [...alternates] }),
    ...about,
    ...compact({
      issues: issues.length === 0 ? undefined : issues,
      layers: layers.length === 0 ? undefined : [...layers],
      mdn,
      mic,
    }),
  };
}

function describe(message: As2Message) {
  const { from, to, payload, subject, message_id } = message;
  const words = securityWords(message).join("+") || "plain";
  const parts = [payload.format, words].filter((word) => word !== undefined);
  return {
    summary: `${from} -> ${to}: ${parts.join(" ")}`,
    summary_parts: {
      from,
      to: to === "" ? [] : [to],
      title: toLine(subject ?? payload.filename ?? message_id),
      snippet: toLine(payload.preview),
    },
  };
}

function toMeta(
  message: As2Message,
  { headers }: IngressCall,
  { to: expected }: Pick<Expectations, "to">,
): Readonly<Record<string, unknown>> {
  const authorization = headers.get("authorization");
  return {
    security: securityWords(message).join("+") || "plain",
    assurance: assuranceOf(message),
    issues: (message.issues ?? []).map(({ code }) => code),
    ...compact({ disposition: message.mdn?.disposition }),
    ...(expected === undefined
      ? {}
      : { as2_to_expected: expected, as2_to_matched: expected === message.to }),
    ...compact({ authorization: authorization ?? undefined }),
  };
}
