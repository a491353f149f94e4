/** Serves a connection. */
import { isText } from "../../../core/bytes/text.ts";
import { compact } from "../../../core/compact.ts";
import type { RawRecord } from "../../../core/events/event.ts";
import { matchesSecret } from "../../../core/http/auth.ts";
import { FaultEnd } from "../../../core/net/network_fault.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { largestWork } from "../../../core/memory/size.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import { inSlices } from "../../../core/time_slice.ts";
import { captureMail, type MailState } from "../capture.ts";
import { toFaultSubject } from "../fault_subject.ts";
import { draftFromMime } from "../from_mime.ts";
import type { Credentials } from "./codec/sasl.ts";
import {
  type ReceivedMessage,
  SmtpError,
  type SmtpHandler,
  type SmtpLimits,
} from "./conversation.ts";
import { applyFault, askPhase } from "./faults.ts";
import type { OPTIONS } from "./options.ts";
import { serveSmtp } from "./session.ts";

/** Serves a connection to its end. */
export async function serve(
  wire: Transport,
  { env, tls }: { readonly env: SmtpEnv; readonly tls: boolean },
): Promise<void> {
  await serveSmtp(wire, {
    limits: toLimits(env),
    tls,
    signal: env.ctx.signal,
    memory: env.ctx.memory,
    handler: toHandler(env, wire),
  });
}

/** Longest TLS handshake. */
const HANDSHAKE_MS = 10_000;

type SmtpEnv = ProviderEnv<typeof OPTIONS, MailState>;

function toLimits({ values, ctx }: SmtpEnv): SmtpLimits {
  return {
    domain: values.domain,
    maxMessageBytes: Math.min(values.max_message_bytes, largestWork(ctx.memory)),
    maxRecipients: values.max_recipients,
    maxLineBytes: values.max_line_length,
    readIdleMs: values.read_timeout * 1000,
    writeIdleMs: values.write_timeout * 1000,
    authRequired: values.username !== undefined || values.password !== undefined,
    starttls: values.starttls,
  };
}

function toHandler(env: SmtpEnv, wire: Transport): SmtpHandler {
  return {
    authenticate: (credentials) => isAdmitted(env, credentials),
    deliver: (message) => deliver(env, message, wire),
    refuse: (note) => env.reject({ ...note, peer: wire.peer }),
    startTls: (outer) => env.net.startTls(outer, { handshakeMs: HANDSHAKE_MS }),
    fault: (phase, about) => askPhase(env, wire, { phase, about }),
  };
}

function isAdmitted({ values }: SmtpEnv, { username, password }: Credentials): boolean {
  const matches = (given: string, pinned: string | undefined): boolean =>
    pinned === undefined || matchesSecret(given, pinned);
  return matches(username, values.username) && matches(password, values.password);
}

async function deliver(env: SmtpEnv, message: ReceivedMessage, wire: Transport): Promise<string> {
  const { peer } = wire;
  try {
    const { draft, headers, warnings } = await inSlices(
      draftFromMime(message.bytes, message),
    );
    const raw: RawRecord = {
      transport: "smtp",
      text: isText(message.bytes),
      body: message.bytes,
      peer_addr: peer,
      headers,
    };
    const meta = toMeta(message, warnings);
    const subjects = () => [{ ...toFaultSubject(draft), raw, meta }];
    const fault = await env.fault("data", subjects, wire);
    if (fault !== undefined && !fault.after) await applyFault(fault, env, wire);
    const event = await captureMail(env, draft, {
      raw,
      meta: fault === undefined ? meta : { ...meta, fault: fault.name },
      whenFull: "drop",
    });
    await env.settled(event);
    if (fault?.after) await applyFault(fault, env, wire);
    return event.id;
  } catch (error) {
    if (error instanceof FaultEnd || error instanceof SmtpError) throw error;
    env.ctx.log.error("Cannot store a message", { provider: "smtp", peer, error });
    throw new SmtpError(451, "4.3.0", "The message could not be stored: try again later");
  }
}

function toMeta(
  message: ReceivedMessage,
  parseWarnings: readonly string[],
): Readonly<Record<string, unknown>> {
  const warnings = [...message.warnings, ...parseWarnings];
  return {
    envelope: { mail_from: message.mailFrom, rcpt_to: message.rcptTo },
    helo: message.helo,
    ...compact({
      auth: message.credentials,
      body: message.body,
      smtputf8: message.smtputf8 || undefined,
      tls: message.tls || undefined,
      parse_warnings: warnings.length === 0 ? undefined : warnings,
    }),
  };
}
