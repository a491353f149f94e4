/**
 * CORS rules of a bucket, and which of them allows a page's request (Amazon S3 user guide, "Elements of a CORS
 * configuration").
 *
 * @module
 */
import { childrenOf, childText, type XmlNode } from "./xml.ts";

/** Methods that a rule may allow. */
export const CORS_METHODS = ["GET", "PUT", "POST", "DELETE", "HEAD"] as const;

/** One rule. */
export interface CorsRule {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAge: string | undefined;
}

/** A page's request. */
export interface CorsAsk {
  readonly origin: string;
  readonly method: string;
  /** Names in `Access-Control-Request-Headers`. */
  readonly headers: readonly string[];
}

/** Returns the rules of a CORSConfiguration document, in order. */
export function toCorsRules(root: XmlNode): readonly CorsRule[] {
  return childrenOf(root, "CORSRule").map((rule) => ({
    origins: texts(rule, "AllowedOrigin"),
    methods: texts(rule, "AllowedMethod"),
    headers: texts(rule, "AllowedHeader"),
    exposed: texts(rule, "ExposeHeader"),
    maxAge: childText(rule, "MaxAgeSeconds")?.trim(),
  }));
}

function texts(rule: XmlNode, name: string): readonly string[] {
  return childrenOf(rule, name).map(({ text }) => text.trim());
}

/** Returns the first rule that allows the whole request. */
export function findCorsRule(
  rules: readonly CorsRule[],
  { origin, method, headers }: CorsAsk,
): CorsRule | undefined {
  return rules.find((rule) =>
    rule.methods.includes(method) &&
    rule.origins.some((pattern) => fits(pattern, origin)) &&
    headers.every((name) =>
      rule.headers.some((pattern) => fits(pattern.toLowerCase(), name.toLowerCase()))
    )
  );
}

/** Returns whether a text matches a pattern, in which one `*` matches any characters. */
function fits(pattern: string, text: string): boolean {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === text;
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}
