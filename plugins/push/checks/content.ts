import type { CheckTopic } from "../../../core/plugin.ts";
import { compact } from "../../../core/compact.ts";
import type { PushEvent } from "../views.ts";
import { placeOf } from "./place.ts";

/** Approximate number of characters that a lock screen shows. */
const SHOWN = { title: 65, body: 240 };

/** Checks of the visible content. */
export const contentTopic: CheckTopic<PushEvent> = {
  checks: [
    {
      id: "push.empty",
      level: "warning",
      about: "The push shows nothing, and delivers no data to the app",
    },
    {
      id: "push.long_text",
      level: "info",
      about: "A title or text is longer than lock screens show",
      source: "https://firebase.google.com/docs/cloud-messaging/understand-delivery",
    },
    {
      id: "push.image",
      level: "warning",
      about: "The URL of the image is not https: devices do not load it",
      source: "https://firebase.google.com/docs/cloud-messaging/send-image",
    },
    {
      id: "push.localization",
      level: "warning",
      about: "A localized text has arguments but no key: they are ignored",
      source:
        "https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification",
    },
  ],
  *find({ payload }) {
    const { kind, alert } = payload;
    const placed = (value: unknown) => compact({ where: placeOf(payload, value) });
    if (kind === "empty") yield { id: "push.empty", message: "Neither alert nor data" };
    for (const [name, most] of Object.entries(SHOWN) as ["title" | "body", number][]) {
      const { length } = [...alert?.[name] ?? ""];
      if (length > most) {
        yield {
          id: "push.long_text",
          message: `The ${name} has ${length} characters; about ${most} are shown`,
          ...placed(alert?.[name]),
        };
      }
    }
    if (alert?.image !== undefined && !/^https:\/\//i.test(alert.image)) {
      yield {
        id: "push.image",
        message: `${JSON.stringify(alert.image.slice(0, 100))} is not https`,
        ...placed(alert.image),
      };
    }
    const texts = alert?.localization ?? {};
    for (const part of ["title", "subtitle", "body"] as const) {
      if (texts[`${part}_args`] !== undefined && texts[`${part}_key`] === undefined) {
        yield {
          id: "push.localization",
          message: `The ${part} has arguments, but no key`,
          ...placed(texts[`${part}_args`]),
        };
      }
    }
  },
};
