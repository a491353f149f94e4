import { definePlugin, type Plugin } from "../../core/plugin.ts";
import type { ChatState } from "./capture.ts";
import { chat1 } from "./chat1/mod.ts";
import { chat2 } from "./chat2/mod.ts";
import { filters } from "./filters.ts";
import { ChatMessageShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { textsOfChat } from "./texts.ts";

/** Chat: two vendors' incoming webhooks, and one Web API call. */
export const chat: Plugin<ChatState> = definePlugin<ChatState>({
  id: "chat",
  title: "Chat",
  about: "Captures chat messages with their blocks and cards, grouped by channel and thread.",
  eventTypes: ["chat.message"],
  payload: ChatMessageShape,
  providers: [chat1, chat2],
  routes,
  filters,
  texts: textsOfChat,
  tab: "tabs/chat.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  open: () => ({}),
});
