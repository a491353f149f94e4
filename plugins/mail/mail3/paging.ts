/** Pages of lists: https://resend.com/docs/api-reference/pagination */
import { failure, type Result, success } from "../../../core/result.ts";
import { isUuid } from "./ids.ts";
import { REFUSALS, type VendorRefusal } from "./reply.ts";
import type { ListRequest } from "./request.ts";

/** Positions of a cursor in the list; `undefined` for an unknown id. */
export interface Cursors {
  /** First entry after the cursor. */
  after(id: string): number | undefined;
  /** First entry that is not before the cursor. */
  before(id: string): number | undefined;
}

/** Returns a page of a list; the refusal of a cursor that is not in it. */
export function cutList<T>(
  items: readonly T[],
  { limit, after, before }: ListRequest,
  cursors: Cursors,
): Result<{ readonly items: readonly T[]; readonly more: boolean }, VendorRefusal> {
  const cursor = after ?? before;
  if (cursor === undefined) {
    return success({ items: items.slice(0, limit), more: items.length > limit });
  }
  const at = after === undefined ? cursors.before(cursor) : cursors.after(cursor);
  if (at === undefined) return failure(badCursor(cursor));
  const start = after === undefined ? Math.max(0, at - limit) : at;
  const end = after === undefined ? at : Math.min(items.length, at + limit);
  const more = after === undefined ? start > 0 : end < items.length;
  return success({ items: items.slice(start, end), more });
}

function badCursor(cursor: string): VendorRefusal {
  return isUuid(cursor) ? REFUSALS.unknownEmail : REFUSALS.badId;
}
