/** Filters of emails. */
import { textTest } from "../../core/events/search.ts";
import { boolean, text } from "../../core/http/params.ts";
import { type EventFilters, filtersFor } from "../../core/http/route.ts";
import { formatAddress } from "./capture.ts";
import type { Address, MailMessage } from "./model.ts";
import type { MailEvent } from "./views.ts";

/** Conditions on an email; all present ones must hold. */
export interface MailFilter {
  /** Part of the sender's name or address, in any case. */
  readonly from?: string | undefined;
  /** Part of the name or address of any To, Cc or Bcc recipient, in any case. */
  readonly to?: string | undefined;
  /** Part of the subject, in any case. */
  readonly subject?: string | undefined;
  /** Whether it has attachments. */
  readonly has_attachments?: boolean | undefined;
}

/** The filter as query parameters. */
export const filters: EventFilters = filtersFor<MailEvent>()({
  query: {
    to: text("Substring of the name or address of any To, Cc or Bcc recipient"),
    from: text("Substring of the sender's name or address"),
    subject: text("Substring of the subject"),
    has_attachments: boolean("Only messages with, or only messages without, attachments"),
  },
  select: (filter) => ({ matches: ({ payload }) => matchesMail(payload, filter) }),
});

function matchesMail(mail: MailMessage, filter: MailFilter): boolean {
  const { from, to, subject, has_attachments } = filter;
  return (from === undefined || textTest(from)(formatAddress(mail.from))) &&
    (to === undefined || recipientsOf(mail).map(formatAddress).some(textTest(to))) &&
    (subject === undefined || textTest(subject)(mail.subject ?? "")) &&
    (has_attachments === undefined || has_attachments === ((mail.attachments ?? []).length > 0));
}

function recipientsOf({ to = [], cc = [], bcc = [] }: MailMessage): readonly Address[] {
  return [...to, ...cc, ...bcc];
}
