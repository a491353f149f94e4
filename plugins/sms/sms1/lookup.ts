/**
 * Lookup, version 2: https://www.twilio.com/docs/lookup/v2-api. No network is queried: facts about
 * a number are derived from its digits, and the packages answer with fixed values.
 */
import type { IngressCall } from "../../../core/plugin.ts";
import { callingCodeOf, countryOf } from "./countries.ts";
import { answer, badParameter, refuse } from "./reply.ts";

/** Packages with a value here, and those that are `null`, as for numbers unknown to the vendor. */
const PACKAGES: Readonly<Record<string, unknown>> = {
  validation: undefined,
  line_type_intelligence: {
    error_code: null,
    mobile_country_code: "001",
    mobile_network_code: "01",
    carrier_name: "Standin",
    type: "mobile",
  },
  caller_name: { caller_name: null, caller_type: null, error_code: null },
  sim_swap: null,
  call_forwarding: null,
  line_status: null,
  identity_match: null,
  reassigned_number: null,
  sms_pumping_risk: null,
  phone_number_quality_score: null,
  pre_fill: null,
};

/** Shortest and longest number, in digits with the country code. */
const MIN_DIGITS = 8;
const MAX_DIGITS = 15;

/** `GET /v2/PhoneNumbers/{number}` */
export function lookUp(call: IngressCall): Response {
  const asked = (call.query.get("Fields") ?? "").split(",").map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = asked.find((name) => !Object.hasOwn(PACKAGES, name));
  if (unknown !== undefined) {
    const known = Object.keys(PACKAGES).join(", ");
    return refuse(badParameter("Fields", `"${unknown.slice(0, 64)}" is none of ${known}`));
  }
  const country = call.query.get("CountryCode") ?? "US";
  const calling = callingCodeOf(country);
  if (calling === undefined) {
    return refuse(badParameter("CountryCode", "expected a country of ISO 3166 in two letters"));
  }
  const { number, errors } = toE164(call.params.number ?? "", calling);
  const found = errors.length === 0 ? countryOf(number) : undefined;
  const packages = Object.entries(PACKAGES).filter(([name]) => name !== "validation");
  return answer({
    calling_country_code: found?.calling ?? null,
    country_code: found?.iso ?? null,
    phone_number: number,
    national_format: found === undefined ? null : toNational(number, found.calling),
    valid: errors.length === 0,
    validation_errors: errors.length === 0 ? null : errors,
    ...Object.fromEntries(
      packages.map(([name, value]) => [name, asked.includes(name) ? value : null]),
    ),
    url: `https://lookups.twilio.com/v2/PhoneNumbers/${encodeURIComponent(number)}`,
  });
}

/** In national notation, a number belongs to the requested country. */
function toE164(given: string, calling: string): { number: string; errors: readonly string[] } {
  // An unescaped "+" stays a plus in a path, but some clients escape it as a space.
  const text = given.trim().replace(/[\s.()-]/g, "");
  const isInternational = given.startsWith("+") || given.startsWith(" ");
  const digits = text.replace(/^\+/, "");
  const number = isInternational ? `+${digits}` : `+${calling}${digits.replace(/^0/, "")}`;
  if (!/^\d*$/.test(digits)) return { number: given, errors: ["NOT_A_NUMBER"] };
  const { length } = number.slice(1);
  if (length < MIN_DIGITS) return { number, errors: ["TOO_SHORT"] };
  if (length > MAX_DIGITS) return { number, errors: ["TOO_LONG"] };
  if (number.startsWith("+1") && length !== 11) {
    return { number, errors: [length < 11 ? "TOO_SHORT" : "TOO_LONG"] };
  }
  return {
    number,
    errors: countryOf(number) === undefined ? ["INVALID_COUNTRY_CODE"] : [],
  };
}

/** North American format; digits of other countries are not grouped. */
function toNational(number: string, calling: string): string {
  const digits = number.slice(1 + calling.length);
  return calling === "1" ? digits.replace(/^(...)(...)(....)$/, "($1) $2-$3") : digits;
}
