import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { suggest } from "../../../core/options/suggest.ts";
import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { PushEvent } from "../views.ts";

const APNS =
  "https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification";

type Json = Readonly<Record<string, unknown>>;

/** Valid values of a key of `aps`. Devices silently ignore others. */
interface Rule {
  readonly is: string;
  fits(value: unknown): boolean;
}

const TEXT: Rule = { is: "a string", fits: (value) => typeof value === "string" };
const FLAG: Rule = { is: "the number 1", fits: (value) => value === 1 || value === 0 };
const TIME: Rule = { is: "a number of seconds", fits: Number.isFinite };
const OBJECT: Rule = { is: "an object", fits: isJsonObject };

function oneOf(...words: readonly string[]): Rule {
  return { is: words.join(", "), fits: (value) => words.includes(value as string) };
}

function eitherOf(...rules: readonly Rule[]): Rule {
  return {
    is: rules.map(({ is }) => is).join(" or "),
    fits: (value) => rules.some((rule) => rule.fits(value)),
  };
}

/** Keys of `aps`: tables 1 and 2 of Apple's page, those of Live Activities, and of widgets. */
const KEYS: Readonly<Record<string, Rule>> = {
  alert: eitherOf(TEXT, OBJECT),
  badge: {
    is: "a whole number",
    fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  },
  sound: eitherOf(TEXT, OBJECT),
  "thread-id": TEXT,
  category: TEXT,
  "content-available": FLAG,
  "mutable-content": FLAG,
  "target-content-id": TEXT,
  "interruption-level": oneOf("passive", "active", "time-sensitive", "critical"),
  "relevance-score": { is: "a number", fits: Number.isFinite },
  "filter-criteria": TEXT,
  "stale-date": TIME,
  "content-state": OBJECT,
  timestamp: TIME,
  event: oneOf("start", "update", "end"),
  "dismissal-date": TIME,
  "attributes-type": TEXT,
  attributes: OBJECT,
  "input-push-token": FLAG,
  "input-push-channel": TEXT,
  "content-changed": { is: "true", fits: (value) => typeof value === "boolean" },
  "url-args": { is: "a list", fits: Array.isArray },
};
/** Keys of `aps.alert`; deprecated ones are findings of their own. */
const ALERT: Readonly<Record<string, Rule>> = {
  title: TEXT,
  subtitle: TEXT,
  body: TEXT,
  "launch-image": TEXT,
  "title-loc-key": TEXT,
  "title-loc-args": { is: "a list", fits: Array.isArray },
  "subtitle-loc-key": TEXT,
  "subtitle-loc-args": { is: "a list", fits: Array.isArray },
  "loc-key": TEXT,
  "loc-args": { is: "a list", fits: Array.isArray },
};
const DEPRECATED = new Set(["summary-arg", "summary-arg-count", "action-loc-key", "action"]);

/** Checks of the `aps` dictionary: what devices would ignore. */
export const apsTopic: CheckTopic<PushEvent> = {
  checks: [
    {
      id: "push.aps_value",
      level: "warning",
      about:
        "A key of aps, or of its alert, has a value of a different type than Apple documents: devices ignore it",
      source: APNS,
    },
    {
      id: "push.aps_member",
      level: "info",
      about:
        "aps has a key that Apple does not define: the app's own keys belong next to aps; a warning if it is " +
        "close to a known key",
      source: APNS,
    },
    {
      id: "push.critical_volume",
      level: "warning",
      about: "The volume of a critical alert is not between 0 and 1, or it has no sound",
      source: APNS,
    },
  ],
  *find({ payload: { payloads = [], push_type: type } }) {
    for (const { json } of payloads) {
      for (const path of ["aps", "message.apns.payload.aps"]) {
        const aps = at(json, path);
        // Events of Live Activities add their own alert.
        if (!isJsonObject(aps)) continue;
        yield* ofKeys(aps, { path, keys: KEYS });
        if (isJsonObject(aps.alert) && type !== "liveactivity") {
          yield* ofKeys(aps.alert, { path: `${path}.alert`, keys: ALERT });
        }
        if (isJsonObject(aps.sound)) yield* ofSound(aps.sound, `${path}.sound`);
      }
    }
  },
};

/** The value of a path of names. */
export function at(json: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>(
    (value, key) => isJsonObject(value) ? value[key] : undefined,
    json,
  );
}

function* ofKeys(
  given: Json,
  { path, keys }: { readonly path: string; readonly keys: Readonly<Record<string, Rule>> },
): Generator<Found> {
  for (const [key, value] of Object.entries(given)) {
    const where = { part: "payload", path: `${path}.${key}` };
    if (!Object.hasOwn(keys, key)) {
      if (DEPRECATED.has(key)) continue;
      const near = suggest(key, Object.keys(keys));
      yield {
        id: "push.aps_member",
        ...(near === undefined ? {} : { level: "warning" as const }),
        message: `${path} has no ${JSON.stringify(key.slice(0, 100))}` +
          (near === undefined
            ? "; the app's own keys belong next to aps"
            : `; did you mean ${near}?`),
        where,
      };
      continue;
    }
    const { is, fits } = keys[key]!;
    if (value === null || fits(value)) continue;
    yield {
      id: "push.aps_value",
      message: `${key} is ${shown(value)}; expected ${is}`,
      where,
    };
  }
}

function* ofSound({ name, volume, critical }: Json, path: string): Generator<Found> {
  const where = { part: "payload", path };
  if (typeof volume === "number" && (volume < 0 || volume > 1)) {
    yield {
      id: "push.critical_volume",
      message: `The volume is ${volume}; expected 0 to 1`,
      where,
    };
  }
  if (critical === 1 && typeof name !== "string") {
    yield {
      id: "push.critical_volume",
      message: "A critical alert needs the name of a sound",
      where,
    };
  }
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isJsonObject(value) ? "an object" : JSON.stringify(value).slice(0, 100);
}
