import type { OptionExtra, OptionSpec } from "./spec.ts";
import { list } from "./spec.ts";

/** Scheme and authority only, as browsers send them (RFC 6454 section 6.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s*,]+$/;

/** Origins of pages, such as `https://app.example.com`, as in the `Origin` header. */
export function origins(
  about: string,
  extra: OptionExtra = {},
): OptionSpec<readonly string[]> {
  const option = list(about, [], { example: ["https://app.example.com"], ...extra });
  return {
    ...option,
    parse: (value) => option.parse(value).map(checkOrigin),
    check: (value) => option.check(value).map(checkOrigin),
  };
}

function checkOrigin(text: string): string {
  const nearest = nearestOrigin(text);
  if (text === nearest) return text;
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  throw new RangeError(
    `expected origins such as "https://app.example.com": scheme, host and a port that is not ` +
      `the scheme's own, not "${text}"${hint}`,
  );
}

/** Suggests the intended origin. `null` and `*` have none: any page can send `null`, and `*` is every page. */
function nearestOrigin(text: string): string | undefined {
  const trimmed = text.trim();
  if (ORIGIN.test(trimmed) && !/^https?:/.test(trimmed)) return trimmed;
  const url = URL.parse(/^[^/]+:\/\//.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || trimmed === "null" || !ORIGIN.test(url.origin)) return undefined;
  return url.origin;
}
