/** Presentation of AS2 messages in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { As2Message } from "./model.ts";

/** Sender, receiver, protection, the document, and the receipt. */
export const REPORT: PluginReport = {
  parts(event) {
    const { from, to, subject, message_id: id, payload, security, layers = [], issues = [], mdn } =
      (event as CapturedEvent<As2Message>).payload;
    const { signature, encryption } = security;
    const parts: ReportPart[] = [{
      kind: "facts",
      rows: [
        ["From", from],
        ["To", to],
        ["Subject", subject],
        ["Message id", id],
        ["Signature", signature && (signature.verified ? "intact" : signature.error ?? "broken")],
        ["Signer", signature?.signer?.subject],
        ["Encryption", encryption && (encryption.decrypted ? "decrypted" : encryption.error ?? "")],
        ["Document", [payload.format, payload.content_type].filter(Boolean).join(", ")],
        ["Receipt", mdn?.disposition],
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
    if (layers.length > 0) {
      parts.push({
        kind: "table",
        label: "Layers",
        columns: ["Kind", "Algorithm", "Bytes", "Opened"],
        rows: layers.map(({ kind, algorithm = "", bytes, opened }) => [
          ...[kind, algorithm, String(bytes), opened ? "yes" : "no"],
        ]),
      });
    }
    const { preview, blob, filename: name, content_type: type } = payload;
    if (preview !== undefined) parts.push({ kind: "text", label: "Document", text: preview });
    if (blob !== undefined) parts.push({ kind: "file", name, type, blob });
    if (mdn?.human_text) parts.push({ kind: "text", label: "Receipt", text: mdn.human_text });
    return parts;
  },
};
