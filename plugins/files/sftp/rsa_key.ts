import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { isPrivateKey } from "./codec/private_key.ts";

const BITS = 2048;

let generated: Promise<string> | undefined;

/**
 * Returns the host keys to offer: an Ed25519 key is joined by an RSA key, for clients such as JSch and phpseclib 2. The
 * RSA key stays in memory, and is new in each process, because the program may write only one host key.
 */
export async function withRsaKey(hostKey: string): Promise<readonly string[]> {
  if (!isPrivateKey(hostKey)) return [hostKey];
  generated ??= generate().catch((error) => {
    generated = undefined;
    throw error;
  });
  return [hostKey, await generated];
}

/** Returns a key in PEM (PKCS #1), which the SSH library reads. */
async function generate(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: BITS,
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return privateKey;
}
