/**
 * The `aps` dictionary of a push to Apple devices
 * (https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
 */
import { isJsonObject } from "../../core/codec/json_lenient.ts";
import { compact } from "../../core/compact.ts";
import { toAlert, toLocalization, words } from "./alert.ts";
import type { PushAlert } from "./model.ts";

type Json = Readonly<Record<string, unknown>>;

/** Content of a payload for Apple devices. */
export interface Aps {
  readonly alert?: PushAlert;
  /** Whether `content-available` requests that the app run in the background. */
  readonly wakes: boolean;
  /** Whether `aps` carries something for the app, such as the state of a Live Activity. */
  readonly carries: boolean;
  /** Documented keys without a place in the model, as `aps_<key>`. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Keys whose value is for the app or its extensions. */
const CONTENT: ReadonlySet<string> = new Set([
  "timestamp",
  "event",
  "content-state",
  "stale-date",
  "dismissal-date",
  "attributes-type",
  "attributes",
  "input-push-token",
  "input-push-channel",
  "content-changed",
]);

/** Keys without a place in the model. */
const EXTRAS: ReadonlySet<string> = new Set([
  ...CONTENT,
  "thread-id",
  "interruption-level",
  "relevance-score",
  "filter-criteria",
  "target-content-id",
  "mutable-content",
  "content-available",
]);

/** Keys of `aps.alert` without a place in the model. */
const ALERT_EXTRAS = new Set(["launch-image", "action", "action-loc-key", "summary-arg"]);

/** Reads the dictionary of a payload; a missing or malformed one counts as empty. */
export function readAps(payload: unknown): Aps {
  const aps = isJsonObject(payload) && isJsonObject(payload.aps) ? payload.aps : {};
  const alert = readAlert(aps);
  return {
    ...compact({ alert }),
    wakes: aps["content-available"] === 1 || aps["content-available"] === true,
    carries: Object.keys(aps).some((key) => CONTENT.has(key) && aps[key] !== null),
    meta: readMeta(aps),
  };
}

function readAlert(aps: Json): PushAlert | undefined {
  const alert: Json = isJsonObject(aps.alert) ? aps.alert : { body: aps.alert };
  return toAlert({
    title: alert.title,
    subtitle: alert.subtitle,
    body: alert.body,
    category: aps.category,
    sound: isJsonObject(aps.sound) ? aps.sound.name : aps.sound,
    badge: aps.badge,
    localization: toLocalization({
      title_key: alert["title-loc-key"],
      title_args: words(alert["title-loc-args"]),
      subtitle_key: alert["subtitle-loc-key"],
      subtitle_args: words(alert["subtitle-loc-args"]),
      body_key: alert["loc-key"],
      body_args: words(alert["loc-args"]),
    }),
  });
}

function readMeta(aps: Json): Readonly<Record<string, unknown>> {
  const meta: Record<string, unknown> = {};
  const note = (from: unknown, keys: ReadonlySet<string>): void => {
    if (!isJsonObject(from)) return;
    for (const [key, value] of Object.entries(from)) {
      if (keys.has(key) && value !== null) meta[`aps_${key.replaceAll("-", "_")}`] = value;
    }
  };
  note(aps, EXTRAS);
  note(aps.alert, ALERT_EXTRAS);
  if (isJsonObject(aps.sound)) {
    const { critical, volume } = aps.sound;
    if (critical === 1 || critical === true) meta.aps_critical_sound = true;
    if (typeof volume === "number") meta.aps_sound_volume = volume;
  }
  return meta;
}
