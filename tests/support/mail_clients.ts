/**
 * Clients for several mail vendors: django-anymail, and the bridges of Symfony Mailer.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requireClient, requirePython, runOk, skipTest } from "./clients.ts";
import { startService, type TestService } from "./service.ts";
import { startTrusted } from "./tls.ts";

/** A captured mail. */
export type MailEvent = CapturedEvent<MailMessage>;

/** Status and message id by recipient, for each sent message. */
export interface AnymailSeen {
  readonly one: Readonly<Record<string, readonly [status: string, id: string | null]>>;
  readonly batch: AnymailSeen["one"];
  readonly templated: AnymailSeen["one"];
  /** Name of the error, and its HTTP status. */
  readonly refused: readonly [error: string, status: number | null];
}

/** Captures of a provider, oldest first. */
export function capturedBy(service: TestService, provider: string): readonly MailEvent[] {
  return (service.events.list({ provider }) as MailEvent[]).reverse();
}

/**
 * Runs django-anymail against a new service; returns `undefined`, with a message, if it is not
 * available.
 */
export async function withAnymail(
  t: Deno.TestContext,
  vendor: string,
  { templateId, before, check }: {
    templateId: string;
    before?(service: TestService): Promise<void>;
    check(seen: AnymailSeen, service: TestService): void;
  },
): Promise<void> {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  await before?.(service);
  const script = new URL("../clients/python/anymail_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, vendor, service.ingress.url, templateId], {
    env: { NO_PROXY: "*" },
  });
  check(JSON.parse(stdout), service);
}

/** Result of a Symfony bridge. */
export interface SymfonySeen {
  readonly id: string;
  readonly refusal: string | null;
}

const BRIDGES = "/usr/share/php/Symfony/Component/Mailer/Bridge";

/** Runs a bridge of Symfony Mailer against a new service over TLS, and checks the message that it sent. */
export async function withSymfony(
  t: Deno.TestContext,
  vendor: string,
  { bridge, provider, check }: {
    bridge: string;
    provider: string;
    check(seen: SymfonySeen, events: readonly MailEvent[], service: TestService): void;
  },
): Promise<void> {
  const php = requireClient(t, "php");
  if (php === undefined) return;
  if (!await Deno.stat(`${BRIDGES}/${bridge}/autoload.php`).then(() => true, () => false)) {
    skipTest(t, `php-symfony-${bridge.toLowerCase()}-mailer`, "is not installed");
    return;
  }
  await using trusted = await startTrusted({ plugins: [mail] });
  const { service, caFile } = trusted;
  const script = new URL("../clients/php/mailers.php", import.meta.url).pathname;
  const args = [script, vendor, "localhost", String(service.ingress.port), caFile];
  const { stdout } = await runOk(php, args);
  const events = capturedBy(service, provider);
  const { attachments, from, to, cc, bcc, reply_to, subject, text, html } = events[0]!.payload;
  assertEquals({ from, to, cc, bcc, reply_to, subject, text, html }, {
    from: { email: "s@example.com", name: "Sender, Inc" },
    to: [{ email: "a@example.com", name: "Ann" }],
    cc: [{ email: "c@example.com" }],
    bcc: [{ email: "d@example.com" }],
    reply_to: [{ email: "r@example.com" }],
    subject: "Grüße",
    text: "text",
    html: "<b>html</b>",
  });
  assertEquals(attachments?.map(({ filename, size }) => [filename, size]), [["a.txt", 5]]);
  check(JSON.parse(stdout), events, service);
}
