/** Events and attachments as resources: `standin://events/{id}` and `standin://blobs/{id}`. */
import { encodeBase64 } from "@std/encoding/base64";
import { compact } from "../compact.ts";
import { toMediaType } from "../http/media_type.ts";
import { shownName } from "../options/suggest.ts";
import { type Api, ToolError, toQuery } from "./api.ts";
import { isObject } from "./message.ts";
import { shorten } from "./shorten.ts";
import type { Content } from "./tool.ts";
import { toRows } from "./rows.ts";

/** Newest events that `resources/list` names; templates reach the others. */
const LISTED = 50;

const TEMPLATES = [
  {
    uriTemplate: "standin://events/{id}",
    name: "event",
    title: "Captured event",
    description: "One captured event, long texts cut",
    mimeType: "application/json",
  },
  {
    uriTemplate: "standin://blobs/{id}",
    name: "attachment",
    title: "Attachment or file",
    description: "Bytes of an attachment, as get_event links to them",
  },
];

/** Other words below `/events` are routes: `stream` would never end. */
const EVENT_ID = /^[0-9a-f]{24}$/;
const BLOB_ID = /^[0-9A-Za-z_-]{1,100}$/;

/** Returns the path of an event in the API. Throws `ToolError` for an invalid id. */
export function eventPath(id: unknown): string {
  const text = String(id);
  if (EVENT_ID.test(text)) return `/events/${text}`;
  throw new ToolError(
    `Cannot find event ${
      shownName(text)
    }: expected an id of 24 characters, as list_events returns it`,
  );
}

/** Returns the URI of stored bytes. */
export function blobUri(id: string): string {
  return `standin://blobs/${id}`;
}

/** An attachment of an event. */
export interface AttachmentLink {
  /** Id of its bytes. */
  readonly id: string;
  readonly link: Extract<Content, { type: "resource_link" }>;
}

/** Returns the attachments of an event, in order. */
export function attachmentsOf({ payload }: Readonly<Record<string, unknown>>): AttachmentLink[] {
  const list = isObject(payload) && Array.isArray(payload.attachments) ? payload.attachments : [];
  return list.flatMap((one): AttachmentLink[] => {
    const blob = isObject(one) ? one.blob : undefined;
    // Attachments of some vendors are not files, and may have any members.
    if (!isObject(blob) || typeof blob.id !== "string" || !BLOB_ID.test(blob.id)) return [];
    const { id, filename, content_type: type, size } = blob;
    const link = {
      type: "resource_link" as const,
      uri: blobUri(id),
      name: typeof filename === "string" ? filename : "attachment",
      ...compact({
        mimeType: typeof type === "string" ? toMediaType(type) : undefined,
        size: typeof size === "number" ? size : undefined,
      }),
    };
    return [{ id, link }];
  });
}

/** Answers `resources/list`. */
export async function listResources(api: Api): Promise<object> {
  const query = toQuery({ limit: LISTED, include_payload: false });
  const events = await api.json({ method: "GET", path: `/events${query}` });
  return { resources: toRows(events).map(toResource) };
}

/** Answers `resources/templates/list`. */
export function listTemplates(): object {
  return { resourceTemplates: TEMPLATES };
}

/** Answers `resources/read`; `undefined` for an address that is no resource. Throws `ToolError` if it is not held. */
export async function readResource(uri: string, api: Api): Promise<object | undefined> {
  const [, kind, id = ""] = /^standin:\/\/(events|blobs)\/(.*)$/s.exec(uri) ?? [];
  if (!BLOB_ID.test(id)) return undefined;
  if (kind === "events") {
    const event = await api.json({ method: "GET", path: `${eventPath(id)}?include_raw=0` });
    const text = JSON.stringify(shorten(event), null, 2);
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
  const { body, contentType } = await api.read({ method: "GET", path: `/blobs/${id}` });
  return { contents: [{ uri, mimeType: contentType, blob: encodeBase64(body) }] };
}

function toResource(row: object): object {
  const { id, type, summary, received_at: lastModified } = row as Readonly<Record<string, unknown>>;
  return {
    uri: `standin://events/${id}`,
    name: `${type} ${id}`,
    title: summary,
    mimeType: "application/json",
    annotations: { lastModified },
  };
}
