/** Device and headers of a push. */
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { type PushHeaders, readHeaders } from "./headers.ts";
import type { VendorRefusal } from "./reply.ts";

export interface Address {
  readonly device: string;
  readonly headers: PushHeaders;
}

/** Device and headers, which the vendor checks first. */
export function readAddress(call: IngressCall): Result<Address, VendorRefusal> {
  const device = call.params.token ?? "";
  if (device === "") return failure("MissingDeviceToken");
  const headers = readHeaders(call.rawHeaders);
  return headers === "duplicate" ? failure("DuplicateHeaders") : success({ device, headers });
}
