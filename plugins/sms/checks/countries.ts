/**
 * Rules of countries for senders, lengths and characters, from Twilio's guidelines for text messages: one page per
 * country, listed at https://www.twilio.com/en-us/guidelines/sms, in copies of May 2026.
 */
import { GENERIC, GENERIC_IN_BRITAIN } from "./generic_senders.ts";

/**
 * How networks treat an alphanumeric sender. `registered`: they only show registered ones; `replaced`: they show a number
 * or another name; `unsupported`: they have none.
 */
export type SenderSupport =
  | "shown"
  | "registered"
  | "partly registered"
  | "replaced"
  | "partly replaced"
  | "unsupported";

/** The rules of a country. */
export interface Country extends CountryRules {
  readonly name: string;
  /** ISO 3166-1, in lower case, as in the URL of its page. */
  readonly iso: string;
  readonly support: SenderSupport;
}

/** Rules other than the registration of senders. */
export interface CountryRules {
  /** Networks restrict senders with other characters. */
  readonly characters?: { readonly form: RegExp; readonly expected: string };
  /** Words that no sender may contain. */
  readonly words?: RegExp;
  /** Senders without a name of a brand, which networks block. */
  readonly generic?: RegExp;
  /** Segments that should not be exceeded, and why. */
  readonly segments?: { readonly most: number; readonly why: string };
  /** Capacity of a single segment, if it is not the usual one. */
  readonly single?: { readonly "GSM-7": number; readonly "UCS-2": number };
  /** Twilio does not join segments: each arrives as a message. */
  readonly isApart?: boolean;
  /** Whether "€" is shown. */
  readonly euro?: "never" | "in UCS-2";
}

/** Prefixes, code and name of each country with rules, by its treatment of senders. */
const BY_SUPPORT: Readonly<Record<SenderSupport, string>> = {
  shown: `
    33 fr France
    44 gb the United Kingdom
    81 jp Japan
    30 gr Greece
    48 pl Poland
    93 af Afghanistan
    213 dz Algeria
    216 tn Tunisia
    218 ly Libya
    221 sn Senegal
    222 mr Mauritania
    227 ne Niger
    231 lr Liberia
    232 sl Sierra Leone
    235 td Chad
    238 cv Cabo Verde
    240 gq Equatorial Guinea
    241 ga Gabon
    243 cd the Democratic Republic of the Congo
    248 sc Seychelles
    252 so Somalia
    261 mg Madagascar
    265 mw Malawi
    267 bw Botswana
    269 km Comoros
    299 gl Greenland
    352 lu Luxembourg
    373 md Moldova
    378 sm San Marino
    380 ua Ukraine
    389 mk North Macedonia
    508 pm Saint Pierre and Miquelon
    590 gp Guadeloupe
    594 gf French Guiana
    596 mq Martinique
    670 tl Timor-Leste
    676 to Tonga
    678 vu Vanuatu
    679 fj Fiji
    682 ck the Cook Islands
    683 nu Niue
    685 ws Samoa
    689 pf French Polynesia
    964 iq Iraq
    994 az Azerbaijan
    1473 gd Grenada
    1664 ms Montserrat
    1767 dm Dominica
    1784 vc Saint Vincent and the Grenadines
    1868 tt Trinidad and Tobago
    1869 kn Saint Kitts and Nevis
  `,
  registered: `
    7 ru Russia
    52 mx Mexico
    53 cu Cuba
    55 br Brazil
    61 au Australia
    62 id Indonesia
    63 ph the Philippines
    65 sg Singapore
    66 th Thailand
    76,77 kz Kazakhstan
    84 vn Vietnam
    90 tr Turkey
    91 in India
    94 lk Sri Lanka
    98 ir Iran
    211 ss South Sudan
    212 ma Morocco
    224 gn Guinea
    225 ci Côte d’Ivoire
    233 gh Ghana
    234 ng Nigeria
    237 cm Cameroon
    242 cg the Republic of the Congo
    245 gw Guinea-Bissau
    249 sd Sudan
    250 rw Rwanda
    251 et Ethiopia
    256 ug Uganda
    260 zm Zambia
    263 zw Zimbabwe
    268 sz Eswatini
    353 ie Ireland
    374 am Armenia
    375 by Belarus
    962 jo Jordan
    963 sy Syria
    965 kw Kuwait
    966 sa Saudi Arabia
    968 om Oman
    971 ae the United Arab Emirates
    974 qa Qatar
    977 np Nepal
  `,
  "partly registered": `
    229 bj Benin
    254 ke Kenya
    255 tz Tanzania
    420 cz the Czech Republic
    852 hk Hong Kong
    880 bd Bangladesh
  `,
  replaced: `
    36 hu Hungary
    51 pe Peru
    54 ar Argentina
    56 cl Chile
    58 ve Venezuela
    60 my Malaysia
    264 na Namibia
    266 ls Lesotho
    502 gt Guatemala
    503 sv El Salvador
    886 tw Taiwan
    993 tm Turkmenistan
    1242 bs the Bahamas
    1809,1829,1849 do the Dominican Republic
  `,
  "partly replaced": `
    40 ro Romania
    92 pk Pakistan
    359 bg Bulgaria
    385 hr Croatia
    504 hn Honduras
    591 bo Bolivia
    855 kh Cambodia
    967 ye Yemen
    998 uz Uzbekistan
  `,
  unsupported: `
    1 us the United States and Canada
    27 za South Africa
    32 be Belgium
    57 co Colombia
    64 nz New Zealand
    82 kr South Korea
    86 cn China
    506 cr Costa Rica
    507 pa Panama
    593 ec Ecuador
    595 py Paraguay
    598 uy Uruguay
    688 tv Tuvalu
    691 fm Micronesia
    692 mh the Marshall Islands
    1340 vi the US Virgin Islands
    1671 gu Guam
    1787,1939 pr Puerto Rico
  `,
};

/** Rules by code; the pages of most countries have none of these. */
const RULES: Readonly<Record<string, CountryRules>> = {
  ae: { euro: "in UCS-2" },
  cn: { segments: { most: 8, why: "Twilio recommends at most 8 to China" } },
  fr: { characters: { form: /^[A-Za-z0-9 ]*$/, expected: "letters and digits" } },
  gb: {
    characters: {
      form: /^[A-Za-z0-9 .&_-]*$/,
      expected: 'letters, digits, spaces and ".-_&"',
    },
    generic: GENERIC_IN_BRITAIN,
  },
  gf: { euro: "in UCS-2" },
  gp: { euro: "in UCS-2" },
  jp: { segments: { most: 5, why: "a network of Japan may delay more than 5" } },
  ph: { words: /TEST|MESSAGE|SMS|\bSMART\b|\bSUN\b/i },
  sa: { euro: "in UCS-2" },
  // Five characters are reserved for the network.
  tr: { single: { "GSM-7": 155, "UCS-2": 65 } },
  us: { euro: "never" },
};
/** Countries whose networks block senders such as "INFO". */
const NO_GENERIC = new Set(
  ("af am az bj by cd cg ci cm cv dm dz fj ga gh gl gn gr gw id ie iq ke lr ls ly mg mk mr mw ne ng pl rw sd sl so ss " +
    "sz td tn tz ua ug zm").split(" "),
);
/** Countries with "Twilio concatenated message support: No". */
const APART = new Set(
  ("bw ck cr cu dm gd gf gn gq gt km kn lr lu md mq ms nu pf pm pr sc sm sn ss sz td tl tn to tt vc ve vi vu ws zm")
    .split(" "),
);
/** Area codes of `+1` in other countries, most of them islands: https://www.nanpa.com/numbering/area-codes */
const NOT_US = new Set("246 264 268 284 345 441 649 658 684 721 758 876".split(" "));
const LONGEST_PREFIX = 4;

/** By E.164 prefix. */
const COUNTRIES: ReadonlyMap<string, Country> = new Map(
  Object.entries(BY_SUPPORT).flatMap(([support, lines]) =>
    lines.trim().split("\n").flatMap((line) => {
      const [, prefixes = "", iso = "", name = ""] = /^(\S+) (\S+) (.+)$/.exec(line.trim()) ?? [];
      const country: Country = {
        name,
        iso,
        support: support as SenderSupport,
        ...(NO_GENERIC.has(iso) ? { generic: GENERIC } : {}),
        isApart: APART.has(iso),
        ...RULES[iso],
      };
      return prefixes.split(",").map((prefix) => [prefix, country] as const);
    })
  ),
);

/** Returns the country of a recipient, with or without its plus sign; `undefined` for one without rules. */
export function countryOf(to: string): Country | undefined {
  const digits = to.replace(/^\+/, "");
  for (let length = LONGEST_PREFIX; length > 0; length--) {
    const country = COUNTRIES.get(digits.slice(0, length));
    if (country === undefined) continue;
    return country.iso === "us" && NOT_US.has(digits.slice(1, 4)) ? undefined : country;
  }
  return undefined;
}

/** Returns the address of the page of a country. */
export function guidelineOf({ iso }: Country): string {
  return `https://www.twilio.com/en-us/guidelines/${iso}/sms`;
}
