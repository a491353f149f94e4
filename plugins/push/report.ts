/** Presentation of pushes in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { PushMessage } from "./model.ts";

/** The notification, then delivery settings and data for the app. */
export const REPORT: PluginReport = {
  parts(event) {
    const push = (event as CapturedEvent<PushMessage>).payload;
    const { app, kind, alert, target, delivery, push_type: type, data_json: data } = push;
    const parts: ReportPart[] = [];
    if (kind === "notification") {
      const { title, subtitle, body, localization: keys } = alert ?? {};
      const lines = [subtitle, body ?? keys?.body_key].filter((line) => line !== undefined);
      const text = lines.length === 0 ? undefined : lines.join("\n");
      parts.push({ kind: "notice", app, title: title ?? keys?.title_key, text });
    }
    const { priority, collapse_key: collapse, expiry } = delivery;
    parts.push({
      kind: "facts",
      rows: [
        ["Kind", kind],
        ["Type", type],
        ["App", app],
        ["Target", `${target.kind} ${target.value}`],
        ["Badge", alert?.badge],
        ["Sound", alert?.sound],
        ["Image", alert?.image],
        ["Category", alert?.category],
        ["Priority", priority],
        ["Collapse key", collapse],
        ["Expires", expiry?.raw],
      ],
    });
    if (data !== undefined) {
      parts.push({ kind: "text", label: "Data", text: JSON.stringify(data, null, 2) });
    }
    return parts;
  },
};
