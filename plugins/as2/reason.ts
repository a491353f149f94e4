/** Why something went wrong, without the name of the error. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === "" ? "the operation failed" : text;
}
