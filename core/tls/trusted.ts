import { X509Certificate } from "node:crypto";
import { ConfigError, reasonOf } from "../errors.ts";

/** A certificate as PEM: RFC 7468 section 5. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the CA certificates of a PEM file; text between them is ignored. Rejects with
 * `ConfigError`, which names the setting, if the file cannot be read, or has no certificate or an
 * invalid one.
 */
export async function readTrusted(setting: string, path: string): Promise<readonly string[]> {
  const text = await Deno.readTextFile(path).catch((error: unknown) => {
    throw new ConfigError(`Cannot read ${setting} "${path}": ${reasonOf(error)}`);
  });
  const blocks = text.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) {
    throw new ConfigError(`Cannot use ${setting} "${path}": expected a PEM certificate`);
  }
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch (error) {
      throw new ConfigError(
        `Cannot use ${setting} "${path}": certificate ${index + 1} is invalid: ${reasonOf(error)}`,
      );
    }
  }
  return blocks;
}
