import { textBody } from "../../../core/http/reply.ts";
import { sourcedResponse } from "../../../core/http/answer.ts";
import { writePlainXml, type XmlContent, type XmlElement, xmlPieces } from "../codec/xml.ts";
import type { S3Error } from "../errors.ts";

/** Stands for the part of the vendor's system that answered; clients print it and no more. */
const HOST_ID = "c3RhbmRpbg==";

/** An XML answer of one of the documents of S3; a long one is written while it is read. */
export function xml(
  root: string,
  content: XmlContent,
  headers: Record<string, string> = {},
): Response {
  const body = textBody(xmlPieces(root, content));
  const init = { headers: { ...headers, "content-type": "application/xml" } };
  return typeof body === "string"
    ? sourcedResponse(new TextEncoder().encode(body), init)
    : new Response(body, init);
}

/** An answer without a body. */
export function empty(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers });
}

/** An error as S3 clients read it; an answer to HEAD has its status alone. */
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
  return new Response(about.method === "HEAD" ? null : text, {
    status: error.status,
    headers: { ...error.headers, "content-type": "application/xml" },
  });
}

/** Puts on every answer what every answer of S3 has. */
export function finish(response: Response, requestId: string): Response {
  response.headers.set("x-amz-request-id", requestId);
  response.headers.set("x-amz-id-2", HOST_ID);
  response.headers.set("server", "AmazonS3");
  return response;
}

/** In quotes, as headers and XML have it. */
export function quote(etag: string): string {
  return `"${etag}"`;
}

/** As XML has times: the second that the HTTP date names. */
export function xmlDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}.000Z`;
}

/** Everything belongs to one owner: credentials are never checked. */
export const OWNER_ID = "standin";
/** The same as elements. */
export const OWNER: readonly XmlElement[] = [["ID", OWNER_ID], ["DisplayName", OWNER_ID]];
