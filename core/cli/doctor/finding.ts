import { bold, type CliIo } from "../base/io.ts";

/** One thing that was looked at. */
export interface Finding {
  /** `bad` is a problem; `note` may be intended. */
  readonly mark: "ok" | "note" | "bad";
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** Prints what was found under one heading; nothing where that is nothing. */
export function printFindings(io: CliIo, title: string, findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  io.stdout(bold(io, title));
  for (const { mark, text, advice } of findings) {
    io.stdout(`  ${mark.padEnd(4)}  ${text}`);
    if (advice !== undefined) io.stdout(`        ${advice}`);
  }
}
