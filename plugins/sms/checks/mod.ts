import { textTopic } from "../../../core/checks/texts.ts";
import { type PluginChecks, pluginChecks } from "../../../core/plugin.ts";
import { alphabetTopic } from "./alphabet.ts";
import { countryTopic } from "./country.ts";
import { linksTopic } from "./links.ts";
import { senderTopic } from "./sender.ts";
import { settingsTopic } from "./settings.ts";
import { readSubject, type SmsSubject } from "./subject.ts";

/** Checks of text messages. */
export const CHECKS: PluginChecks = pluginChecks<SmsSubject>({
  read: readSubject,
  topics: [
    alphabetTopic,
    senderTopic,
    countryTopic,
    settingsTopic,
    linksTopic,
    textTopic("sms", ({ body }) => [{ part: "body", text: body }]),
  ],
});
