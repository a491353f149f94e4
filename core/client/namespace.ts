/**
 * How a sender is marked as one of a namespace: by a header, or by recipients and credentials that the rules
 * `*+{namespace}@*` and `*--{namespace}` read.
 *
 * @module
 */

/** Header field that names the namespace by default. */
export const HEADER = "X-Standin-Namespace";

/** Rules of recipients and credentials for `addressIn` and `credentialIn`. */
export const NAMESPACE_RULES = { recipients: "*+{namespace}@*", credentials: "*--{namespace}" };

/** Returns the name. Throws a `RangeError` if a rule would read it differently, or not at all. */
export function checkNamespace(name: string): string {
  if (/^[\w.:]+(?:-[\w.:]+)*$/.test(name) && name.length <= 64) return name;
  throw new RangeError(
    `Cannot use namespace ${
      JSON.stringify(name)
    }: expected 1 to 64 letters, digits, "_", ".", ":" and single "-" ` +
      "between them",
  );
}

/** `ada@example.org`, or `Ada <ada@example.org>`, as a recipient of the namespace. */
export function addressIn(name: string, address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 1) {
    throw new RangeError(
      `Cannot put ${JSON.stringify(address)} into a namespace: expected an email address`,
    );
  }
  return `${address.slice(0, at)}+${name}${address.slice(at)}`;
}

/** A credential of the namespace. */
export function credentialIn(name: string, credential: string): string {
  return `${credential}--${name}`;
}
