/** Commands of RFC 5321 section 4.1.1 and its extensions. */
import { compact } from "../../../core/compact.ts";
import { runAuth } from "./auth.ts";
import { type Parameters, parseMail, parseRcpt } from "./codec/command.ts";
import { type Reply, toFixedReply, toReply } from "./codec/reply.ts";
import { runBdat, runData, tooLargeText } from "./content.ts";
import { type Body, type Conversation, SmtpError } from "./conversation.ts";

const SENDER_OK = toFixedReply(250, "2.1.0", "Sender OK");
const RECIPIENT_OK = toFixedReply(250, "2.1.5", "Recipient OK");

export interface Verb {
  /** Whether EHLO or HELO must precede it. */
  readonly needsHello: boolean;
  /** Returns `undefined` if the reply was already sent. */
  run(talk: Conversation, args: string): Reply | undefined | Promise<Reply | undefined>;
}

/** Commands by verb, in upper case. */
export const VERBS: ReadonlyMap<string, Verb> = new Map(Object.entries<Verb>({
  EHLO: { needsHello: false, run: (talk, args) => hello(talk, args, true) },
  HELO: { needsHello: false, run: (talk, args) => hello(talk, args, false) },
  MAIL: { needsHello: true, run: mail },
  RCPT: { needsHello: true, run: rcpt },
  DATA: { needsHello: true, run: runData },
  // Its octets follow even if it is out of order, so it must run to consume them.
  BDAT: { needsHello: false, run: runBdat },
  AUTH: { needsHello: true, run: runAuth },
  STARTTLS: { needsHello: true, run: startTls },
  RSET: { needsHello: false, run: rset },
  NOOP: { needsHello: false, run: () => toReply(250, "2.0.0", "OK") },
  QUIT: { needsHello: false, run: quit },
  VRFY: { needsHello: false, run: vrfy },
  HELP: {
    needsHello: false,
    run: () => toReply(214, "2.0.0", "Every message is captured and none is delivered, RFC 5321"),
  },
  EXPN: { needsHello: false, run: notImplemented },
  TURN: { needsHello: false, run: notImplemented },
  ETRN: { needsHello: false, run: notImplemented },
  SEND: { needsHello: false, run: notImplemented },
  SOML: { needsHello: false, run: notImplemented },
  SAML: { needsHello: false, run: notImplemented },
}));

function notImplemented(): Reply {
  return toReply(502, "5.5.1", "Command not implemented");
}

/** RFC 5321 section 4.1.1.1: also ends a transaction, as RSET does. */
function hello(talk: Conversation, args: string, esmtp: boolean): Reply {
  if (args === "") {
    return toReply(501, "5.5.4", `Syntax: ${esmtp ? "EHLO" : "HELO"} domain`);
  }
  talk.helo = args;
  talk.transaction = undefined;
  const { domain } = talk.limits;
  return esmtp
    ? { code: 250, lines: [domain, ...keywords(talk)] }
    : toReply(250, undefined, domain);
}

function keywords(talk: Conversation): readonly string[] {
  const { limits } = talk;
  return [
    "PIPELINING",
    "8BITMIME",
    "SMTPUTF8",
    "ENHANCEDSTATUSCODES",
    "CHUNKING",
    `SIZE ${limits.maxMessageBytes}`,
    "AUTH PLAIN LOGIN",
    ...(limits.starttls && !talk.tls ? ["STARTTLS"] : []),
  ];
}

function mail(talk: Conversation, args: string): Reply {
  if (talk.limits.authRequired && talk.credentials === undefined) {
    return toReply(530, "5.7.0", "Authentication required");
  }
  if (talk.transaction !== undefined) {
    return toReply(503, "5.5.1", "A mail transaction is in progress: RSET ends it");
  }
  const { path, parameters } = parseMail(args);
  const { body, smtputf8 } = readMailParameters(talk, parameters);
  talk.transaction = {
    mailFrom: path.address,
    rcptTo: [],
    smtputf8,
    warnings: path.utf8 && !smtputf8 ? [undeclared(path.address)] : [],
    refusedRecipients: 0,
    ...compact({ body }),
  };
  return SENDER_OK;
}

/** SIZE of RFC 1870, BODY of RFC 6152, SMTPUTF8 of RFC 6531, AUTH of RFC 4954 section 5. */
function readMailParameters(
  talk: Conversation,
  parameters: Parameters,
): { readonly body?: Body; readonly smtputf8: boolean } {
  let body: Body | undefined;
  for (const [keyword, value] of parameters) {
    switch (keyword) {
      case "SIZE":
        checkSize(talk, value);
        break;
      case "BODY":
        body = toBody(value);
        break;
      case "SMTPUTF8":
        if (value !== "") throw new SmtpError(501, "5.5.4", "SMTPUTF8 takes no value");
        break;
      case "AUTH":
        // The original submitter: every server that offers AUTH accepts it.
        if (value === "") throw new SmtpError(501, "5.5.4", "Syntax: AUTH=<> or AUTH=mailbox");
        break;
      default:
        throw unknownParameter("MAIL", keyword);
    }
  }
  return { smtputf8: parameters.has("SMTPUTF8"), ...compact({ body }) };
}

function checkSize(talk: Conversation, value: string): void {
  if (!/^\d{1,20}$/.test(value)) throw new SmtpError(501, "5.5.4", "Syntax: SIZE=octets");
  const { maxMessageBytes } = talk.limits;
  if (Number(value) <= maxMessageBytes) return;
  throw new SmtpError(552, "5.3.4", tooLargeText(talk));
}

function toBody(value: string): Body {
  const word = value.toUpperCase();
  if (word === "7BIT" || word === "8BITMIME") return word;
  throw new SmtpError(501, "5.5.4", "BODY takes 7BIT or 8BITMIME");
}

function rcpt(talk: Conversation, args: string): Reply {
  const { transaction } = talk;
  if (transaction === undefined) return toReply(503, "5.5.1", "MAIL first");
  if (transaction.chunks !== undefined) {
    return toReply(503, "5.5.1", "RCPT is not allowed between BDAT chunks: continue, or RSET");
  }
  const { path, parameters } = parseRcpt(args);
  for (const keyword of parameters.keys()) throw unknownParameter("RCPT", keyword);
  if (transaction.rcptTo.length >= talk.limits.maxRecipients) {
    transaction.refusedRecipients++;
    const text = `Too many recipients: at most ${talk.limits.maxRecipients} are accepted`;
    return toReply(452, "4.5.3", text);
  }
  transaction.rcptTo.push(path.address);
  if (path.utf8 && !transaction.smtputf8) transaction.warnings.push(undeclared(path.address));
  return RECIPIENT_OK;
}

function undeclared(address: string): string {
  return `Address "${address}" is not ASCII, but MAIL was given without SMTPUTF8`;
}

function unknownParameter(verb: string, keyword: string): SmtpError {
  return new SmtpError(555, "5.5.4", `${verb} parameter ${keyword} is not recognized`);
}

function rset(talk: Conversation, args: string): Reply {
  if (args !== "") return toReply(501, "5.5.4", "Syntax: RSET");
  talk.transaction = undefined;
  return toReply(250, "2.0.0", "OK");
}

function quit(talk: Conversation, args: string): Reply {
  if (args !== "") return toReply(501, "5.5.4", "Syntax: QUIT");
  talk.ended = true;
  return toReply(221, "2.0.0", `${talk.limits.domain} closing connection`);
}

/** RFC 5321 section 3.5.3: mailboxes are unknown, and all are accepted. */
function vrfy(_talk: Conversation, args: string): Reply {
  return args === ""
    ? toReply(501, "5.5.4", "Syntax: VRFY address")
    : toReply(252, "2.1.5", "Cannot VRFY user, but will accept message");
}

/** RFC 3207 section 4. */
async function startTls(talk: Conversation, args: string): Promise<Reply | undefined> {
  if (args !== "") return toReply(501, "5.5.4", "Syntax: STARTTLS");
  if (talk.tls) return toReply(503, "5.5.1", "TLS is active already");
  if (!talk.limits.starttls) return notImplemented();
  if (talk.transaction !== undefined) {
    return toReply(503, "5.5.1", "STARTTLS is not allowed during a mail transaction");
  }
  const injected = talk.wire.discard();
  if (injected > 0) {
    talk.handler.refuse({
      method: "STARTTLS",
      reason: `${injected} octets followed STARTTLS in the clear: they were discarded`,
      raw: talk.transcript(),
    });
  }
  const refusal = await talk.startTls(toReply(220, "2.0.0", "Ready to start TLS"));
  if (refusal === undefined) return undefined;
  const { message: reason } = refusal;
  talk.handler.refuse({ reason, status: 454, method: "STARTTLS", raw: talk.transcript() });
  return toReply(454, "4.7.0", `TLS not available due to temporary reason: ${reason}`);
}
