/** Rules of a message whose types are right. */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { JsonObject, Violations } from "../../../core/codec/json_fields.ts";

const MAX_BYTES = 4096;

/** Reports keys of data that the vendor's SDK on the device reserves. */
export function checkDataKeys(message: JsonObject, violations: Violations): void {
  for (const data of [message.data, asObject(message.android).data]) {
    if (isJsonObject(data) && Object.hasOwn(data, "from")) {
      violations.add("message.data", "Invalid data payload key: from");
    }
  }
}

/**
 * Reports a message whose notification and data take more than 4096 bytes, names and values together: in the common
 * form, or with the parts that `android` replaces.
 */
export function checkSize(message: JsonObject, violations: Violations): void {
  const android = asObject(message.android);
  const common = [message.notification, message.data];
  const replaced = [
    { ...asObject(message.notification), ...asObject(android.notification) },
    isEmpty(android.data) ? message.data : android.data,
  ];
  if (countBytes(common) <= MAX_BYTES && countBytes(replaced) <= MAX_BYTES) return;
  violations.add("message", "Message is too large. The maximum is 4K (4096 bytes).");
}

function countBytes(parts: readonly unknown[]): number {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const part of parts) {
    for (const [name, value] of Object.entries(asObject(part))) {
      if (typeof value === "string") bytes += encoder.encode(name + value).length;
      if (bytes > MAX_BYTES) return bytes;
    }
  }
  return bytes;
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function isEmpty(value: unknown): boolean {
  return Object.keys(asObject(value)).length === 0;
}
