import { type PluginChecks, pluginChecks } from "../../../core/plugin.ts";
import type { Hl7Message } from "../model.ts";
import type { ProfiledState } from "./profile.ts";
import { profileTopic } from "./profile_topic.ts";
import { structureTopic } from "./structure.ts";
import type { Hl7Subject } from "./subject.ts";
import { valuesTopic } from "./values.ts";
import { loadVersions } from "./versions.ts";

/** Checks of HL7 messages. */
export const CHECKS: PluginChecks = pluginChecks<Hl7Subject>({
  async read(event, { state }) {
    const message = event.payload as Hl7Message;
    const { profile } = (state ?? {}) as ProfiledState;
    return { message, segments: message.segments ?? [], versions: await loadVersions(), profile };
  },
  topics: [structureTopic, valuesTopic, profileTopic],
});
