/** Presentation of text messages in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { SmsMessage } from "./model.ts";

/** Like the SMS tab: the bubble, its media, and its segments. */
export const REPORT: PluginReport = {
  parts(event) {
    const sms = (event as CapturedEvent<SmsMessage>).payload;
    const { body, media = [], from, messaging_service: service, segments } = sms;
    const sender = from ?? service;
    const parts: ReportPart[] = [{
      kind: "message",
      from: `${sender ?? ""} → ${sms.to}`,
      text: body,
    }];
    for (const { blob, filename: name, content_type: type, url } of media) {
      if (blob !== undefined) parts.push({ kind: "file", name, type, blob });
      else if (url !== undefined) parts.push({ kind: "facts", rows: [["Media", url]] });
    }
    const { count, encoding, units, capacity, forced_by: forcedBy } = segments;
    parts.push({
      kind: "facts",
      rows: [
        ["To", sms.to],
        ["From", from],
        ["Messaging service", service],
        ["Status", sms.status],
        ["Direction", sms.direction],
        ["Segments", `${count} (${encoding}, ${units} units, ${capacity} in each)`],
        ["Not in GSM-7", forcedBy],
      ],
    });
    return parts;
  },
};
