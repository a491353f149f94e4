import { textBody, textResponse } from "../../../core/http/reply.ts";
import { sourcedResponse } from "../../../core/http/answer.ts";
import { writePlainXml, xmlChunks, type XmlContent, type XmlElement } from "../codec/xml.ts";
import type { S3Error } from "../errors.ts";

/** Names the part of the vendor's system that answered; clients only print it. */
export const HOST_ID = "c3RhbmRpbg==";

/** Returns an XML response; a long one is generated while it is read. */
export function xml(
  root: string,
  content: XmlContent,
  headers: Record<string, string> = {},
): Response {
  const body = textBody(xmlChunks(root, content));
  const init = { headers: { ...headers, "content-type": "application/xml" } };
  return typeof body === "string"
    ? sourcedResponse(new TextEncoder().encode(body), init)
    : textResponse(body, init);
}

/** Returns a response without a body. */
export function empty(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers });
}

/** Returns an error as S3 clients read it; only its status for HEAD. */
export function errorReply(
  error: S3Error,
  about: { readonly method: string; readonly resource: string; readonly requestId: string },
): Response {
  const text = writePlainXml("Error", [
    ["Code", error.code],
    ["Message", error.message],
    ["Resource", about.resource],
    ["RequestId", about.requestId],
    ["HostId", HOST_ID],
  ]);
  const init = {
    status: error.status,
    headers: { ...error.headers, "content-type": "application/xml" },
  };
  return about.method === "HEAD" ? new Response(null, init) : textResponse(text, init);
}

/** Adds the header fields of every S3 response. */
export function finish(response: Response, requestId: string): Response {
  response.headers.set("x-amz-request-id", requestId);
  response.headers.set("x-amz-id-2", HOST_ID);
  response.headers.set("server", "AmazonS3");
  return response;
}

/** Quotes an ETag, as headers and XML have it. */
export function quote(etag: string): string {
  return `"${etag}"`;
}

/** Formats a time for XML: to the second, like the HTTP date. */
export function xmlDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}.000Z`;
}

/** The single owner of everything: credentials are never checked. */
export const OWNER_ID = "standin";
/** The owner as XML elements. */
export const OWNER: readonly XmlElement[] = [["ID", OWNER_ID], ["DisplayName", OWNER_ID]];

/** Returns the id of a request in the vendor's form. */
export function toRequestId(uuid: string): string {
  return uuid.replaceAll("-", "").slice(0, 16).toUpperCase();
}
