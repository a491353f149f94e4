import { S3Error } from "../errors.ts";

const encoder = new TextEncoder();

/** Sets a field to a text, as bytes of UTF-8. Throws `InvalidArgument` for an invalid field value. */
export function setText(
  headers: Headers,
  name: string,
  { value, from }: { value: string; from: string },
): void {
  const text = Array.from(encoder.encode(value), (byte) => String.fromCharCode(byte)).join("");
  try {
    headers.set(name, text);
  } catch {
    throw new S3Error("InvalidArgument", `Cannot use ${from} "${value}" as a header`);
  }
}
