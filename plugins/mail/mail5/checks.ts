/**
 * Rules of a call, and their refusals:
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages/post-v3--domain-name--messages
 */
import type { FormFields } from "../../../core/codec/form.ts";
import { Refused } from "../../../core/result.ts";
import type { Address } from "../model.ts";
import { REFUSALS, type VendorRefusal } from "./reply.ts";

/** Bytes of the values of all options together. */
const MAX_OPTIONS = 16 * 1024;
/**
 * The vendor's parser of dates, github.com/mailgun/holster/blob/master/clock/rfc822.go, takes day
 * and month in either order, and needs a time zone. ISO 8601 is refused:
 * https://github.com/mailgun/mailgun.js/issues/137
 */
const DATE =
  /^(?:[a-z]{3}, )?((?:\d{1,2} [a-z]{3,9}|[a-z]{3,9} \d{1,2}) \d{4} \d{2}:\d{2}(?::\d{2})?) (?:[+-]\d{4}(?: \([a-z]{3,5}\))?|[a-z]{3,5})$/i;

/** Stops parsing with a refusal. */
export function fail(refusal: VendorRefusal): never {
  throw new Refused(refusal);
}

/** Refuses a time of delivery in another form. */
export function checkDate(text: string): void {
  const date = DATE.exec(text)?.[1];
  if (date === undefined || Number.isNaN(Date.parse(`${date} GMT`))) fail(REFUSALS.badDate);
}

/** Refuses options that are too long together. Whether names count is not documented; here they do not. */
export function checkOptions({ pairs }: FormFields): void {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [name, value] of pairs) {
    if (/^[ohvt]:/i.test(name)) bytes += encoder.encode(value).length;
  }
  if (bytes > MAX_OPTIONS) fail(REFUSALS.tooManyOptions);
}

/** Returns each address once, as the vendor does: https://github.com/anymail/django-anymail/discussions/279 */
export function distinct(addresses: readonly Address[]): readonly Address[] {
  const known = new Set<string>();
  return addresses.filter(({ email }) => {
    const key = email.toLowerCase();
    return !known.has(key) && known.add(key);
  });
}
