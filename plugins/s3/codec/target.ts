/**
 * The request target: `/bucket`, `/bucket/` or `/bucket/key`, percent-encoded once (path style); `/key` where the host
 * names the bucket (Amazon S3 user guide, "Virtual hosting of general purpose buckets").
 *
 * @module
 */

/** What a request names. */
export interface Target {
  /** Empty for the service itself. */
  readonly bucket: string;
  /** Decoded; empty for the bucket itself. */
  readonly key: string;
}

/**
 * Splits at the first `/` after the bucket; everything after it is the key, with all its slashes. Returns `undefined` for
 * what is not percent-encoded UTF-8.
 */
export function readTarget(path: string): Target | undefined {
  const rest = path.replace(/^\//, "");
  const slash = rest.indexOf("/");
  const bucket = decode(slash < 0 ? rest : rest.slice(0, slash));
  const key = decode(slash < 0 ? "" : rest.slice(slash + 1));
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}

/** The bucket in a host in lower case: what precedes a domain. `undefined` for the domain itself, or another one. */
export function hostedBucket(host: string, domain: string | undefined): string | undefined {
  if (domain === undefined || !host.endsWith(`.${domain}`)) return undefined;
  return host.slice(0, -domain.length - 1) || undefined;
}

/** The target in a bucket that the host names. `undefined` for what is not percent-encoded UTF-8. */
export function readHostedTarget(bucket: string, path: string): Target | undefined {
  const key = decode(path.replace(/^\//, ""));
  return key === undefined ? undefined : { bucket, key };
}

/** The source of a copy. */
export interface SourceTarget extends Target {
  /** Absent if the header has none. */
  readonly version?: string;
}

/**
 * `[/]bucket/key[?versionId=id]` of `x-amz-copy-source`. Some callers encode the slash between bucket and key as well.
 * `undefined` for a header that names no key, is not percent-encoded UTF-8, or has anything else after a `?`.
 */
export function readCopySource(header: string): SourceTarget | undefined {
  const [, path = "", encoded] = /^([^?]*)(?:\?versionId=(.*))?$/s.exec(header) ?? [];
  const text = decode(path)?.replace(/^\//, "") ?? "";
  const slash = text.indexOf("/");
  if (slash < 1 || slash === text.length - 1) return undefined;
  const target = { bucket: text.slice(0, slash), key: text.slice(slash + 1) };
  if (encoded === undefined) return target;
  const version = decode(encoded);
  return version === undefined ? undefined : { ...target, version };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Encodes a key as `encoding-type=url` does: `/` is kept, `+` is encoded. */
export function encodeKey(key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed());
  return encoded.replaceAll("%2F", "/").replace(
    /[!'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
