/** Filters of pushes. */
import { boolean, text, word } from "../../core/http/params.ts";
import { type EventFilters, filtersFor } from "../../core/http/route.ts";
import { ownValue } from "../../core/own.ts";
import { hasDataKey } from "./capture.ts";
import type { PushMessage } from "./model.ts";
import { isShown, type PushEvent } from "./views.ts";

const KIND_WORDS = ["notification", "silent", "empty", "alert", "background"] as const;
const TARGET_WORDS = ["device", "topic", "condition", "channel", "token", "fid"] as const;

/** Aliases of kinds and target kinds. */
const ALIASES: Readonly<Record<string, string>> = {
  alert: "notification",
  background: "silent",
  token: "device",
  fid: "device",
};

/** Conditions on a push; all present ones must hold. */
export interface PushFilter {
  /** Whether a device would show or play anything. */
  readonly displays?: boolean | undefined;
  /** Its kind; `alert` means notification, `background` silent. */
  readonly kind?: PushMessage["kind"] | "alert" | "background" | undefined;
  /** Kind of its target; `token` and `fid` mean device. */
  readonly target_kind?: PushMessage["target"]["kind"] | "token" | "fid" | undefined;
  /** Part of the address, in any case. */
  readonly target?: string | undefined;
  /** Bundle id, project, or contact of a web push's sender. */
  readonly app?: string | undefined;
  /** Type that the sender declared. */
  readonly push_type?: string | undefined;
  /** `high`, `normal` or `low`, or the value exactly as sent. */
  readonly priority?: string | undefined;
  /** A key of its data. */
  readonly data_key?: string | undefined;
}

/** The filter as query parameters. */
export const filters: EventFilters = filtersFor<PushEvent>()({
  query: {
    plugin: text("push for every push; any other value for none"),
    displays: boolean("Only pushes that a device would, or would not, show"),
    kind: word(
      "Only pushes of this kind; alert means notification, background silent",
      KIND_WORDS,
    ),
    target_kind: word(
      "Only pushes to this kind of target; token and fid mean device",
      TARGET_WORDS,
    ),
    target: text("Substring of the address"),
    app: text("Bundle id, project, or contact of a web push's sender"),
    push_type: text("Type that the sender declared"),
    priority: text("high, normal or low, or the value exactly as sent"),
    data_key: text("Only pushes whose data has this key"),
  },
  select: (filter, ctx) => ({
    matches: ({ payload }) =>
      (filter.plugin ?? ctx.plugin) === ctx.plugin && matchesPush(payload, filter),
  }),
});

function matchesPush(message: PushMessage, filter: PushFilter): boolean {
  const { kind, target_kind, target, app, push_type, priority, data_key } = filter;
  return (filter.displays === undefined || filter.displays === isShown(message)) &&
    (kind === undefined || message.kind === (ownValue(ALIASES, kind) ?? kind)) &&
    (target_kind === undefined ||
      message.target.kind === (ownValue(ALIASES, target_kind) ?? target_kind)) &&
    (target === undefined ||
      message.target.value.toLowerCase().includes(target.toLowerCase())) &&
    (app === undefined || message.app === app) &&
    (push_type === undefined || message.push_type === push_type) &&
    (priority === undefined || hasPriority(message, priority)) &&
    (data_key === undefined || hasDataKey(message, data_key));
}

function hasPriority({ delivery }: PushMessage, wanted: string): boolean {
  return delivery.priority === wanted.toLowerCase() || delivery.priority_raw === wanted;
}
