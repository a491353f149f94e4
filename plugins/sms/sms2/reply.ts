/** Responses of Amazon SNS, in XML: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html */
import { textResponse } from "../../../core/http/reply.ts";
import { toXml, type Xml } from "../../../core/codec/query_xml.ts";
import type { VendorRefusal } from "./refusals.ts";

const NAMESPACE = "http://sns.amazonaws.com/doc/2010-03-31/";

/** Returns the response to an action. */
export function answer(action: string, result: Xml, requestId: string): Response {
  return xml(200, requestId, {
    name: `${action}Response`,
    inner: { [`${action}Result`]: result, ResponseMetadata: { RequestId: requestId } },
  });
}

/** Returns a refusal in the vendor's form. */
export function refuse({ status, code, message }: VendorRefusal, requestId: string): Response {
  const Type = status < 500 ? "Sender" : "Receiver";
  return xml(status, requestId, {
    name: "ErrorResponse",
    inner: { Error: { Type, Code: code, Message: message }, RequestId: requestId },
  });
}

function xml(
  status: number,
  requestId: string,
  { name, inner }: { name: string; inner: Xml },
): Response {
  return textResponse(`<${name} xmlns="${NAMESPACE}">${toXml(inner)}</${name}>`, {
    status,
    headers: { "content-type": "text/xml", "x-amzn-requestid": requestId },
  });
}

export { REFUSALS, toVendorRefusal, type VendorRefusal } from "./refusals.ts";
