/** Filters of text messages. */
import { textTest } from "../../core/events/search.ts";
import { boolean, text, word } from "../../core/http/params.ts";
import { type EventFilters, filtersFor } from "../../core/http/route.ts";
import type { SmsMessage } from "./model.ts";
import { SMS_DIRECTIONS, SMS_ENCODINGS, SMS_STATUSES } from "./schema.ts";
import type { SmsEvent } from "./views.ts";

/** Conditions on a text message; all present ones must hold. */
export interface SmsFilter {
  /** Part of the recipient's number. */
  readonly to?: string | undefined;
  /** Part of the sender's number, id or messaging service. */
  readonly from?: string | undefined;
  /** Its status. */
  readonly status?: SmsMessage["status"] | undefined;
  /** Its direction. */
  readonly direction?: SmsMessage["direction"] | undefined;
  /** The alphabet that it needs. */
  readonly encoding?: SmsMessage["segments"]["encoding"] | undefined;
  /** Whether it has media. */
  readonly mms?: boolean | undefined;
}

/** The filter as query parameters. */
export const filters: EventFilters = filtersFor<SmsEvent>()({
  query: {
    to: text("Substring of the recipient's number"),
    from: text("Substring of the sender's number, id or messaging service"),
    status: word("Only messages of this status", SMS_STATUSES),
    direction: word("Only messages of this direction", SMS_DIRECTIONS),
    encoding: word("Only messages in this encoding", SMS_ENCODINGS),
    mms: boolean("Only messages with, or only messages without, media"),
  },
  select: (filter) => ({ matches: ({ payload }) => matchesSms(payload, filter) }),
});

function matchesSms(message: SmsMessage, filter: SmsFilter): boolean {
  const { to, from, status, direction, encoding, mms } = filter;
  return (to === undefined || includes(message.to, to)) &&
    (from === undefined || includes(message.from ?? message.messaging_service ?? "", from)) &&
    (status === undefined || message.status === status) &&
    (direction === undefined || message.direction === direction) &&
    (encoding === undefined || message.segments.encoding === encoding) &&
    (mms === undefined || mms === ((message.media ?? []).length > 0));
}

/** In any case. An unescaped `+` in a query arrives as a space, which is ignored. */
function includes(text: string, part: string): boolean {
  return textTest(part.trim())(text);
}
