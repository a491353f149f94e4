import type { RouteContext } from "../http/route.ts";
import { DEFAULT_NEARNESS, MAX_NEARNESS, type StoryIndex } from "../stories/stories.ts";
import { type StoryView, toStoryView } from "../stories/view.ts";
import type { StoryOptions } from "./service.ts";
import { listHeld } from "./wait.ts";

const CANNOT = "Cannot list stories";

/** Lists stories; with filters, only those with a matching event. Rejects with `RangeError` for invalid options. */
export async function listStories(
  ctx: RouteContext,
  index: StoryIndex,
  options: StoryOptions,
): Promise<readonly StoryView[]> {
  const { minEvents = 1, windowMs, recipientWindowMs, type, ...filter } = options;
  const asking = { cannot: CANNOT, more: ["minEvents", "windowMs", "recipientWindowMs"] };
  checkNumber("minEvents", minEvents, Infinity);
  const near = {
    windowMs: checkNumber("windowMs", windowMs ?? DEFAULT_NEARNESS.windowMs, MAX_NEARNESS.windowMs),
    recipientMs: checkNumber(
      "recipientWindowMs",
      recipientWindowMs ?? DEFAULT_NEARNESS.recipientMs,
      MAX_NEARNESS.recipientMs,
    ),
  };
  const isFiltered = type !== undefined ||
    Object.values(filter).some((value) => value !== undefined);
  const seqs = isFiltered ? listHeld(ctx, type, filter, asking).map(({ seq }) => seq) : undefined;
  const groups = await index.groups(near);
  const wanted = seqs && new Set(seqs.map((seq) => groups.find(seq)));
  return groups.newestFirst()
    .filter((story) => story.size >= minEvents && wanted?.has(story) !== false)
    .map((story) => toStoryView(story, ctx.events))
    .filter((story) => story !== undefined).toArray();
}

function checkNumber(name: string, value: unknown, most: number): number {
  if (typeof value === "number" && value >= 0 && value <= most) return value;
  throw new RangeError(
    `${CANNOT}: ${name} is a number of at least 0` +
      (most === Infinity ? "" : `, and at most ${most}`),
  );
}
