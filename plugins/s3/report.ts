/** Presentation of changes to buckets and objects in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { S3Operation } from "./model.ts";

/** The change, and the object. */
export const REPORT: PluginReport = {
  parts(event) {
    const change = (event as CapturedEvent<S3Operation>).payload;
    const { bucket, key, size, etag, content_type: type, blob, source, tags = {} } = change;
    const parts: ReportPart[] = [{
      kind: "facts",
      rows: [
        ["Operation", change.operation],
        ["Bucket", bucket],
        ["Key", key],
        ["Version", change.version_id],
        ["Copied from", source && `${source.bucket}/${source.key}`],
        ["Size", size],
        ["ETag", etag],
        ["Media type", type],
        ["ACL", change.acl],
        ["Delete marker", change.delete_marker],
        ["Parts", change.parts],
        ["Encryption", change.encryption?.algorithm],
        [
          "Retained",
          change.retention && `${change.retention.mode} until ${change.retention.until}`,
        ],
      ],
    }];
    const rows = Object.entries(tags);
    if (rows.length > 0) {
      parts.push({ kind: "table", label: "Tags", columns: ["Name", "Value"], rows });
    }
    if (blob !== undefined) parts.push({ kind: "file", name: key, type, blob });
    return parts;
  },
};
