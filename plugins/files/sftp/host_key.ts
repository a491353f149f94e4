import { ConfigError, reasonOf } from "../../../core/errors.ts";
import type { Logger } from "../../../core/log.ts";
import { readIfThere, writePrivateOnce } from "../../../core/tls/private_file.ts";
import { encodePrivateKey, isPrivateKey } from "./codec/private_key.ts";

/** File name of a generated key. */
const FILE_NAME = "sftp_host_ed25519";

/**
 * Returns the host key, in the format of OpenSSH: read from `path`, which is in `folder` by default, or generated and
 * stored there; without either it is not stored. Rejects with `ConfigError` if an existing file is not a private key:
 * clients would take a server whose key changed silently for an impostor.
 */
export async function openHostKey(
  options: { path: string | undefined; folder: string | undefined; log: Logger },
): Promise<string> {
  const path = options.path ?? (options.folder && `${options.folder}/${FILE_NAME}`);
  if (path === undefined) return await generateKey();
  return await readKey(path) ?? await makeKey(path, options.log);
}

async function readKey(path: string): Promise<string | undefined> {
  let text: string | undefined;
  try {
    text = await readIfThere(path);
  } catch (error) {
    const reason = reasonOf(error);
    throw new ConfigError(`Cannot read the host key "${path}": ${reason}`);
  }
  if (text === undefined) return undefined;
  const detail = await faultOf(text);
  if (detail === undefined) return text;
  throw new ConfigError(
    `Cannot use the host key "${path}": ${detail}; remove the file to generate a new one`,
  );
}

/** Returns why a text is not a private key. */
async function faultOf(text: string): Promise<string | undefined> {
  if (isPrivateKey(text)) return undefined;
  const { utils } = await import("./key_tools.ts");
  const key = utils.parseKey(text);
  if (key instanceof Error) return key.message;
  const usable = !Array.isArray(key) && "isPrivateKey" in key && key.isPrivateKey();
  return usable ? undefined : "it is not a private key";
}

/** Without the SSH library, which is slow to load. */
async function generateKey(): Promise<string> {
  const algorithm = { name: "Ed25519" } as const;
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign"]) as CryptoKeyPair;
  const [whole, point] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", pair.privateKey),
    crypto.subtle.exportKey("raw", pair.publicKey),
  ]);
  const [check = 0] = crypto.getRandomValues(new Uint32Array(1));
  // Such a document ends with the seed: RFC 8410 section 7.
  const seed = new Uint8Array(whole).slice(-32);
  return encodePrivateKey({ seed, point: new Uint8Array(point) }, check);
}

async function makeKey(path: string, log: Logger): Promise<string> {
  const key = await generateKey();
  const slash = path.lastIndexOf("/");
  const folder = slash < 0 ? "." : path.slice(0, slash) || "/";
  try {
    if (await writePrivateOnce(folder, path.slice(slash + 1), key)) return key;
    // Another instance was faster.
    return await readKey(path) ?? key;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    log.warn("Cannot keep the SSH host key: clients will see a new one after a restart", {
      path,
      reason: reasonOf(error),
    });
    return key;
  }
}
