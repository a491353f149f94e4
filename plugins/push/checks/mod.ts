import { textTopic } from "../../../core/checks/texts.ts";
import { type PluginChecks, pluginChecks } from "../../../core/plugin.ts";
import type { PushEvent } from "../views.ts";
import { apsTopic } from "./aps.ts";
import { contentTopic } from "./content.ts";
import { deprecatedTopic } from "./deprecated.ts";
import { fcmTopic } from "./fcm.ts";
import { headersTopic } from "./headers.ts";
import { sizeTopic } from "./size.ts";
import { webTopic } from "./web.ts";

/** Checks of pushes. */
export const CHECKS: PluginChecks = pluginChecks<PushEvent>({
  read: (event) => event as PushEvent,
  topics: [
    headersTopic,
    sizeTopic,
    contentTopic,
    deprecatedTopic,
    apsTopic,
    fcmTopic,
    webTopic,
    textTopic(
      "push",
      ({ payload: { alert } }) =>
        ([["title", alert?.title], ["subtitle", alert?.subtitle], ["body", alert?.body]] as const)
          .flatMap(([part, text]) => text === undefined ? [] : [{ part, text }]),
    ),
  ],
});
