/** Returns whether a text is an id of the vendor. */
export function isSnowflake(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text);
}
