/** Presentation of HL7 messages in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { Hl7Message } from "./model.ts";

/** Sender, receiver, problems, the segments field by field, and the acknowledgement. */
export const REPORT: PluginReport = {
  parts(event) {
    const { header, segments = [], issues = [], patient, ack } =
      (event as CapturedEvent<Hl7Message>).payload;
    const parts: ReportPart[] = [{
      kind: "facts",
      rows: [
        ["Message", [header.code, header.trigger_event].filter(Boolean).join("^")],
        ["Version", header.version],
        ["Control id", header.control_id],
        ["From", joined(header.sending_application, header.sending_facility)],
        ["To", joined(header.receiving_application, header.receiving_facility)],
        ["Patient", joined(patient?.name, patient?.id)],
        ["Answer", ack.sent ? ack.code ?? "sent" : "none"],
      ],
    }];
    if (issues.length > 0) {
      parts.push({
        kind: "table",
        label: "Problems",
        columns: ["Severity", "Code", "Problem"],
        rows: issues.map(({ severity, code, detail }) => [severity, code, detail]),
      });
    }
    if (segments.length > 0) {
      parts.push({
        kind: "table",
        label: "Segments",
        columns: ["Field", "Value"],
        rows: segments.flatMap(({ id, occurrence, fields }) =>
          fields.filter(({ value }) => value !== "").map(({ position, value }) => [
            `${id}${occurrence > 1 ? `[${occurrence}]` : ""}-${position}`,
            value,
          ])
        ),
      });
    }
    if (ack.text !== undefined) {
      const text = ack.text.replaceAll("\r", "\n").trimEnd();
      parts.push({ kind: "text", label: "Acknowledgement", text });
    }
    return parts;
  },
};

function joined(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== "").join(", ");
}
