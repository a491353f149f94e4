/** The email read-back API, under `/api/v1/mail`. */
import { LAZY_BYTES, noteHeld } from "../../core/http/answer.ts";
import { toBytes } from "@std/streams/to-bytes";
import { compact } from "../../core/compact.ts";
import { ApiError } from "../../core/errors.ts";
import { FILTER_PARAMS, TEXT_PARAMS, withFindings } from "../../core/http/list.ts";
import { messageRoutes, readIndex, UNKNOWN_ID } from "../../core/http/messages.ts";
import { boolean, word } from "../../core/http/params.ts";
import { sendBlob, sendBytes } from "../../core/http/range.ts";
import { bytesDoc, errorDoc, json, rangeDocs } from "../../core/http/reply.ts";
import { type Route, type RouteContext, routeFor } from "../../core/http/route.ts";
import { pageLoadOf } from "../../core/http/page_load.ts";
import { contentDisposition } from "../../core/http/disposition.ts";
import { CAPTURED_HEADERS, CAPTURED_POLICY } from "../../core/http/security.ts";
import { Shared } from "../../core/shared.ts";
import type { MailState } from "./capture.ts";
import type { EmlAttachment } from "./eml.ts";
import { filters } from "./filters.ts";
import { mboxChunks } from "./mbox.ts";
import type { MailMessage } from "./model.ts";
import { ClientsShape } from "./checks/html/shape.ts";
import { type MailEvent, MessageViewShape, toMessageView, withoutBody } from "./views.ts";

const route = routeFor<MailState>();

const encoder = new TextEncoder();
/** Renderings of messages, shared by concurrent readers. */
const made = new Shared<Uint8Array>();

const BAD_PARAMETER = errorDoc("A query parameter cannot be read");

const messages = messageRoutes<MailState, MailEvent>({
  filters,
  shape: MessageViewShape,
  toView: (event, ctx) => toMessageView(event, ctx.eventUrl(event.id)),
});

export const routes: readonly Route<MailState>[] = [
  messages.list({
    query: { include_body: boolean("Include text, HTML and headers; true by default") },
    viewer: (query, ctx) => (event) => {
      const view = toMessageView(event, ctx.eventUrl(event.id));
      return query.include_body === false ? withoutBody(view) : view;
    },
  }),
  messages.clear("Clear all messages; the blobs of their attachments stay"),
  messages.one(),
  messages.remove("Remove one message; the blobs of its attachments stay"),
  route({
    method: "GET",
    path: "/messages/{id}/html",
    summary: "Fetch the HTML body, under a policy that blocks scripts and requests",
    query: {
      cid: boolean("Show the images embedded in the message"),
      images: boolean("Let the browser load remote images"),
    },
    replies: {
      200: bytesDoc(
        "The HTML body as sent; for a browser, or with a parameter, without anything that would contact another machine",
        "text/html",
      ),
      400: BAD_PARAMETER,
      404: errorDoc("Unknown id, another plugin's event, or a message without an HTML body"),
    },
    async handle({ params, query, http, ctx }) {
      const event = messages.find(ctx, params.id);
      const html = bodyOf(event, "html");
      const load = pageLoadOf(http.headers);
      const isShown = query.cid || query.images || load !== undefined;
      const pictures = query.cid === true;
      const name = isShown ? `html for ${load === "tab"} ${pictures}` : "html";
      const shown = await made.get(
        event,
        name,
        async () =>
          encoder.encode(isShown ? await show(html, event, { ctx, load, pictures }) : html),
      );
      const response = await sendBytes(shown, {
        headers: http.headers,
        contentType: "text/html; charset=utf-8",
        disposition: "inline",
        page: true,
      });
      response.headers.set("content-security-policy", htmlPolicy(query));
      // A prefetched host name would tell the sender that the email was opened.
      response.headers.set("x-dns-prefetch-control", "off");
      return response;
    },
  }),
  route({
    method: "GET",
    path: "/messages/{id}/clients",
    summary:
      "Report how well email clients support the features of the HTML body, according to caniemail.com",
    replies: {
      200: { about: "The email clients", content: { "application/json": ClientsShape } },
      404: errorDoc("Unknown id, another plugin's event, or a message without an HTML body"),
    },
    async handle({ params, ctx }) {
      const html = bodyOf(messages.find(ctx, params.id), "html");
      // Loaded on first use: the data is large.
      const { rateClients } = await import("./checks/html/clients.ts");
      return json(await rateClients(html));
    },
  }),
  route({
    method: "GET",
    path: "/messages/{id}/text",
    summary: "Fetch the text body",
    replies: {
      200: bytesDoc("The text body", "text/plain"),
      404: errorDoc("Unknown id, another plugin's event, or a message without a text body"),
    },
    async handle({ params, http, ctx }) {
      const event = messages.find(ctx, params.id);
      const body = bodyOf(event, "text");
      return await sendBytes(await made.get(event, "text", () => encoder.encode(body)), {
        headers: http.headers,
        contentType: "text/plain; charset=utf-8",
        disposition: "inline",
      });
    },
  }),
  route({
    method: "GET",
    path: "/messages/{id}/raw",
    summary: "Fetch the request or message exactly as received",
    query: {
      download: boolean("Serve as a message/rfc822 file to download"),
      format: word(
        "eml: an Internet message, generated unless the email was captured as one",
        ["eml"],
      ),
    },
    replies: {
      200: bytesDoc("The bytes", "text/plain"),
      400: BAD_PARAMETER,
      404: UNKNOWN_ID,
    },
    async handle({ params, query, http, ctx }) {
      const event = messages.find(ctx, params.id);
      const composed = query.format === "eml" && event.raw.transport !== "smtp";
      const bytes = composed ? await toEml(ctx, event) : event.raw.body;
      const asText = composed || event.raw.text ? "text/plain; charset=utf-8" : "text/plain";
      return await sendBytes(bytes, {
        headers: http.headers,
        contentType: query.download ? "message/rfc822" : asText,
        disposition: query.download ? "attachment" : "inline",
        ...(query.download ? { filename: `${event.id}.eml` } : {}),
        etag: composed ? `${event.id}-eml` : event.id,
      });
    },
  }),
  route({
    method: "GET",
    path: "/mbox",
    summary: "Download all captured messages as one mailbox file, oldest first (RFC 4155)",
    query: { namespace: FILTER_PARAMS.namespace, checks: TEXT_PARAMS.checks },
    replies: {
      200: bytesDoc("The mailbox", "application/mbox"),
      400: BAD_PARAMETER,
    },
    async handle({ query: { namespace, checks }, ctx }) {
      const held = ctx.events.list({ plugin: ctx.plugin, ...compact({ namespace }) });
      const events = await withFindings(held.reverse() as MailEvent[], checks, ctx);
      const headers = {
        ...CAPTURED_HEADERS,
        "content-type": "application/mbox",
        "content-disposition": contentDisposition("attachment", "standin.mbox"),
      };
      return noteHeld(
        new Response(ReadableStream.from(mailbox(ctx, events)), { headers }),
        LAZY_BYTES,
      );
    },
  }),
  route({
    method: "GET",
    path: "/messages/{id}/attachments/{idx}",
    summary: "Fetch one attachment, with its recorded type and disposition",
    query: {
      inline: boolean("Force inline disposition"),
      download: boolean("Force attachment disposition"),
    },
    replies: {
      200: bytesDoc("The attachment"),
      ...rangeDocs(),
      400: BAD_PARAMETER,
      404: UNKNOWN_ID,
    },
    async handle({ params, query, http, ctx }) {
      if (query.inline && query.download) {
        throw new ApiError(400, "Cannot combine inline and download: set one of them");
      }
      const event = messages.find(ctx, params.id);
      const attachment = event.payload.attachments?.[readIndex(params.idx)];
      if (attachment === undefined) {
        throw new ApiError(
          404,
          `Cannot find attachment "${params.idx}": the message has ${
            event.payload.attachments?.length ?? 0
          }`,
        );
      }
      const inline = query.inline || (attachment.inline && !query.download);
      return await sendBlob(ctx.blobs, attachment.blob.id, {
        headers: http.headers,
        contentType: attachment.content_type,
        filename: attachment.filename,
        disposition: inline ? "inline" : "attachment",
      });
    },
  }),
];

function bodyOf(event: MailEvent, part: "html" | "text"): string {
  const body = event.payload[part];
  if (body) return body;
  throw new ApiError(404, `Cannot find the ${part} body of message "${event.id}": it has none`);
}

/** Loads the tokenizer, a large library, with the first message shown. */
async function show(
  html: string,
  { payload }: MailEvent,
  about: { ctx: RouteContext; load: ReturnType<typeof pageLoadOf>; pictures: boolean },
): Promise<string> {
  const { ctx: { blobs }, load, pictures } = about;
  const { showHtml } = await import("./pictures.ts");
  return await showHtml(html, payload, {
    blobs,
    pictures,
    links: load === "tab" ? "live" : "inert",
  });
}

/** Allows nothing from this service: an email must not make the reader's browser call the API. */
function htmlPolicy(allow: { images: boolean | undefined }): string {
  const pictures = [...(allow.images ? ["http:", "https:"] : []), "data:"];
  return [
    CAPTURED_POLICY,
    "style-src 'unsafe-inline'",
    `img-src ${pictures.join(" ")}`,
    "font-src data:",
    // Not covered by default-src.
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

async function* mailbox(
  ctx: RouteContext,
  events: readonly MailEvent[],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const event of events) {
    const { payload, raw, received_at: receivedAt } = event;
    const message = raw.transport === "smtp" ? raw.body : await toEml(ctx, event);
    yield* mboxChunks({ from: payload.from?.email ?? "", receivedAt, message });
  }
}

function toEml(ctx: RouteContext, event: MailEvent): Promise<Uint8Array> {
  return made.get(event, "eml", () => compose(ctx, event));
}

async function compose(ctx: RouteContext, event: MailEvent): Promise<Uint8Array> {
  // Loaded on first use: the composer takes much memory.
  const { composeEml } = await import("./eml.ts");
  return await composeEml(event.payload, {
    id: event.id,
    receivedAt: event.received_at,
    attachments: await readAttachments(ctx, event.payload),
  });
}

async function readAttachments(ctx: RouteContext, mail: MailMessage): Promise<EmlAttachment[]> {
  const read: EmlAttachment[] = [];
  for (const about of mail.attachments ?? []) {
    const opened = await ctx.blobs.open(about.blob.id);
    if (opened === undefined) {
      throw new ApiError(
        404,
        `Cannot write the message: the bytes of attachment "${
          about.filename ?? about.blob.id
        }" are gone`,
      );
    }
    read.push({ about, bytes: await toBytes(opened.body) });
  }
  return read;
}
