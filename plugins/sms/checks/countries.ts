/**
 * Rules of countries for alphanumeric senders, from Twilio's guidelines for text messages: one page
 * per country, listed at https://www.twilio.com/en-us/guidelines/sms, in copies read on 2026-11-26.
 */

/**
 * How an alphanumeric sender is treated: `shown` as sent; `registered`: shown only if it was registered; `replaced` by
 * a number, registered or not; `unsupported`.
 */
export type SenderSupport = "shown" | "registered" | "replaced" | "unsupported";

/** The rules of a country. */
export interface Country {
  readonly name: string;
  /** ISO 3166-1, in lower case, as in the URL of its page. */
  readonly iso: string;
  readonly support: SenderSupport;
  /** Networks restrict senders with other characters. */
  readonly characters?: { readonly form: RegExp; readonly expected: string };
  /** Words that no sender may contain. */
  readonly words?: RegExp;
  /** Segments above which messages are delayed. */
  readonly segments?: number;
}

/** By E.164 prefix. None is the beginning of another. */
const COUNTRIES: Readonly<Record<string, Country>> = {
  "1": { name: "the United States and Canada", iso: "us", support: "unsupported" },
  "27": { name: "South Africa", iso: "za", support: "unsupported" },
  "32": { name: "Belgium", iso: "be", support: "unsupported" },
  "33": {
    name: "France",
    iso: "fr",
    support: "shown",
    characters: { form: /^[A-Za-z0-9 ]*$/, expected: "letters and digits" },
  },
  "39": { name: "Italy", iso: "it", support: "shown" },
  "44": {
    name: "the United Kingdom",
    iso: "gb",
    support: "shown",
    characters: {
      form: /^[A-Za-z0-9 .&_-]*$/,
      expected: 'letters, digits, spaces and ".-_&"',
    },
  },
  "52": { name: "Mexico", iso: "mx", support: "registered" },
  "55": { name: "Brazil", iso: "br", support: "registered" },
  "60": { name: "Malaysia", iso: "my", support: "replaced" },
  "61": { name: "Australia", iso: "au", support: "registered" },
  "62": { name: "Indonesia", iso: "id", support: "registered" },
  "63": {
    name: "the Philippines",
    iso: "ph",
    support: "registered",
    words: /TEST|MESSAGE|SMS/i,
  },
  "65": { name: "Singapore", iso: "sg", support: "registered" },
  "81": { name: "Japan", iso: "jp", support: "shown", segments: 5 },
  "86": { name: "China", iso: "cn", support: "unsupported" },
  "90": { name: "Turkey", iso: "tr", support: "registered" },
  "91": { name: "India", iso: "in", support: "registered" },
  "966": { name: "Saudi Arabia", iso: "sa", support: "registered" },
  "971": { name: "the United Arab Emirates", iso: "ae", support: "registered" },
};

/** Area codes of `+1` in other countries, most of them islands: https://www.nanpa.com/numbering/area-codes */
const NOT_US = new Set(
  ("242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876").split(
    " ",
  ),
);

/** Returns the country of a recipient, with or without its plus sign. */
export function countryOf(to: string): Country | undefined {
  const digits = to.replace(/^\+/, "");
  if (digits.startsWith("1") && NOT_US.has(digits.slice(1, 4))) return undefined;
  const prefix = [1, 2, 3].map((length) => digits.slice(0, length))
    .find((one) => Object.hasOwn(COUNTRIES, one));
  return prefix === undefined ? undefined : COUNTRIES[prefix];
}

/** Returns the address of the page of a country. */
export function guidelineOf({ iso }: Country): string {
  return `https://www.twilio.com/en-us/guidelines/${iso}/sms`;
}
