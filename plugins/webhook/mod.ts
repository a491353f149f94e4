import { type AnyPlugin, definePlugin } from "../../core/plugin.ts";
import { Answers } from "./answers.ts";
import type { WebhookState } from "./capture.ts";
import { filters } from "./filters.ts";
import { hook } from "./hook/mod.ts";
import { routes } from "./routes.ts";
import { WebhookRequestShape } from "./schema.ts";
import { textsOfRequest } from "./texts.ts";

/** Webhooks: any HTTP request with a scripted response, for services without a provider. */
export const webhook: AnyPlugin = definePlugin<WebhookState>({
  id: "webhook",
  title: "Webhooks",
  about: "Captures any HTTP request under /hook/{name}, and answers it as scripted.",
  eventTypes: ["webhook.request"],
  payload: WebhookRequestShape,
  providers: [hook],
  routes,
  filters,
  texts: textsOfRequest,
  tab: "tabs/webhook.js",
  demo: async () => (await import("./demo.ts")).SAMPLES,
  report: async () => (await import("./report.ts")).REPORT,
  open({ ctx }) {
    const answers = new Answers(ctx.memory);
    return { answers, reset: () => answers.clear() };
  },
});
