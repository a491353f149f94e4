/** Returns a namespace that no other test uses: lower case, because some applications change addresses to it. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 13)}`;
}
