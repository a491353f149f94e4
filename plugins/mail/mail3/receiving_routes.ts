/** Routes of the calls that read inbound emails. */
import { onDemand } from "../../../core/on_demand.ts";
import type { IngressRoute } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import type { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Listed before the routes of sent emails, which would match `receiving` as an id. */
export const RECEIVING_ROUTES: readonly IngressRoute<typeof OPTIONS, MailState, Store>[] = [
  {
    method: "GET",
    path: "/emails/receiving",
    about: "List received emails",
    handle: handler("listReceived"),
  },
  {
    method: "GET",
    path: "/emails/receiving/{id}",
    about: "Fetch a received email",
    handle: handler("getReceived"),
  },
  {
    method: "GET",
    path: "/emails/receiving/{id}/raw",
    about: "Download a received email",
    public: true,
    handle: handler("getReceivedRaw"),
  },
  {
    method: "GET",
    path: "/emails/receiving/{id}/attachments",
    about: "List a received email's attachments",
    handle: handler("listReceivedAttachments"),
  },
  {
    method: "GET",
    path: "/emails/receiving/{id}/attachments/{aid}",
    about: "Describe an attachment of a received email",
    handle: handler("getReceivedAttachment"),
  },
  {
    method: "GET",
    path: "/emails/receiving/{id}/attachments/{aid}/content",
    about: "Download an attachment of a received email",
    public: true,
    handle: handler("getReceivedContent"),
  },
];
