import { TcpTransport } from "../../core/net/tcp_transport.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { Dialogue, type Step } from "./dialogue.ts";
import { startService, type TestService } from "./service.ts";

/** A service with only the mail plugin; `options` are those of the smtp provider. */
export function startSmtp(
  options: Readonly<Record<string, unknown>> = {},
  config: Readonly<Record<string, unknown>> = {},
): Promise<TestService> {
  const plugins = { mail: { providers: { smtp: options } } };
  return startService({ plugins: [mail], config: { plugins, ...config } });
}

/** A connection to the listener, in lines. */
export interface SmtpClient extends Dialogue, AsyncDisposable {
  /** Closes now, without ceremony. */
  hangUp(): void;
}

/** Connects to the smtp listener of `service`. */
export async function connectSmtp(service: TestService): Promise<SmtpClient> {
  const { hostname, port } = service.endpoint("smtp");
  const wire = new TcpTransport(await Deno.connect({ hostname, port }));
  return Object.assign(new Dialogue(wire), {
    hangUp: () => wire.abort(),
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  });
}

/** Greeting and EHLO. */
export const GREETED: readonly Step[] = [
  ["<", /^220 /],
  [">", "EHLO client.example"],
  ...Array<Step>(7).fill(["<", /^250-/]),
  ["<", /^250 /],
];

/** Greeting, EHLO, and an envelope with one recipient. */
export const READY: readonly Step[] = [
  ...GREETED,
  [">", "MAIL FROM:<a@example.com>"],
  ["<", /^250 /],
  [">", "RCPT TO:<b@example.com>"],
  ["<", /^250 /],
];

/** The mails captured so far, oldest first. */
export function mails(service: TestService): readonly CapturedEvent<MailMessage>[] {
  return (service.events.list({ type: "mail.message" }) as CapturedEvent<MailMessage>[])
    .toReversed();
}

/** Attachment bytes, as the read-back API serves them. */
export async function attachmentBytes(
  service: TestService,
  event: CapturedEvent<MailMessage>,
  index: number,
): Promise<Uint8Array> {
  const path = `/api/v1/mail/messages/${event.id}/attachments/${index}`;
  const response = await fetch(`${service.api.url}${path}`);
  const bytes = await response.bytes();
  if (!response.ok) throw new Error(`Cannot read ${path}: ${response.status}`);
  return bytes;
}
