/**
 * Microsoft Teams incoming webhooks: Office 365 connectors and workflows
 * (learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). Addresses of workflows are
 * those of Logic Apps, or since 2025 those of the Power Platform
 * (learn.microsoft.com/troubleshoot/power-platform/power-automate/flow-run-issues/triggers-troubleshoot).
 */
import { onDemand } from "../../../core/on_demand.ts";
import { ingressProvider } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { identify, refuse, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Provider for Microsoft Teams. */
export const chat2 = ingressProvider<ChatState, typeof OPTIONS>({
  id: "chat2",
  title: "Microsoft Teams incoming webhooks",
  shortTitle: "Teams",
  aliases: ["microsoft-teams"],
  about: "Accepts MessageCards, Adaptive Cards and texts as Teams webhooks of both generations do",
  vendorHosts: [
    "*.webhook.office.com",
    // prod-00.westeurope.logic.azure.com, and {environment}.00.environment.api.powerplatform.com
    "**.logic.azure.com",
    "**.environment.api.powerplatform.com",
  ],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/webhookb2/{tenants}/IncomingWebhook/{rest...}",
      about: "Post to an incoming webhook",
      handle: handler("postToWebhook"),
    },
    ...["/workflows", "/powerautomate/automations/direct/workflows"].map((folder) => ({
      method: "POST" as const,
      path: `${folder}/{workflow}/triggers/{trigger}/paths/invoke`,
      about: "Post to a workflow",
      handle: handler("postToWorkflow"),
    })),
  ],
  refuse: (_call, refusal, env) => identify(refuse(toVendorRefusal(refusal)), env),
  snippets,
  faults: FAULTS,
  callbacks: { load: async () => (await import("./callbacks.ts")).CALLBACKS },
});
