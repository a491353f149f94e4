import {
  type AnyPlugin,
  type CapturedEvent,
  definePlugin,
  type EventText,
} from "../../core/plugin.ts";
import type { PushState } from "./capture.ts";
import { filters } from "./filters.ts";
import type { PushMessage } from "./model.ts";
import { GoneTokens } from "./gone_tokens.ts";
import { PushMessageShape } from "./schema.ts";
import { push1 } from "./push1/mod.ts";
import { push2 } from "./push2/mod.ts";
import { Store as Channels } from "./push2/store.ts";
import { push3 } from "./push3/mod.ts";
import { routes } from "./routes.ts";
import { storyKeysOfPush } from "./story_keys.ts";
import { Subscriptions } from "./subscriptions.ts";

/** Push: notifications to devices, through three gateways. */
export const push: AnyPlugin = definePlugin<PushState>({
  id: "push",
  title: "Push",
  about: "Captures push notifications, and shows for each whether a device would display anything.",
  eventTypes: ["push.message"],
  payload: PushMessageShape,
  providers: [push1, push2, push3],
  routes,
  filters,
  texts: textsOfPush,
  storyKeys: storyKeysOfPush,
  tab: "tabs/push.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  open({ ctx }) {
    const subscriptions = new Subscriptions(ctx);
    const channels = new Channels(ctx.uuid, ctx.memory);
    const gone = { push1: new GoneTokens(), push2: new GoneTokens() };
    return {
      subscriptions,
      channels,
      gone,
      reset() {
        gone.push1.clear();
        gone.push2.clear();
        subscriptions.clear();
        channels.clear();
      },
    };
  },
});

/** Returns the texts of the alert, then the app's own values, each after its name. */
function textsOfPush(event: CapturedEvent): EventText[] {
  const { alert, data_json: data } = (event as CapturedEvent<PushMessage>).payload;
  const shown = [alert?.title, alert?.subtitle, alert?.body].filter((text) => text !== undefined);
  const own = typeof data === "object" && data !== null ? Object.entries(data) : [];
  const values = own.flatMap(([key, value]) =>
    typeof value === "string" || typeof value === "number" ? [`${key}: ${value}`] : []
  );
  return [...shown, ...values].map((text) => ({ kind: "plain", text }));
}
