import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { isPrivateKey } from "./codec/private_key.ts";

const BITS = 2048;

let generated: Promise<string> | undefined;

/**
 * Returns the host keys to offer: besides one of Ed25519, which JSch and phpseclib 2 do not support, one of RSA. That one
 * is in memory only, and new in each process, because one key file is all that the program may write.
 */
export async function withRsaKey(hostKey: string): Promise<readonly string[]> {
  if (!isPrivateKey(hostKey)) return [hostKey];
  generated ??= generate();
  return [hostKey, await generated];
}

/** In PEM (PKCS #1), which the SSH library reads. */
async function generate(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: BITS,
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return privateKey;
}
