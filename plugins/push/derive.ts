/** The effect of a push, derived from its content. */
import { hasText } from "./alert.ts";
import type { PushAlert, PushKind } from "./model.ts";

/** A section for one platform that can hold an alert. */
export type AlertSection = "apns" | "webpush";

const PLATFORMS: Readonly<Record<AlertSection, string>> = {
  apns: "Apple devices",
  webpush: "the web",
};

/** Content that decides the effect of a push. */
export interface PushContent {
  readonly alert?: PushAlert | undefined;
  /** Number of keys of data for the app. */
  readonly dataKeys: number;
  /** Whether the app is to run in the background: `content-available`, or a declared background push. */
  readonly wakes: boolean;
  /** Whether it carries something else for the app, such as the state of a Live Activity. */
  readonly carries: boolean;
  /** Type that the sender declared. */
  readonly pushType?: string | undefined;
  /** Why the payload is unreadable. */
  readonly unreadable?: string | undefined;
  /** The only section with the alert: other platforms do not show it. */
  readonly alertSection?: AlertSection | undefined;
  /** Whether a service worker gets it, and decides what is shown. */
  readonly decidedBy?: "worker" | undefined;
}

/** The kind of a push, and one sentence that explains it. */
export interface Verdict {
  readonly kind: PushKind;
  readonly explain: string;
}

/** Longest sound name quoted, in characters. */
const MAX_QUOTE = 60;

/** Determines the effect of a push. */
export function judgePush(content: PushContent): Verdict {
  const effects = effectsOf(content.alert);
  if (effects.length > 0) {
    const section = content.alertSection;
    const where = section === undefined ? "" : `, on ${PLATFORMS[section]} only`;
    const odd = content.pushType === "background"
      ? "; it was declared as background, which must show nothing"
      : "";
    const worker = content.decidedBy === "worker" ? ", if the service worker does so" : "";
    const what = capitalize(effects.join(", "));
    return { kind: "notification", explain: `${what}${where}${worker}${odd}` };
  }
  if (content.unreadable !== undefined && content.decidedBy === "worker") {
    return { kind: "silent", explain: `Cannot tell what it shows: ${content.unreadable}` };
  }
  if (content.unreadable !== undefined) {
    return { kind: "empty", explain: `Shows nothing: ${content.unreadable}` };
  }
  const app = content.decidedBy === "worker" ? "the service worker" : "the app";
  const handed = [
    ...(content.wakes ? [`${app} is woken`] : []),
    ...(content.dataKeys > 0 ? [`${app} gets ${countKeys(content.dataKeys)} of data`] : []),
    ...(content.carries ? [`the system hands it to ${app}`] : []),
  ];
  if (handed.length > 0) {
    return { kind: "silent", explain: `Shows nothing: ${handed.join(" and ")}` };
  }
  return {
    kind: "empty",
    explain: "Shows nothing and carries nothing: no text, badge, sound or data",
  };
}

function effectsOf(alert: PushAlert | undefined): readonly string[] {
  if (alert === undefined) return [];
  const { badge, sound } = alert;
  return [
    ...(hasText(alert) ? ["shows text"] : []),
    ...(badge === undefined
      ? []
      : badge === 0
      ? ["clears the badge"]
      : [`sets the badge to ${badge}`]),
    ...(sound === undefined ? [] : [`plays the sound "${shorten(sound)}"`]),
  ];
}

function countKeys(count: number): string {
  return count === 1 ? "1 key" : `${count} keys`;
}

function shorten(text: string): string {
  const line = text.slice(0, 4 * MAX_QUOTE).replace(/[\s\p{Cc}]+/gu, " ").toWellFormed();
  return line.length <= MAX_QUOTE ? line : `${line.slice(0, MAX_QUOTE).toWellFormed()}…`;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
