/** Responses of Amazon SES: JSON from version 2 of its API, XML from version 1. */
import { textResponse, vendorJson } from "../../../core/http/reply.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { encodeEventUuid } from "../event_uuid.ts";
import type { VendorRefusal } from "./refusals.ts";
import { toXml, type Xml } from "../../../core/codec/query_xml.ts";

const NAMESPACE = "http://ses.amazonaws.com/doc/2010-12-01/";

/** Context of a response. */
export interface Asked {
  readonly call: Pick<IngressCall, "path">;
  readonly requestId: string;
}

/** Returns whether a call is one of version 2. */
export function isV2({ path }: Pick<IngressCall, "path">): boolean {
  return path.replace(/^\/+/, "/").startsWith("/v2/");
}

/** Returns a response of version 2. */
export function answer(body: unknown, requestId: string): Response {
  return vendorJson(body, { headers: { "x-amzn-requestid": requestId } });
}

/** Returns a response of version 1. */
export function answerXml(action: string, result: Xml, requestId: string): Response {
  return xml(200, requestId, {
    name: `${action}Response`,
    inner: { [`${action}Result`]: result ?? {}, ResponseMetadata: { RequestId: requestId } },
  });
}

/** Returns a refusal in the form of the call. */
export function refuse(refusal: VendorRefusal, { call, requestId }: Asked): Response {
  if (isV2(call)) {
    const [code, status] = refusal.v2;
    const headers = { "x-amzn-requestid": requestId, "x-amzn-errortype": code };
    return vendorJson({ message: refusal.message }, { status, headers });
  }
  const [Code, status] = refusal.v1;
  return xml(status, requestId, {
    name: "ErrorResponse",
    inner: {
      Error: { Type: status < 500 ? "Sender" : "Receiver", Code, Message: refusal.message },
      RequestId: requestId,
    },
  });
}

function xml(
  status: number,
  requestId: string,
  { name, inner }: { name: string; inner: Xml },
): Response {
  const body = `<${name} xmlns="${NAMESPACE}">${toXml(inner)}</${name}>`;
  return textResponse(body, {
    status,
    headers: { "content-type": "text/xml", "x-amzn-requestid": requestId },
  });
}

/** A message id in the vendor's form: time, UUID, and a counter. The UUID carries the id of the event. */
export function toMessageId(eventId: string, at: Date): string {
  const uuid = encodeEventUuid({ eventId, variant: "b", tail: "5e5000" });
  return `0102${at.getTime().toString(16).padStart(12, "0")}-${uuid}-000000`;
}

export { toVendorRefusal, type VendorRefusal } from "./refusals.ts";
