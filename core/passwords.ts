/**
 * Replaces the passwords of URLs in a text, which may end up in the log of a pipeline or in a
 * report.
 */
export function withoutPasswords(text: string): string {
  return text.replace(/(:\/\/[^\s"'/:@]{0,256}:)[^\s"'/@]{1,1024}@/g, "$1***@");
}
