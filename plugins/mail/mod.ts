import {
  type AnyPlugin,
  type CapturedEvent,
  definePlugin,
  type EventText,
} from "../../core/plugin.ts";
import { filters } from "./filters.ts";
import { mail1 } from "./mail1/mod.ts";
import { mail2 } from "./mail2/mod.ts";
import { mail3 } from "./mail3/mod.ts";
import { mail4 } from "./mail4/mod.ts";
import { mail5 } from "./mail5/mod.ts";
import { mail6 } from "./mail6/mod.ts";
import { mail7 } from "./mail7/mod.ts";
import type { MailMessage } from "./model.ts";
import { OPTIONS } from "./options.ts";
import { MailMessageShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { smtp } from "./smtp/mod.ts";
import { storyKeysOfMail } from "./story_keys.ts";
import { SpamScanner } from "./checks/spam/scanner.ts";
import { MailState } from "./state.ts";

/** Mail: the HTTP send APIs of several vendors, and SMTP. */
export const mail: AnyPlugin = definePlugin<MailState>({
  id: "mail",
  title: "Mail",
  about: "Captures mail sent through the transactional-email APIs of several vendors, and SMTP.",
  eventTypes: ["mail.message"],
  payload: MailMessageShape,
  options: OPTIONS,
  providers: [mail1, mail2, mail3, mail4, mail5, mail6, mail7, smtp],
  routes,
  filters,
  texts: textsOfMail,
  storyKeys: storyKeysOfMail,
  tab: "tabs/mail.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  open: ({ ctx: { memory }, values }) =>
    new MailState({
      memory,
      scanner: values.spamassassin === undefined ? undefined : new SpamScanner(),
    }),
});

/** Subject and bodies. */
function textsOfMail(event: CapturedEvent): EventText[] {
  const { subject, text, html } = (event as CapturedEvent<MailMessage>).payload;
  return [
    ...(subject === undefined ? [] : [{ kind: "plain", text: subject } as const]),
    ...(text === undefined ? [] : [{ kind: "plain", text } as const]),
    ...(html === undefined ? [] : [{ kind: "html", text: html } as const]),
  ];
}
