import { PAUSE_MS } from "./spam/scanner.ts";
import { textTopic } from "../../../core/checks/texts.ts";
import { type PluginChecks, pluginChecks } from "../../../core/plugin.ts";
import { accessibilityTopic } from "./accessibility.ts";
import { activeTopic } from "./active.ts";
import { compatibilityTopic } from "./compatibility.ts";
import { dkimTopic } from "./dkim.ts";
import { headersTopic } from "./headers.ts";
import { identityTopic } from "./identity.ts";
import { imagesTopic } from "./images.ts";
import { linksTopic } from "./links.ts";
import { partsTopic } from "./parts.ts";
import { preheaderTopic } from "./preheader.ts";
import { spamTopic } from "./spam.ts";
import { type MailSubject, readMail } from "./subject.ts";
import { templatesTopic } from "./templates.ts";
import { vendorTopic } from "./vendor.ts";
import { vendorDeliveryTopic } from "./vendor_delivery.ts";
import { vendorLimitsTopic } from "./vendor_limits.ts";
import { unsubscribeTopic } from "./unsubscribe.ts";

/** Checks of emails. */
export const CHECKS: PluginChecks = pluginChecks<MailSubject>({
  read: readMail,
  topics: [
    headersTopic,
    identityTopic,
    dkimTopic,
    partsTopic,
    textTopic("mail", textsOf),
    linksTopic,
    imagesTopic,
    unsubscribeTopic,
    preheaderTopic,
    accessibilityTopic,
    compatibilityTopic,
    activeTopic,
    templatesTopic,
    vendorTopic,
    vendorLimitsTopic,
    vendorDeliveryTopic,
    spamTopic,
  ],
  retryMs: ({ spam }) => spam !== undefined && "failure" in spam ? PAUSE_MS : undefined,
});

/** Not for a template that the vendor fills in, whose placeholders are intended. */
function textsOf({ mail, event: { meta } }: MailSubject) {
  if (meta.template_language === true || meta.substitutions !== undefined) return [];
  return ([["subject", mail.subject], ["text", mail.text], ["html", mail.html]] as const)
    .flatMap(([part, text]) => text === undefined ? [] : [{ part, text }]);
}
