/** Alerts made from untrusted values: what has another type than it should, or is empty, is left out. */
import { compact } from "../../core/compact.ts";
import type { PushAlert, PushLocalization } from "./model.ts";

/** Members of an alert as they were sent. */
export type AlertParts = { readonly [K in keyof PushAlert]?: unknown } & {
  readonly localization?: PushLocalization | undefined;
};

/** An alert of the members that are usable; `undefined` when none is. */
export function toAlert(parts: AlertParts): PushAlert | undefined {
  const { badge, localization } = parts;
  const alert: PushAlert = {
    ...texts({
      title: parts.title,
      subtitle: parts.subtitle,
      body: parts.body,
      category: parts.category,
      image: parts.image,
      sound: parts.sound,
    }),
    ...(typeof badge === "number" && Number.isSafeInteger(badge) ? { badge } : {}),
    ...compact({ localization }),
  };
  return Object.keys(alert).length > 0 ? alert : undefined;
}

/** Texts by key, of the members that are usable; `undefined` when none is. */
export function toLocalization(
  parts: { readonly [K in keyof PushLocalization]?: unknown },
): PushLocalization | undefined {
  const localization: PushLocalization = {
    ...texts({
      title_key: parts.title_key,
      subtitle_key: parts.subtitle_key,
      body_key: parts.body_key,
    }),
    ...lists({
      title_args: parts.title_args,
      subtitle_args: parts.subtitle_args,
      body_args: parts.body_args,
    }),
  };
  return Object.keys(localization).length > 0 ? localization : undefined;
}

/** The texts of a list; numbers count, as they do for what formats them. */
export function words(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === "string" || typeof item === "number").map(String);
}

/** Whether anything of an alert would be seen or heard. */
export function hasEffect(alert: PushAlert | undefined): alert is PushAlert {
  return alert !== undefined &&
    (hasText(alert) || alert.badge !== undefined || alert.sound !== undefined);
}

/** Whether anything of an alert would be read, not only heard or counted. */
export function hasText(alert: PushAlert): boolean {
  const { title, subtitle, body, localization: keys } = alert;
  return [title, subtitle, body, keys?.title_key, keys?.subtitle_key, keys?.body_key]
    .some((text) => text !== undefined);
}

function texts<K extends string>(
  parts: Readonly<Record<K, unknown>>,
): { readonly [P in K]?: string } {
  const found: { [P in K]?: string } = {};
  for (const key in parts) {
    const value: unknown = parts[key];
    if (typeof value === "string" && value !== "") found[key] = value;
  }
  return found;
}

function lists<K extends string>(
  parts: Readonly<Record<K, unknown>>,
): { readonly [P in K]?: string[] } {
  const found: { [P in K]?: string[] } = {};
  for (const key in parts) {
    const value = words(parts[key]);
    if (value.length > 0) found[key] = value;
  }
  return found;
}
