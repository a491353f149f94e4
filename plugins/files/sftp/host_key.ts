import { ConfigError } from "../../../core/errors.ts";
import type { Logger } from "../../../core/log.ts";
import { readIfThere, writePrivate } from "../../../core/tls/private_file.ts";

/** Name of the key in the folder for keys of the program's own. */
const FILE_NAME = "sftp_host_ed25519";

/** The key by which clients know the server again. */
export interface HostKey {
  /** In the form of OpenSSH; made, and kept when it can be, on first use. */
  get(): Promise<string>;
}

/**
 * Reads the key at `path`, which stands in `folder` unless given. Rejects with `ConfigError` when a file that is there
 * is no private key: a server that changed its key without being told to would be taken for an impostor.
 */
export async function openHostKey(
  options: { path: string | undefined; folder: string | undefined; log: Logger },
): Promise<HostKey> {
  const path = options.path ?? (options.folder && `${options.folder}/${FILE_NAME}`);
  const found = path === undefined ? undefined : await readKey(path);
  let made: Promise<string> | undefined;
  return {
    get: () => found === undefined ? made ??= makeKey(path, options.log) : Promise.resolve(found),
  };
}

async function readKey(path: string): Promise<string | undefined> {
  let text: string | undefined;
  try {
    text = await readIfThere(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`Cannot read the host key "${path}": ${reason}`);
  }
  if (text === undefined) return undefined;
  const detail = await faultOf(text);
  if (detail === undefined) return text;
  throw new ConfigError(
    `Cannot use the host key "${path}": ${detail}; remove the file to have a new one made`,
  );
}

/** What keeps a text from being a private key. */
async function faultOf(text: string): Promise<string | undefined> {
  const { utils } = await import("./key_tools.ts");
  const key = utils.parseKey(text);
  if (key instanceof Error) return key.message;
  const usable = !Array.isArray(key) && "isPrivateKey" in key && key.isPrivateKey();
  return usable ? undefined : "it is no private key";
}

async function generateKey(): Promise<string> {
  const { utils } = await import("./key_tools.ts");
  for (;;) {
    const { private: key } = utils.generateKeyPairSync("ed25519");
    // Of some of its own keys, about one in twenty, the library writes a text that nobody can read.
    if (await faultOf(key) === undefined) return key;
  }
}

async function makeKey(path: string | undefined, log: Logger): Promise<string> {
  const key = await generateKey();
  if (path === undefined) return key;
  const slash = path.lastIndexOf("/");
  try {
    await writePrivate(slash < 0 ? "." : path.slice(0, slash) || "/", path.slice(slash + 1), key);
  } catch (error) {
    log.warn("Cannot keep the SSH host key: clients will see another one after a restart", {
      path,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  return key;
}
