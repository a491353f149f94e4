import type { Memory } from "../../core/memory/budget.ts";
import { transportPair } from "../../core/net/pair.ts";
import type {
  ReceivedMessage,
  RefusedNote,
  SmtpHandler,
  SmtpLimits,
} from "../../plugins/mail/smtp/conversation.ts";
import { serveSmtp } from "../../plugins/mail/smtp/session.ts";
import { Dialogue, type Step } from "./dialogue.ts";

/** Limits small enough to be reached. */
export const SMTP_LIMITS: SmtpLimits = {
  domain: "mail.example",
  maxMessageBytes: 1000,
  maxRecipients: 3,
  maxLineBytes: 600,
  readIdleMs: 5000,
  writeIdleMs: 5000,
  authRequired: false,
  starttls: false,
};

/** Captures and refusals of a session. */
export interface Played {
  readonly messages: readonly ReceivedMessage[];
  readonly refused: readonly RefusedNote[];
}

/** Differences from a session with small limits that accepts any credentials. */
export interface PlayOptions {
  readonly limits?: Partial<SmtpLimits>;
  readonly handler?: Partial<SmtpHandler>;
  readonly tls?: boolean;
  readonly signal?: AbortSignal;
  readonly memory?: Memory;
}

/** Plays steps against a session, then disconnects and returns captures and refusals. */
export async function playSmtp(steps: readonly Step[], options: PlayOptions = {}): Promise<Played> {
  const messages: ReceivedMessage[] = [];
  const refused: RefusedNote[] = [];
  const [client, server] = transportPair();
  const serving = serveSmtp(server, {
    limits: { ...SMTP_LIMITS, ...options.limits },
    tls: options.tls ?? false,
    signal: options.signal ?? new AbortController().signal,
    ...(options.memory && { memory: options.memory }),
    handler: {
      authenticate: () => true,
      deliver(message) {
        messages.push(message);
        return Promise.resolve(`id${messages.length}`);
      },
      refuse: (note) => refused.push(note),
      startTls: () => Promise.reject(new Error("No TLS here")),
      ...options.handler,
    },
  }).finally(() => server[Symbol.asyncDispose]());
  await new Dialogue(client).play(steps);
  await client[Symbol.asyncDispose]();
  await serving;
  return { messages, refused };
}

/** The octets of a message as text. */
export function textOf(message: ReceivedMessage | undefined): string {
  return new TextDecoder().decode(message?.bytes);
}

/** Greeting and EHLO. */
export const HELLO: readonly Step[] = [
  ["<", "220 mail.example ESMTP standin"],
  [">", "EHLO client.example"],
  ["<", "250-mail.example"],
  ["<", "250-PIPELINING"],
  ["<", "250-8BITMIME"],
  ["<", "250-SMTPUTF8"],
  ["<", "250-ENHANCEDSTATUSCODES"],
  ["<", "250-CHUNKING"],
  ["<", /^250-SIZE \d+$/],
  ["<", "250 AUTH PLAIN LOGIN"],
];

/** Greeting, EHLO, MAIL and one RCPT. */
export const ADDRESSED: readonly Step[] = [
  ...HELLO,
  [">", "MAIL FROM:<a@example.com>"],
  ["<", "250 2.1.0 Sender OK"],
  [">", "RCPT TO:<b@example.com>"],
  ["<", "250 2.1.5 Recipient OK"],
];

export const QUIT: readonly Step[] = [
  [">", "QUIT"],
  ["<", "221 2.0.0 mail.example closing connection"],
  ["<end"],
];
