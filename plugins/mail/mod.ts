import {
  type CapturedEvent,
  definePlugin,
  type EventText,
  type Plugin,
} from "../../core/plugin.ts";
import type { MailState } from "./capture.ts";
import { filters } from "./filters.ts";
import { mail1 } from "./mail1/mod.ts";
import { mail2 } from "./mail2/mod.ts";
import { mail3 } from "./mail3/mod.ts";
import type { MailMessage } from "./model.ts";
import { MailMessageShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { smtp } from "./smtp/mod.ts";

/** Mail: three vendors' HTTP send APIs, and SMTP. */
export const mail: Plugin<MailState> = definePlugin<MailState>({
  id: "mail",
  title: "Mail",
  about: "Captures mail sent through three transactional-email APIs and SMTP.",
  eventTypes: ["mail.message"],
  payload: MailMessageShape,
  providers: [mail1, mail2, mail3, smtp],
  routes,
  filters,
  texts: textsOfMail,
  tab: "tabs/mail.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  open: () => ({}),
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
