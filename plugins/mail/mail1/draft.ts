/** A message of the Send API v3.1 as a draft, and what of it goes into `meta`. */
import { toAddress } from "../address_list.ts";
import type { MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import type { Mailbox, Message } from "./message.ts";

/** The message in the terms of the mail log. */
export function toDraft(message: Message): MailDraft {
  return {
    from: toMailAddress(message.from),
    to: (message.to ?? []).map(toMailAddress),
    cc: (message.cc ?? []).map(toMailAddress),
    bcc: (message.bcc ?? []).map(toMailAddress),
    reply_to: message.replyTo === undefined ? [] : [toMailAddress(message.replyTo)],
    subject: message.subject ?? "",
    text: message.textPart ?? "",
    html: message.htmlPart ?? "",
    headers: message.headers ?? [],
    attachments: [...message.attachments ?? [], ...message.inlinedAttachments ?? []]
      .map((file) => file.draft),
  };
}

/** Everything documented that the message model has no place for, by neutral names. */
export function toMeta(
  message: Message,
  call: { readonly sandbox: boolean; readonly strict: boolean | undefined },
): Readonly<Record<string, unknown>> {
  const { sender, templateErrorReporting } = message;
  const all = {
    custom_id: message.customId,
    event_payload: message.eventPayload,
    custom_campaign: message.customCampaign,
    template_id: message.templateId,
    template_language: message.templateLanguage,
    template_error_reporting: templateErrorReporting && toMailAddress(templateErrorReporting),
    template_error_deliver: message.templateErrorDeliver,
    variables: message.variables,
    priority: message.priority,
    track_opens: message.trackOpens,
    track_clicks: message.trackClicks,
    url_tags: message.urlTags,
    monitoring_category: message.monitoringCategory,
    deduplicate_campaign: message.deduplicateCampaign,
    statistics_contacts_list_id: message.statisticsContactsListId,
    sender: sender && toMailAddress(sender),
    advance_error_handling: call.strict,
    sandbox_mode: call.sandbox || undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function toMailAddress(mailbox: Mailbox | undefined): Address {
  return toAddress(mailbox?.email ?? "", mailbox?.name);
}
