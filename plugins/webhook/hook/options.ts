import { defineOptions, tables } from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import { readAnswer } from "../answers.ts";
import type { WebhookState } from "../capture.ts";

export const OPTIONS = defineOptions({
  answers: tables(
    "Scripted responses: a [[plugins.webhook.providers.hook.answers]] table for each, with `name` and `method`, `status`, `headers`, `body` or `json`, `delay`, `times`",
    {
      written: "[[plugins.webhook.providers.hook.answers]]",
      read: readAnswer,
      example: { name: "orders", status: 202 },
    },
  ),
});

export type Env = ProviderEnv<typeof OPTIONS, WebhookState>;
