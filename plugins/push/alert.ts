/** Alerts from untrusted values: empty members, and those of a wrong type, are omitted. */
import { compact } from "../../core/compact.ts";
import type { PushAlert, PushLocalization } from "./model.ts";

/** Members of an alert as sent. */
export type AlertParts = { readonly [K in keyof PushAlert]?: unknown } & {
  readonly localization?: PushLocalization | undefined;
};

/** Returns an alert of the usable members; `undefined` without any. */
export function toAlert(parts: AlertParts): PushAlert | undefined {
  const { badge, localization } = parts;
  const alert: PushAlert = {
    ...texts(parts, ["title", "subtitle", "body", "category", "image", "sound"]),
    ...(typeof badge === "number" && Number.isSafeInteger(badge) && { badge }),
    ...compact({ localization }),
  };
  return Object.keys(alert).length > 0 ? alert : undefined;
}

/** Returns texts by key, of the usable members; `undefined` without any. */
export function toLocalization(
  parts: { readonly [K in keyof PushLocalization]?: unknown },
): PushLocalization | undefined {
  const localization: PushLocalization = {
    ...texts(parts, ["title_key", "subtitle_key", "body_key"]),
    ...lists(parts, ["title_args", "subtitle_args", "body_args"]),
  };
  return Object.keys(localization).length > 0 ? localization : undefined;
}

/** Returns the texts and numbers of a list, as texts. */
export function words(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === "string" || typeof item === "number").map(String);
}

/** Returns whether a device would show or play the alert. */
export function hasEffect(alert: PushAlert | undefined): alert is PushAlert {
  return alert !== undefined &&
    (hasText(alert) || alert.badge !== undefined || alert.sound !== undefined);
}

/** Returns whether the alert has text. */
export function hasText(alert: PushAlert): boolean {
  const { title, subtitle, body, localization: keys } = alert;
  return [title, subtitle, body, keys?.title_key, keys?.subtitle_key, keys?.body_key]
    .some((text) => text !== undefined);
}

function texts<K extends string>(
  parts: { readonly [P in K]?: unknown },
  keys: readonly K[],
): { readonly [P in K]?: string } {
  const found: { [P in K]?: string } = {};
  for (const key of keys) {
    const value = parts[key];
    if (typeof value === "string" && value !== "") found[key] = value;
  }
  return found;
}

function lists<K extends string>(
  parts: { readonly [P in K]?: unknown },
  keys: readonly K[],
): { readonly [P in K]?: string[] } {
  const found: { [P in K]?: string[] } = {};
  for (const key of keys) {
    const value = words(parts[key]);
    if (value.length > 0) found[key] = value;
  }
  return found;
}
