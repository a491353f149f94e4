/** Pages of lists: https://docs.slack.dev/apis/web-api/pagination */
import { decodeBase64, encodeBase64 } from "@std/encoding/base64";
import type { MethodCall } from "./methods.ts";
import { fail } from "./refusals.ts";

/** Part of a list. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly response_metadata: { readonly next_cursor: string };
}

/**
 * Returns the page that `cursor` and `limit` select. The cursor contains `kind`, so that other
 * lists reject it.
 */
export function pageOf<T>(
  all: readonly T[],
  { given }: MethodCall,
  { kind, standard, max }: {
    readonly kind: string;
    readonly standard: number;
    readonly max: number;
  },
): Part<T> {
  const at = readCursor(given.text("cursor") ?? "", kind);
  if (at > all.length) fail("invalid_cursor");
  const limit = readLimit(given.text("limit"), { standard, max });
  const end = at + limit;
  const hasMore = end < all.length;
  return {
    items: all.slice(at, end),
    hasMore,
    response_metadata: { next_cursor: hasMore ? encodeBase64(`${kind}:${end}`) : "" },
  };
}

function readLimit(
  text: string | undefined,
  { standard, max }: { readonly standard: number; readonly max: number },
): number {
  if (text === undefined || text === "" || text === "0") return standard;
  if (!/^\d{1,9}$/.test(text)) return fail("invalid_limit");
  return Math.min(Number(text), max);
}

function readCursor(cursor: string, kind: string): number {
  if (cursor === "") return 0;
  let text = "";
  try {
    text = new TextDecoder().decode(decodeBase64(cursor));
  } catch {
    return fail("invalid_cursor");
  }
  const [own, at = ""] = text.split(":");
  return own === kind && /^\d{1,9}$/.test(at) ? Number(at) : fail("invalid_cursor");
}
