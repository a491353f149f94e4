/**
 * Credentials of AUTH: RFC 4954 section 4, PLAIN of RFC 4616 and LOGIN (draft-murchison-sasl-login-00).
 *
 *     PLAIN  message = [ authzid ] NUL authcid NUL password
 *     LOGIN  two messages, user name and password, after "VXNlcm5hbWU6" and "UGFzc3dvcmQ6"
 *
 * Every message is base64; "=" is an empty initial response.
 */
import { WireError } from "../../../../core/bytes/decoder.ts";

export interface Credentials {
  readonly mechanism: "PLAIN" | "LOGIN";
  readonly username: string;
  readonly password: string;
  /** Identity to act as, if it differs from the user name. */
  readonly authzid?: string;
}

/** Prompts of LOGIN, in base64. */
export const LOGIN_PROMPTS = { username: "VXNlcm5hbWU6", password: "UGFzc3dvcmQ6" } as const;

/** Decodes one base64 message. Throws `WireError` "syntax". */
export function decodeResponse(text: string): Uint8Array<ArrayBuffer> {
  if (text === "=") return new Uint8Array();
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    throw new WireError("syntax", "Cannot read the credentials: they are not base64");
  }
  return Uint8Array.fromBase64(text);
}

/** Reads the message of PLAIN. Throws `WireError` "syntax". */
export function decodePlain(message: Uint8Array): Credentials {
  const parts = toText(message).split("\0");
  const [authzid = "", username, password] = parts;
  if (parts.length !== 3 || username === undefined || password === undefined) {
    throw new WireError(
      "syntax",
      "Cannot read the credentials: PLAIN takes [identity] NUL user name NUL password",
    );
  }
  const acting = authzid !== "" && authzid !== username ? { authzid } : {};
  return { mechanism: "PLAIN", username, password, ...acting };
}

export function decodeLogin(username: Uint8Array, password: Uint8Array): Credentials {
  return { mechanism: "LOGIN", username: toText(username), password: toText(password) };
}

/** Decodes UTF-8, else Latin-1, which older clients send. */
function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}
