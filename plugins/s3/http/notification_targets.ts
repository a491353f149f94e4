/** Addresses of the receivers of notifications, one for each ARN. */
import { originOf } from "../../../core/callbacks/allow.ts";
import { type OptionSpec, tables } from "../../../core/options/spec.ts";
import { unknownName } from "../../../core/options/suggest.ts";

/** The application behind an ARN. */
export interface NotificationTarget {
  readonly arn: string;
  readonly url: string;
  /** Of a topic only. */
  readonly signatureVersion: SignatureVersion;
}

/** SNS signs with SHA-1 in version 1, its default, and with SHA-256 in version 2. */
export type SignatureVersion = "1" | "2";

const WRITTEN = "[[plugins.s3.providers.http.notification_targets]]";
const KEYS = ["arn", "url", "signature_version"] as const;
/** A queue of Amazon SQS, a topic of SNS, a function of Lambda, the default bus of EventBridge, or a target of MinIO. */
const ARN =
  /^arn:(?:minio:sqs:[^:]*:[^:]+:[^:]+|(?!minio:)[^:]+:(?:(?:sns|sqs|lambda):[^:]*:\d*:.+|events:[^:]+:\d{12}:event-bus\/default))$/;
const EXPECTED = "arn:aws:sqs:us-east-1:123456789012:name, the same of sns or lambda, " +
  "arn:aws:events:us-east-1:123456789012:event-bus/default, or arn:minio:sqs::ID:webhook";

/** Declares the tables. */
export function notificationTargets(): OptionSpec<readonly NotificationTarget[]> {
  const option = tables<NotificationTarget>(
    `Receivers of event notifications: a ${WRITTEN} table for each, with \`arn\`, \`url\`, and for topics \`signature_version\` (1 or 2)`,
    {
      written: WRITTEN,
      read: readTarget,
      example: {
        arn: "arn:aws:sqs:us-east-1:123456789012:images",
        url: "http://localhost:3000/s3",
      },
    },
  );
  return {
    ...option,
    check(value) {
      const all = option.check(value);
      const double = all.find(({ arn }, at) => all.findIndex((one) => one.arn === arn) < at);
      if (double === undefined) return all;
      throw new RangeError(`expected each arn once, not "${double.arn}" twice`);
    },
  };
}

function readTarget(table: Readonly<Record<string, unknown>>): NotificationTarget {
  for (const key of Object.keys(table)) {
    if (!(KEYS as readonly string[]).includes(key)) {
      throw new TypeError(unknownName("key", key, KEYS));
    }
  }
  const { arn, url, signature_version: version } = table;
  if (typeof arn !== "string" || !ARN.test(arn)) {
    throw new RangeError(`expected arn such as ${EXPECTED}; not ${shown(arn)}`);
  }
  const scheme = typeof url === "string" ? originOf(url)?.scheme : undefined;
  if (typeof url !== "string" || (scheme !== "http" && scheme !== "https")) {
    throw new RangeError(
      `expected url of "${arn}" such as "http://localhost:3000/s3", not ${shown(url)}`,
    );
  }
  if (version !== undefined && !isTopic(arn)) {
    throw new RangeError(`expected no signature_version for "${arn}": only topics have one`);
  }
  if (version !== undefined && version !== 1 && version !== 2) {
    throw new RangeError(`expected signature_version 1 or 2, not ${shown(version)}`);
  }
  return { arn, url, signatureVersion: version === 2 ? "2" : "1" };
}

/** Whether an ARN is one of SNS. */
export function isTopic(arn: string): boolean {
  return arn.split(":")[2] === "sns";
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
