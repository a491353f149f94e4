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
 * Splits at the first `/` behind the bucket; all that follows is the key, whatever segments it seems to have. Nothing
 * for what is not percent-encoded UTF-8.
 */
export function readTarget(path: string): Target | undefined {
  const rest = path.replace(/^\//, "");
  const slash = rest.indexOf("/");
  const bucket = decode(slash < 0 ? rest : rest.slice(0, slash));
  const key = decode(slash < 0 ? "" : rest.slice(slash + 1));
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}

/** The bucket that a host in lower case names: what stands before a domain. Nothing for the domain itself or another. */
export function hostedBucket(host: string, domain: string | undefined): string | undefined {
  if (domain === undefined || !host.endsWith(`.${domain}`)) return undefined;
  return host.slice(0, -domain.length - 1) || undefined;
}

/** The target in a bucket that the host names. Nothing for what is not percent-encoded UTF-8. */
export function readHostedTarget(bucket: string, path: string): Target | undefined {
  const key = decode(path.replace(/^\//, ""));
  return key === undefined ? undefined : { bucket, key };
}

/** What a copy reads. */
export interface SourceTarget extends Target {
  /** Absent when the header names none. */
  readonly version?: string;
}

/**
 * `[/]bucket/key[?versionId=id]` of `x-amz-copy-source`. Some callers encode the slash between bucket and key as well.
 * Nothing for a header that names no key, is not percent-encoded UTF-8, or has anything else behind a `?`.
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

/** As `encoding-type=url` writes a key: `/` stays, `+` does not. */
export function encodeKey(key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed());
  return encoded.replaceAll("%2F", "/").replace(
    /[!'()]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
