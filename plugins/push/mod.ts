import { definePlugin, type Plugin } from "../../core/plugin.ts";
import type { PushState } from "./capture.ts";
import { filters } from "./filters.ts";
import { PushMessageShape } from "./schema.ts";
import { push1 } from "./push1/mod.ts";
import { push2 } from "./push2/mod.ts";
import { routes } from "./routes.ts";
import { textsOfPush } from "./texts.ts";

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
