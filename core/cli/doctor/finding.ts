import { bold, type CliIo } from "../base/io.ts";

/** Result of one check. */
export interface Finding {
  /** `bad` is a problem; `note` may be intended. */
  readonly mark: "ok" | "note" | "bad";
  readonly text: string;
  /** Advice for a problem. */
  readonly advice?: string;
}

/** Prints findings under a heading, unless there are none. */
export function printFindings(io: CliIo, title: string, findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  io.stdout(bold(io, title));
  for (const { mark, text, advice } of findings) {
    io.stdout(`  ${mark.padEnd(4)}  ${text}`);
    if (advice !== undefined) io.stdout(`        ${advice}`);
  }
}
