import type { CapturedEvent, EventText } from "../../core/plugin.ts";
import type { PushMessage } from "./model.ts";

/** What a device shows, then the app's own values, each behind its name. */
export function textsOfPush(event: CapturedEvent): EventText[] {
  const { alert, data_json: data } = (event as CapturedEvent<PushMessage>).payload;
  const shown = [alert?.title, alert?.subtitle, alert?.body].filter((text) => text !== undefined);
  const own = typeof data === "object" && data !== null ? Object.entries(data) : [];
  const values = own.flatMap(([key, value]) =>
    typeof value === "string" || typeof value === "number" ? [`${key}: ${value}`] : []
  );
  return [...shown, ...values].map((text) => ({ kind: "plain", text }));
}
