import {
  type CapturedEvent,
  definePlugin,
  type EventText,
  type Plugin,
} from "../../core/plugin.ts";
import type { PushState } from "./capture.ts";
import { filters } from "./filters.ts";
import type { PushMessage } from "./model.ts";
import { PushMessageShape } from "./schema.ts";
import { push1 } from "./push1/mod.ts";
import { push2 } from "./push2/mod.ts";
import { routes } from "./routes.ts";

/** Push: notifications to devices, through two gateways. */
export const push: Plugin<PushState> = definePlugin<PushState>({
  id: "push",
  title: "Push",
  about: "Captures push notifications, and says of each whether a device would show anything.",
  eventTypes: ["push.message"],
  payload: PushMessageShape,
  providers: [push1, push2],
  routes,
  filters,
  texts: textsOfPush,
  tab: "tabs/push.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  open: () => ({}),
});

/** The texts of the alert, then the app's own values, each after its name. */
function textsOfPush(event: CapturedEvent): EventText[] {
  const { alert, data_json: data } = (event as CapturedEvent<PushMessage>).payload;
  const shown = [alert?.title, alert?.subtitle, alert?.body].filter((text) => text !== undefined);
  const own = typeof data === "object" && data !== null ? Object.entries(data) : [];
  const values = own.flatMap(([key, value]) =>
    typeof value === "string" || typeof value === "number" ? [`${key}: ${value}`] : []
  );
  return [...shown, ...values].map((text) => ({ kind: "plain", text }));
}
