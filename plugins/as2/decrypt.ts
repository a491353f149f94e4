/** Decrypts encrypted layers, and describes their encryption. */
import { WireError } from "../../core/bytes/decoder.ts";
import { compact } from "../../core/compact.ts";
import { reasonOf } from "../../core/errors.ts";
import { type Certificate, isNamed, nameOfDer } from "./certificate.ts";
import { type Bytes, decryptContent, type PrivateKey, unwrapKey } from "./cms_crypto.ts";
import { CIPHER_OIDS, KEY_TRANSPORT_OIDS } from "./codec/algorithms.ts";
import type { EnvelopedData } from "./codec/cms.ts";
import type { Encryption, RecipientInfo } from "./model.ts";

/** Decrypts content with the service's key. Throws an error with the reason if it cannot. */
export async function decrypt(
  data: EnvelopedData,
  own: { readonly key: PrivateKey; readonly certificate: Certificate },
): Promise<Bytes> {
  const named = data.recipients.filter(({ recipient }) => isNamed(own.certificate, recipient));
  const others = data.recipients.filter((one) => !named.includes(one)).slice(0, 20);
  if (named.length + others.length === 0) {
    throw new WireError("syntax", "Cannot decrypt: there is no recipient with an RSA key");
  }
  let reason: unknown;
  for (const recipient of [...named, ...others]) {
    try {
      return await decryptContent(data, unwrapKey(own.key, recipient));
    } catch (error) {
      reason ??= error;
    }
  }
  throw new WireError(
    "syntax",
    named.length === 0
      ? "Cannot decrypt: the message is for other recipients"
      : `Cannot decrypt with the service's key: ${reasonOf(reason)}`,
  );
}

/** Describes the encryption of a message; `error` is why it could not be decrypted. */
export function toEncryption(data: EnvelopedData, error: string | undefined): Encryption {
  const key = data.recipients[0]?.algorithm.oid;
  const cipher = CIPHER_OIDS.get(data.algorithm.oid)?.name;
  const keyName = key === undefined ? undefined : KEY_TRANSPORT_OIDS.get(key);
  return {
    decrypted: error === undefined,
    ...compact({ content_algorithm: cipher }),
    content_algorithm_oid: data.algorithm.oid,
    ...compact({ error, key_algorithm: keyName, key_algorithm_oid: key }),
    recipients: data.recipients.slice(0, 100).map(({ recipient }) => toRecipient(recipient)),
  };
}

function toRecipient(
  { issuer, serial, keyId }: EnvelopedData["recipients"][number]["recipient"],
): RecipientInfo {
  return {
    issuer: issuer === undefined ? "" : nameOfDer(issuer),
    serial: serial ?? keyId?.toHex() ?? "",
  };
}
