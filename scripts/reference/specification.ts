import { parse } from "smol-toml";
import { table } from "./markdown.ts";
import as2 from "../../tests/specification/rows/as2.toml" with { type: "text" };
import chat from "../../tests/specification/rows/chat.toml" with { type: "text" };
import core from "../../tests/specification/rows/core.toml" with { type: "text" };
import files from "../../tests/specification/rows/files.toml" with { type: "text" };
import hl7 from "../../tests/specification/rows/hl7.toml" with { type: "text" };
import mail from "../../tests/specification/rows/mail.toml" with { type: "text" };
import push from "../../tests/specification/rows/push.toml" with { type: "text" };
import s3 from "../../tests/specification/rows/s3.toml" with { type: "text" };
import sms from "../../tests/specification/rows/sms.toml" with { type: "text" };
import snmp from "../../tests/specification/rows/snmp.toml" with { type: "text" };

/** A test, by its file and its title; `…` stands for what the file fills in. */
export interface Proof {
  readonly file: string;
  readonly title: string;
}

/** One row of the specification. */
export interface SpecificationRow {
  /** `Mail, Read-back`. */
  readonly place: string;
  readonly says: string;
  readonly proofs: readonly Proof[];
  /** Why there is no test; absent where there is one. */
  readonly unproved?: string;
}

interface Section {
  readonly document: number;
  readonly title: string;
  readonly parts: readonly { readonly name: string; readonly rows: readonly SpecificationRow[] }[];
}

const DOCUMENTS = [
  "Core, mail, SMS and chat",
  "Files, object storage and push",
  "SNMP traps, AS2 and HL7",
];
const UNPROVED = "unproved: ";

function toRow(place: string, cells: readonly string[]): SpecificationRow {
  const [says = "", ...shown] = cells;
  const why = shown.find((cell) => cell.startsWith(UNPROVED));
  return {
    place,
    says,
    proofs: shown.filter((cell) => cell !== why).map((cell) => {
      const at = cell.indexOf(": ");
      return { file: cell.slice(0, at), title: cell.slice(at + 2) };
    }),
    ...(why === undefined ? {} : { unproved: why.slice(UNPROVED.length) }),
  };
}

function toSection(text: string): Section {
  const read: unknown = parse(text);
  const { document, title, parts } = read as {
    readonly document: number;
    readonly title: string;
    readonly parts: readonly { name: string; rows: readonly (readonly string[])[] }[];
  };
  return {
    document,
    title,
    parts: parts.map(({ name, rows }) => ({
      name,
      rows: rows.map((cells) => toRow(`${title}, ${name}`, cells)),
    })),
  };
}

const SECTIONS = [core, mail, sms, chat, files, s3, push, snmp, as2, hl7].map(toSection);

/** Every row of the specification, in its order. */
export function specificationRows(): readonly SpecificationRow[] {
  return SECTIONS.flatMap(({ parts }) => parts.flatMap(({ rows }) => rows));
}

/** `docs/reference/specification.md`: what the specification asks for, and the test that shows each row. */
export function specificationReference(): string {
  const rows = specificationRows();
  const unproved = rows.filter((row) => row.unproved !== undefined).length;
  const sections = DOCUMENTS.map((title, index) => {
    const own = SECTIONS.filter(({ document }) => document === index + 1);
    return [`## ${index + 1}. ${title}\n`, ...own.flatMap(toPages)].join("\n");
  });
  return [
    "# The specification, and what shows it\n",
    `${rows.length} rows, in words of our own, each with the tests that would fail without it` +
    (unproved === 0 ? ".\n" : `; ${unproved} of them without a test, and the reason.\n`),
    "Written from `tests/specification/rows`; a test looks whether each test that is named is " +
    "there. A `…` stands for what a table of the test fills in. What clients of S3 rely on beyond " +
    "the specification has [rows of its own](../s3.md#known-differences).\n",
    ...sections,
  ].join("\n");
}

function toPages({ title, parts }: Section): readonly string[] {
  return [
    `### ${title}\n`,
    ...parts.flatMap(({ name, rows }) => [
      `#### ${name}\n`,
      table(["What", "Shown by"], rows.map((row) => [row.says, shownBy(row)])),
    ]),
  ];
}

function shownBy({ proofs, unproved }: SpecificationRow): string {
  const tests = proofs.map(({ file, title }) => {
    const name = file.replace(/^tests\//, "").replace(/_test\.[jt]s$/, "");
    return `[${name}](../../${file}): ${title.replaceAll("<", "&lt;")}`;
  });
  return [...tests, ...(unproved === undefined ? [] : [`Not shown: ${unproved}`])].join("<br>");
}

const ROOT = new URL("../../", import.meta.url);

/** Rows without a test or a reason, and tests that are named and not there. Reads the files that are named. */
export async function missingProofs(): Promise<readonly string[]> {
  const sources = new Map<string, string | undefined>();
  const missing = new Set<string>();
  for (const { place, says, proofs, unproved } of specificationRows()) {
    if (proofs.length === 0 && unproved === undefined) missing.add(`${place}: ${says}`);
    for (const { file, title } of proofs) {
      if (!sources.has(file)) {
        sources.set(file, await Deno.readTextFile(new URL(file, ROOT)).catch(() => undefined));
      }
      const source = sources.get(file);
      // A story that several tests tell stands in a file that they share.
      const isTest = /_test\.[jt]s$/.test(file) || source?.includes("Deno.test(");
      if (!isTest || source === undefined || !titleIn(source, title)) {
        missing.add(`${file}: ${title}`);
      }
    }
  }
  return [...missing];
}

/** Finds a title where it stands in quotes; its `…` is whatever is filled in there. */
function titleIn(source: string, title: string): boolean {
  const pattern = title.split("…").map((part) => RegExp.escape(part)).join(
    "(?:\\$\\{[^`]*?\\}|\\$\\w+|%s|…)",
  );
  return new RegExp(`(["'\`])${pattern}\\1`).test(source.replaceAll('\\"', '"'));
}
