/** Verbs of TLS (RFC 4217, with the replies of RFC 2228): nothing is private until the client requests it. */
import { type Reply, toReply } from "./codec/reply.ts";
import type { Conversation, VerbTable } from "./conversation.ts";

/** Lines of FEAT if TLS is offered: RFC 4217 section 6. */
export const SECURITY_FEATURES: readonly string[] = ["AUTH TLS", "PBSZ", "PROT"];

/** Verbs of TLS. */
export const SECURITY_VERBS: VerbTable = {
  AUTH: { open: true, argument: "TLS", run: offered(authenticate) },
  PBSZ: { open: true, argument: "0", run: within(agreeOnBuffer) },
  PROT: { open: true, argument: "C | P", run: within(protect) },
  CCC: {
    open: true,
    run: within(() => toReply(534, "The control connection stays private until it ends")),
  },
};

type Run = VerbTable[string]["run"];

function offered(run: Run): Run {
  return (session, argument) =>
    session.tls === "absent"
      ? toReply(502, "TLS is turned off: enable it with the setting tls (--ftp-tls)")
      : run(session, argument);
}

function within(run: Run): Run {
  return offered((session, argument) =>
    session.tls === "active" ? run(session, argument) : toReply(503, "AUTH TLS first")
  );
}

async function authenticate(session: Conversation, argument: string): Promise<Reply | undefined> {
  const mechanism = argument.trim().toUpperCase();
  if (!/^(TLS|TLS-C|TLS-P|SSL)$/.test(mechanism)) {
    return toReply(504, `Mechanism "${mechanism.slice(0, 20)}" is unknown; expected TLS`);
  }
  if (session.tls === "active") return toReply(503, "TLS is active already");
  const refusal = await session.startTls(toReply(234, "Ready to start TLS"));
  // RFC 2228 section 3: a required resource is unavailable.
  if (refusal !== undefined) return toReply(431, refusal.message);
  // In drafts before RFC 4217 these two also protect data connections, and clients rely on it.
  if (mechanism === "SSL" || mechanism === "TLS-P") session.protection = "P";
  return undefined;
}

/** TLS needs no buffer size, but RFC 2228 section 3 requires an agreement. */
function agreeOnBuffer(session: Conversation, argument: string): Reply {
  if (!/^\d{1,10}$/.test(argument.trim())) return toReply(501, "Expected PBSZ 0");
  session.bufferAgreed = true;
  return toReply(200, "PBSZ=0");
}

function protect(session: Conversation, argument: string): Reply {
  if (!session.bufferAgreed) return toReply(503, "PBSZ 0 first");
  const level = argument.trim().toUpperCase();
  switch (level) {
    case "C":
      session.protection = level;
      return toReply(200, "Data connections are in the clear");
    case "P":
      session.protection = level;
      return toReply(200, "Data connections are private");
    case "S":
    case "E":
      return toReply(536, `TLS has no level ${level}: use P or C`);
    default:
      return toReply(504, `Level "${level.slice(0, 20)}" is unknown; expected P or C`);
  }
}
