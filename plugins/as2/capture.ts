/** Captures AS2 messages as events. */
import { noteHeld } from "../../core/http/answer.ts";
import { reasonOf, StoreFullError } from "../../core/errors.ts";
import type { BlobRef } from "../../core/blobs/blob.ts";
import { toLine } from "../../core/bytes/text.ts";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import type { MemoryLease } from "../../core/memory/lease.ts";
import type { IngressCall, OptionSet, PluginState, ProviderEnv } from "../../core/plugin.ts";
import { inSlices } from "../../core/time_slice.ts";
import type { Bytes } from "./cms_crypto.ts";
import { toDocument } from "./document.ts";
import type { Identity, IdentityHolder } from "./identity.ts";
import { computeMics, firstKnown, micDigest } from "./mic.ts";
import { entityOfHttp } from "./mime.ts";
import type { As2Message, Issue, LayerKind, MdnRecord, Mic, Payload } from "./model.ts";
import {
  composeReceipt,
  NOT_SIGNED,
  type Receipt,
  type ReceiptAbout,
  type ReceiptFault,
} from "./receipt.ts";
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

/** A message before its body is opened, and its results. */
export interface Reading extends Expectations {
  readonly envelope: Envelope;
  /** How a fault changes the receipt. */
  readonly fault?: ReceiptFault | undefined;
}

/** Opens a message, captures it as an `as2.message` event, and answers with the requested receipt. */
export async function receive(
  call: IngressCall,
  env: As2Env,
  reading: Reading,
): Promise<Response> {
  using lease = env.ctx.memory.lease();
  const opened = await openMessage(call, env, { reading, lease });
  const blobs: string[] = [];
  const { unwrapped, issues } = opened.content;
  const payload = await storePayload(unwrapped, { env, issues, blobs });
  const sent = answer(opened, { reading, call });
  const mdn = sent === undefined ? undefined : await recordMdn(sent, { env, blobs });
  const message = toMessage({ ...opened.content, payload }, mdn);
  env.capture<As2Message>({
    type: "as2.message",
    ...describe(message),
    meta: toMeta(message, call, reading),
    payload: message,
    raw: call.raw,
    blobs,
  });
  // RFC 4130 section 7.2: the response to the request is empty then.
  return toResponse(isAsynchronous(reading.envelope, env) ? undefined : sent);
}

/** Returns whether the receipt is sent in a separate request. */
function isAsynchronous({ receipt }: Envelope, { ctx }: As2Env): boolean {
  return receipt.async_url !== undefined && ctx.callsBack === true;
}

/** Opens a message and answers with the receipt, without capturing it. */
export async function answerOnly(
  call: IngressCall,
  env: As2Env,
  reading: Reading,
): Promise<Response> {
  using lease = env.ctx.memory.lease();
  return toResponse(answer(await openMessage(call, env, { reading, lease }), { reading, call }));
}

/** A message whose layers are open. */
interface OpenedMessage {
  readonly content: Omit<Content, "payload">;
  readonly identity: Identity;
  readonly now: Date;
  readonly uuid: () => string;
}

async function openMessage(
  { headers, body }: IngressCall,
  env: As2Env,
  { reading: { envelope, ...expected }, lease }: { reading: Reading; lease: MemoryLease },
): Promise<OpenedMessage> {
  const now = env.ctx.now();
  const identity = await env.state.identity?.obtain() ?? NO_IDENTITY;
  const outer = entityOfHttp(headers, body as Bytes);
  const unwrapped = await unwrap(outer, {
    now,
    room: (bytes) => lease.cover(bytes),
    waste: (bytes) => lease.waste(bytes),
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
  const { mic, alternates } = computeMics(outer, unwrapped, micDigest(unwrapped, asked));
  const content = { ...envelope, mic, alternates, issues, unwrapped };
  return { content, identity, now, uuid: env.ctx.uuid };
}

function toResponse(sent: Sent | undefined): Response {
  return sent === undefined ? new Response(null, { headers: { server: "standin" } }) : noteHeld(
    new Response(sent.receipt.body, { headers: sent.headers }),
    sent.receipt.body.length,
  );
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
    found.push(["to-mismatch", `Addressed to "${to}"; expected "${expected.to}"`]);
  }
  if (about.message_id !== undefined && isHeld(env, from, about.message_id)) {
    found.push([
      "duplicate-message-id",
      `A message ${about.message_id} from "${from}" was captured before`,
    ]);
  }
  if (receipt.async_url !== undefined && !isAsynchronous(envelope, env)) {
    found.push([
      "async-receipt-not-delivered",
      "An asynchronous receipt was requested; the receipt was sent at once, and nothing will be delivered",
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
  const detail = "The store has no room for the document; it is only in the raw message";
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
}

interface Sent {
  readonly receipt: Receipt;
  readonly headers: Headers;
  readonly messageId: string;
}

/** Returns the receipt, unless none is requested or a fault withholds it. */
function answer(
  { content, identity: { own }, now, uuid }: OpenedMessage,
  { reading: { fault = {} }, call }: { reading: Reading; call: IngressCall },
): Sent | undefined {
  const { from, to, about, issues, receipt: wish, unwrapped } = content;
  if (!wish.requested || fault.none) return undefined;
  if (wish.signed_requested && own === undefined) {
    const detail = "The receipt is unsigned: the service has no key, see its identity";
    issues.push({ code: "identity-not-ready", detail, severity: "warning" });
  }
  const named = firstKnown(wish.mic_algs ?? []) ?? micDigest(unwrapped, []);
  const mic = fault.wrongMic && content.mic !== undefined
    ? { ...content.mic, digest: anotherDigest(content.mic.digest) }
    : content.mic;
  const base = { from, to, messageId: about.message_id, mic, now, uuid };
  const signer = wish.signed_requested && own !== undefined
    ? {
      ...{ key: own.key, certificate: own.certificate },
      ...{ digest: named.digest, micalg: named.spelled },
      ...compact({ isBad: fault.badSignature }),
    }
    : undefined;
  const receipt = compose({ base, signer, issues, claim: fault.claim });
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

function anotherDigest(base64: string): string {
  const bytes = Uint8Array.fromBase64(base64);
  bytes[0]! ^= 1;
  return bytes.toBase64();
}

function compose(
  { base, signer, issues, claim }: {
    base: Omit<ReceiptAbout, "issues" | "signer">;
    signer: ReceiptAbout["signer"];
    issues: Issue[];
    claim: Issue | undefined;
  },
): Receipt {
  const told = (): readonly Issue[] => claim === undefined ? issues : [claim, ...issues];
  if (signer === undefined) return composeReceipt({ ...base, issues: told() });
  try {
    return composeReceipt({ ...base, issues: told(), signer });
  } catch (error) {
    const detail = `The receipt is unsigned: ${reasonOf(error)}`;
    issues.push({ code: NOT_SIGNED, detail, severity: "error" });
    return composeReceipt({ ...base, issues: told() });
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
