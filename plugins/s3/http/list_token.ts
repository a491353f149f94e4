/** Tokens of the next page of a listing. */
import { decodeBase64 } from "@std/encoding/base64";
import { S3Error } from "../errors.ts";

/** Returns a token, opaque to clients: the last entry of the page in base64. */
export function writeToken(last: string): string {
  return new TextEncoder().encode(last).toBase64({ alphabet: "base64url" });
}

/** Throws `InvalidArgument` for an invalid token. */
export function readToken(token: string): string {
  try {
    const bytes = decodeBase64(token.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new S3Error("InvalidArgument", `Cannot use continuation token "${token}"`);
  }
}
