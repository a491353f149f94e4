/** Faults of a mail server, in the terms of RFC 5321 and RFC 3463. */
import { applyNetworkFault, isOfNetworks } from "../../../core/net/network_fault.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { defineOptions, integer } from "../../../core/options/spec.ts";
import type {
  Fault,
  FaultOutcome,
  OptionSet,
  ProviderEnv,
  ProviderFaults,
} from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { type Reply, toReply } from "./codec/reply.ts";
import { type PhaseAbout, SmtpError, type SmtpPhase } from "./conversation.ts";

const RFC5321 = "https://www.rfc-editor.org/rfc/rfc5321#section-4.2.3";
const RFC3463 = "https://www.rfc-editor.org/rfc/rfc3463";

/** An outcome with its reply. */
interface ReplyOutcome extends FaultOutcome {
  readonly reply: Reply;
}

function outcome(
  id: string,
  [code, enhanced, text]: readonly [code: number, enhanced: string, text: string],
  about: Omit<FaultOutcome, "id">,
): ReplyOutcome {
  return { id, reply: { ...toReply(code, enhanced, text), fault: true }, ...about };
}

const COMMANDS = ["mail", "rcpt"];

/** Phases and outcomes of a conversation. */
export const FAULTS: ProviderFaults<ReplyOutcome> = {
  phases: {
    data: "The whole message: payload is the email, meta.envelope is its envelope",
    rcpt: "RCPT: payload has argument, helo, mail_from, and the rcpt_to accepted so far",
    mail: "MAIL: payload has argument and helo",
    auth: "AUTH: payload has helo",
    helo: "EHLO or HELO: payload has argument",
    connect: "A new connection, before the greeting: raw.peer_addr is the client's address",
  },
  outcomes: [
    outcome("temporary", [451, "4.3.0", "Requested action aborted: local error in processing"], {
      about: "451 4.3.0: a local error; the client should try again",
      source: RFC5321,
      phases: ["data", ...COMMANDS, "helo"],
    }),
    outcome("greylist", [451, "4.7.1", "Greylisted, please try again later"], {
      about: "451 4.7.1 until the same sender, recipient and host try again after `wait` seconds",
      source: "https://www.rfc-editor.org/rfc/rfc6647#section-2.1",
      phases: ["rcpt"],
      params: defineOptions({
        wait: integer("Seconds before the client may try again", 60, { max: 86_400 }),
      }),
      passes: {
        key: (subject) => JSON.stringify([subject?.payload, hostOf(subject?.raw.peer_addr)]),
        waitMs: ({ wait }) => Number(wait) * 1000,
      },
    }),
    outcome("mailbox_full", [452, "4.2.2", "Mailbox full"], {
      about: "452 4.2.2: the recipient's mailbox is full",
      source: `${RFC3463}#section-3.3`,
      phases: ["rcpt", "data"],
    }),
    outcome("no_mailbox", [550, "5.1.1", "Mailbox unavailable: no such user here"], {
      about: "550 5.1.1: the mailbox does not exist",
      source: `${RFC3463}#section-3.2`,
      phases: ["rcpt"],
    }),
    outcome("spam", [554, "5.7.1", "Message refused: it looks like spam"], {
      about: "554 5.7.1: refused by policy",
      source: `${RFC3463}#section-3.8`,
      phases: ["data", ...COMMANDS, "connect"],
    }),
    outcome("too_many", [452, "4.5.3", "Too many recipients"], {
      about: "452 4.5.3: further recipients need another transaction",
      source: `${RFC3463}#section-3.6`,
      phases: ["rcpt"],
    }),
    outcome("shutdown", [421, "4.3.2", "Service not available, closing transmission channel"], {
      about: "421 4.3.2, and the connection is closed",
      source: "https://www.rfc-editor.org/rfc/rfc5321#section-3.8",
    }),
  ],
};

function hostOf(peer = ""): string {
  return peer.slice(0, peer.lastIndexOf(":"));
}

type Env = Pick<ProviderEnv<OptionSet, MailState>, "fault" | "ctx">;

/** Looks for a fault before a command. Resolves with its reply, or with `undefined` to run the command. */
export function askPhase(
  env: Env,
  wire: Transport,
  { phase, about }: { phase: SmtpPhase; about: () => PhaseAbout },
): Promise<Reply | undefined> | undefined {
  const asked = env.fault(phase, () => {
    const { argument, helo, mailFrom, rcptTo, transcript } = about();
    return [{
      payload: { argument, helo, mail_from: mailFrom, rcpt_to: rcptTo },
      raw: { transport: "smtp", text: true, body: transcript, peer_addr: wire.peer },
      summary_parts: { to: addressIn(argument) },
    }];
  }, wire);
  return asked?.then((fault) => fault === undefined ? undefined : replyOf(fault, env, wire));
}

/** Returns the address in `TO:<ada@example.org>`, which may belong to a namespace. */
function addressIn(argument = ""): readonly string[] {
  const address = /<([^<>]*)>/.exec(argument)?.[1];
  return address === undefined ? [] : [address];
}

/** Applies a fault to a message. Resolves if the message is accepted, else throws the reply. */
export async function applyFault(fault: Fault, env: Env, wire: Transport): Promise<void> {
  const reply = await replyOf(fault, env, wire);
  if (reply !== undefined) throw new SmtpError(reply);
}

async function replyOf(fault: Fault, env: Env, wire: Transport): Promise<Reply | undefined> {
  if (!isOfNetworks(fault)) return FAULTS.outcomes.find(({ id }) => id === fault.outcome)?.reply;
  await applyNetworkFault(fault, { wire, signal: env.ctx.signal });
  return undefined;
}
