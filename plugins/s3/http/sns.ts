/** Amazon SNS messages to an HTTP endpoint, and the key that signs them. */
import { createHash, createPublicKey, sign, X509Certificate } from "node:crypto";
import { ConfigError, reasonOf } from "../../../core/errors.ts";
import type { HeaderPairs } from "../../../core/plugin.ts";
import type { PluginContext } from "../../../core/provider_env.ts";
import { readIfThere, writePrivateOnce } from "../../../core/tls/private_file.ts";
import type { SnsSigner } from "../capture.ts";
import type { SignatureVersion } from "./notification_targets.ts";

/** The certificate and its key. */
const FILE_NAME = "sns_with_key.pem";
const DAYS = 3650;

/**
 * Opens the key: from the folder of generated keys, so that messages stay verifiable after a
 * restart, or a new one. Rejects with `ConfigError` if the file is unusable.
 */
export async function openSigner({ configFolder, now, log }: PluginContext): Promise<SnsSigner> {
  const kept = configFolder === undefined ? undefined : await readSigner(configFolder);
  if (kept !== undefined) return kept;
  const { createSigningIdentity } = await import("../../../core/tls/generate.ts");
  const about = { name: "sns.standin.invalid", now: now(), days: DAYS };
  const { cert, key } = await createSigningIdentity(about);
  if (configFolder !== undefined) {
    try {
      // Another instance may have been faster.
      const isFirst = await writePrivateOnce(configFolder, FILE_NAME, `${cert}${key}`);
      if (!isFirst) return await readSigner(configFolder) ?? toSigner(cert, key);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      const path = `${configFolder}/${FILE_NAME}`;
      log.warn(
        "Cannot keep the key that signs messages of SNS: a new one is generated after a restart",
        {
          path,
          reason: reasonOf(error),
        },
      );
    }
  }
  return toSigner(cert, key);
}

async function readSigner(folder: string): Promise<SnsSigner | undefined> {
  const path = `${folder}/${FILE_NAME}`;
  try {
    const text = await readIfThere(path);
    return text === undefined ? undefined : toSigner(...splitPem(text));
  } catch (error) {
    throw new ConfigError(
      `Cannot use the key "${path}" that signs messages of SNS: ${reasonOf(error)}; ` +
        "remove the file to generate a new one",
    );
  }
}

function splitPem(text: string): [cert: string, key: string] {
  const at = text.indexOf("-----BEGIN PRIVATE KEY-----");
  if (at < 0) throw new SyntaxError("expected a certificate and a private key as PEM");
  return [text.slice(0, at), text.slice(at)];
}

function toSigner(certificate: string, key: string): SnsSigner {
  const own = createPublicKey(key).export({ type: "spki", format: "pem" });
  const certified = new X509Certificate(certificate).publicKey
    .export({ type: "spki", format: "pem" });
  if (own !== certified) throw new RangeError("expected the certificate of the key");
  const digest = createHash("sha256").update(certificate).digest("hex").slice(0, 32);
  return { certificate, key, path: `/SimpleNotificationService-${digest}.pem` };
}

/** A message to publish. */
export interface Publication {
  readonly id: string;
  readonly topic: string;
  readonly subscription: string;
  readonly message: string;
  readonly at: Date;
  readonly version: SignatureVersion;
  /** Base URL of the certificate. */
  readonly origin: string;
}

/**
 * Returns header fields and body:
 * https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html and http-header.html.
 */
export function toNotification(
  { id, topic, subscription, message, at, version, origin }: Publication,
  signer: SnsSigner,
): { readonly headers: HeaderPairs; readonly body: unknown } {
  const signed = {
    Type: "Notification",
    MessageId: id,
    TopicArn: topic,
    Subject: "Amazon S3 Notification",
    Message: message,
    Timestamp: at.toISOString(),
  };
  const query = new URLSearchParams({ Action: "Unsubscribe", SubscriptionArn: subscription });
  return {
    headers: [
      ["x-amz-sns-message-type", "Notification"],
      ["x-amz-sns-message-id", id],
      ["x-amz-sns-topic-arn", encodeURI(topic.toWellFormed())],
      ["x-amz-sns-subscription-arn", encodeURI(subscription.toWellFormed())],
      ["Content-Type", "text/plain; charset=UTF-8"],
      ["User-Agent", "Amazon Simple Notification Service Agent"],
    ],
    body: {
      ...signed,
      SignatureVersion: version,
      Signature: sign(HASHES[version], textToSign(signed), signer.key).toString("base64"),
      SigningCertURL: `${origin}${signer.path}`,
      UnsubscribeURL: `${origin}/?${query}`,
    },
  };
}

const HASHES = { 1: "RSA-SHA1", 2: "RSA-SHA256" } as const;

/**
 * Names and values in the order of names, each on its own line:
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message-verify-message-signature.html
 */
function textToSign(signed: Readonly<Record<string, string>>): Uint8Array {
  const lines = Object.entries(signed).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, value]) => `${name}\n${value}\n`);
  return new TextEncoder().encode(lines.join(""));
}
