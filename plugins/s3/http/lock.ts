/** Object lock in requests and responses (Amazon S3 user guide, "Locking objects with Object Lock"). */
import type { HeaderValues } from "../../../core/http/call.ts";
import { compact } from "../../../core/compact.ts";
import type { Bucket } from "../catalog/bucket.ts";
import { hasLocks, isLocked, type LockAccess } from "../catalog/lock.ts";
import {
  isMarker,
  type ObjectLock,
  type Retention,
  RETENTION_MODES,
  type Version,
} from "../catalog/model.ts";
import { parseSetting, writeSetting } from "../catalog/settings.ts";
import { childrenOf, childText, type XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import { checkChildren } from "./documents.ts";
import type { S3Request } from "./request.ts";
import { checkShape, type Shape } from "./shapes.ts";

const MODE = "x-amz-object-lock-mode";
const UNTIL = "x-amz-object-lock-retain-until-date";
const HOLD = "x-amz-object-lock-legal-hold";
const BYPASS = "x-amz-bypass-governance-retention";

const DAY_MS = 86_400_000;
/** The user guide, "Object Lock considerations": a year has 365 days, and 100 years are the maximum. */
const YEAR_DAYS = 365;
const MAX_DAYS = 100 * YEAR_DAYS;

/** As stored by CreateBucket for a bucket with object lock. */
export const LOCK_ENABLED: string = writeSetting({
  name: "ObjectLockConfiguration",
  text: "",
  children: [{ name: "ObjectLockEnabled", text: "Enabled", children: [] }],
});

/**
 * Returns the lock of a new object, from the request or the bucket's default. Throws `InvalidArgument`, and
 * `InvalidRequest` in a bucket without object lock.
 */
export function readLock(
  headers: HeaderValues,
  { bucket, now }: { bucket: Bucket; now: Date },
): ObjectLock {
  const [mode, until, hold] = [headers.get(MODE), headers.get(UNTIL), headers.get(HOLD)];
  const isLockable = hasLocks(bucket);
  if (mode === null && until === null && hold === null && !isLockable) return {};
  if ((mode === null) !== (until === null)) {
    throw new S3Error("InvalidArgument", `${UNTIL} and ${MODE} must both be supplied`);
  }
  const retention = mode === null ? undefined : {
    mode: readMode(mode),
    until: readUntil(until ?? "", { name: UNTIL, now }),
  };
  if (hold !== null && hold !== "ON" && hold !== "OFF") {
    throw new S3Error(
      "InvalidArgument",
      `Cannot use ${HOLD} "${hold}": Legal Hold must be either of 'ON' or 'OFF'`,
    );
  }
  if (!isLockable && (retention !== undefined || hold === "ON")) throw notLockable(bucket);
  return compact({
    retention: retention ?? defaultOf(bucket, now),
    legalHold: hold === null ? undefined : hold === "ON",
  });
}

function readMode(text: string): Retention["mode"] {
  const mode = RETENTION_MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use ${MODE} "${text}": Unknown wormMode directive; expected ${
      RETENTION_MODES.join(" or ")
    }`,
  );
}

const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Parses a date in the future. Throws `InvalidArgument`. */
export function readUntil(
  text: string,
  { name, now }: { readonly name: string; readonly now: Date },
): Date {
  const date = new Date(ISO_8601.test(text) ? text : NaN);
  if (Number.isNaN(date.getTime())) {
    throw new S3Error(
      "InvalidArgument",
      `Cannot use ${name} "${text}": The retain until date must be provided in ISO 8601 format`,
    );
  }
  if (date > now) return date;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use ${name} "${text}": The retain until date must be in the future!`,
  );
}

/** Returns the error for a request about locks in a bucket without them. */
export function notLockable({ name }: Bucket): S3Error {
  return new S3Error(
    "InvalidRequest",
    `Bucket is missing Object Lock Configuration: enable object lock of bucket "${name}" first`,
  );
}

/** Returns the default retention of a bucket for new versions. */
function defaultOf({ settings }: Bucket, now: Date): Retention | undefined {
  const text = settings.get("object-lock");
  const rule = text === undefined ? undefined : defaultIn(parseSetting(text)!);
  if (rule === undefined) return undefined;
  const days = Number(childText(rule, "Days") ?? 0) +
    YEAR_DAYS * Number(childText(rule, "Years") ?? 0);
  const mode = RETENTION_MODES.find((one) => one === childText(rule, "Mode")?.trim())!;
  return { mode, until: new Date(now.getTime() + days * DAY_MS) };
}

function defaultIn(root: XmlNode): XmlNode | undefined {
  const [rule] = childrenOf(root, "Rule");
  return rule === undefined ? undefined : childrenOf(rule, "DefaultRetention")[0];
}

const NUMBER: Shape[string] = { text: /^-?\d{1,9}$/ };
const CONFIGURATION: Shape = {
  ObjectLockEnabled: { required: true, words: ["Enabled"] },
  Rule: {
    in: {
      DefaultRetention: {
        required: true,
        in: { Mode: { required: true, words: RETENTION_MODES }, Days: NUMBER, Years: NUMBER },
      },
    },
  },
};

/**
 * Checks an ObjectLockConfiguration for a bucket. Throws `MalformedXML`, `InvalidArgument` for an invalid period, and
 * `InvalidBucketState` if versioning is not enabled.
 */
export function checkConfiguration(root: XmlNode, bucket: Bucket): void {
  const retention = defaultIn(root);
  if (retention !== undefined) {
    checkChildren(retention, { known: ["Mode", "Days", "Years"], leftOut: ["DefaultEventHold"] });
  }
  checkShape(root, CONFIGURATION);
  if (retention !== undefined) checkPeriod(retention);
  if (bucket.versioning === "Enabled") return;
  throw new S3Error(
    "InvalidBucketState",
    "Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration",
  );
}

function checkPeriod(retention: XmlNode): void {
  const [days, years] = ["Days", "Years"].map((name) => childText(retention, name)?.trim());
  if ((days === undefined) === (years === undefined)) {
    throw new S3Error(
      "MalformedXML",
      "Cannot accept DefaultRetention: expected either Days or Years",
    );
  }
  const length = Number(days ?? years) * (days === undefined ? YEAR_DAYS : 1);
  if (length < 1) {
    throw new S3Error(
      "InvalidArgument",
      "Default retention period must be a positive integer value.",
    );
  }
  if (length <= MAX_DAYS) return;
  throw new S3Error(
    "InvalidArgument",
    `Default retention period too large: at most ${MAX_DAYS} days`,
  );
}

/** Returns the request's rights over locks. Throws `InvalidArgument` for an invalid bypass. */
export function lockAccess({ call, catalog }: Pick<S3Request, "call" | "catalog">): LockAccess {
  const text = call.headers.get(BYPASS)?.toLowerCase() ?? "false";
  if (text !== "true" && text !== "false") {
    throw new S3Error("InvalidArgument", `Cannot use ${BYPASS} "${text}": expected true or false`);
  }
  return { now: catalog.now(), bypass: text === "true" };
}

/** Throws `AccessDenied` for a locked version. */
export function checkUnlocked(version: Version | undefined, access: LockAccess): void {
  if (version === undefined || isMarker(version) || !isLocked(version, access)) return;
  const { retention, legalHold } = version;
  const why = legalHold === true
    ? "a legal hold"
    : `${retention?.mode} retention until ${retention?.until.toISOString()}`;
  throw lockedBy(why);
}

/** Returns the error for a change that a lock forbids. */
export function lockedBy(why: string): S3Error {
  return new S3Error(
    "AccessDenied",
    `Access Denied because object protected by object lock: it is under ${why}`,
  );
}

/** Returns the header fields of a lock. */
export function lockHeaders({ retention, legalHold }: ObjectLock): Record<string, string> {
  return {
    ...(retention === undefined ? {} : {
      [MODE]: retention.mode,
      [UNTIL]: retention.until.toISOString(),
    }),
    ...(legalHold === undefined ? {} : { [HOLD]: legalHold ? "ON" : "OFF" }),
  };
}
