/** Replaces the passwords of the URLs in a text: what is shown may end in the log of a pipeline, or in a report. */
export function withoutPasswords(text: string): string {
  return text.replace(/(:\/\/[^\s"'/:@]{0,256}:)[^\s"'/@]{1,1024}@/g, "$1***@");
}
