import { definePlugin, type Plugin } from "../../core/plugin.ts";
import { type ChatState, openChat } from "./capture.ts";
import { chat1 } from "./chat1/mod.ts";
import { chat2 } from "./chat2/mod.ts";
import { chat3 } from "./chat3/mod.ts";
import { chat4 } from "./chat4/mod.ts";
import { filters } from "./filters.ts";
import { CHAT_EVENTS, ChatMessageShape } from "./schema.ts";
import { routes } from "./routes.ts";
import { storyKeysOfChat } from "./story_keys.ts";
import { textsOfChat } from "./texts.ts";

/** Chat: messages to four vendors, by webhooks and bot APIs. */
export const chat: Plugin<ChatState> = definePlugin<ChatState>({
  id: "chat",
  title: "Chat",
  about: "Captures chat messages with their blocks and cards, grouped by channel and thread.",
  eventTypes: CHAT_EVENTS,
  payload: ChatMessageShape,
  providers: [chat1, chat2, chat3, chat4],
  routes,
  filters,
  texts: textsOfChat,
  storyKeys: storyKeysOfChat,
  tab: "tabs/chat.js",
  checks: async () => (await import("./checks/mod.ts")).CHECKS,
  report: async () => (await import("./report.ts")).REPORT,
  demo: async () => (await import("./demo.ts")).SAMPLES,
  clients: async () => (await import("./clients.ts")).CLIENTS,
  open: openChat,
});
