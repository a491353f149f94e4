/** Presentation of captured requests in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { WebhookRequest } from "./model.ts";

/** The request as in the Webhooks tab: a summary, its body, its form and its parts. Every report shows the header. */
export const REPORT: PluginReport = {
  parts(event) {
    const request = (event as CapturedEvent<WebhookRequest>).payload;
    const { name, method, path, content_type: type, size, status, json, text } = request;
    const { form = {}, parts: files = [], query } = request;
    const parts: ReportPart[] = [{
      kind: "facts",
      rows: [
        ["Request", `${method} ${path}`],
        ["Name", name],
        ["Media type", type],
        ["Size", `${size} bytes`],
        ["Answered", status],
      ],
    }];
    if (json !== undefined) {
      parts.push({ kind: "text", label: "JSON", text: JSON.stringify(json, null, 2) });
    } else if (text !== undefined) parts.push({ kind: "text", label: "Body", text });
    for (const part of fields("Fields of the form", form)) parts.push(part);
    if (files.length > 0) {
      parts.push({
        kind: "table",
        label: "Parts",
        columns: ["Field", "File", "Media type", "Bytes", "Text"],
        rows: files.map((part) => [
          part.name ?? "",
          part.filename ?? "",
          part.content_type,
          String(part.size),
          part.text ?? "",
        ]),
      });
    }
    for (const part of fields("Query parameters", query)) parts.push(part);
    return parts;
  },
};

/** A row for each value; nothing for no values. */
function fields(
  label: string,
  values: Readonly<Record<string, readonly string[]>>,
): readonly ReportPart[] {
  const rows = Object.entries(values).flatMap(([name, all]) => all.map((value) => [name, value]));
  return rows.length === 0 ? [] : [{ kind: "table", label, columns: ["Name", "Value"], rows }];
}
