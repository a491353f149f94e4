const ROOT = new URL("../../", import.meta.url);
const PAGE = new URL("docs/reference/specification.md", ROOT);

/** One row of the specification. */
export interface SpecificationRow {
  /** `Mail, Read-back`. */
  readonly place: string;
  readonly says: string;
  /** The tests that show it; `…` in a title is a value filled in by the test. */
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** Returns `docs/reference/specification.md` with each `tests/wire/x_test.ts: title` as a link. */
export async function specificationReference(): Promise<string> {
  const page = await Deno.readTextFile(PAGE);
  return page.replaceAll(
    /(?<=\| |<br>)((?:tests\/)?([\w./-]+?)(?:_test)?\.[jt]s): /g,
    "[$2](../../$1): ",
  );
}

/** Every row of the page. */
export async function specificationRows(): Promise<readonly SpecificationRow[]> {
  const rows: SpecificationRow[] = [];
  let section = "";
  let part = "";
  for (const line of (await specificationReference()).split("\n")) {
    if (line.startsWith("### ")) section = line.slice(4);
    if (line.startsWith("#### ")) part = line.slice(5);
    const [, says, shown] = line.match(/^\| (.+?) \| (.*) \|$/) ?? [];
    if (says === undefined || /^(What|---)$/.test(says)) continue;
    const tests = shown!.replaceAll("&lt;", "<").matchAll(
      /\]\(\.\.\/\.\.\/(.+?)\): (.+?)(?=<br>|$)/g,
    );
    rows.push({
      place: `${section}, ${part}`,
      says,
      tests: Array.from(tests, ([, file, title]) => ({ file: file!, title: title! })),
    });
  }
  return rows;
}

/** Returns rows without a test, and tests that do not exist. Reads the named files. */
export async function missingTests(): Promise<readonly string[]> {
  const sources = new Map<string, string>();
  const missing = new Set<string>();
  for (const { place, says, tests } of await specificationRows()) {
    if (tests.length === 0) missing.add(`${place}: ${says}`);
    for (const { file, title } of tests) {
      const source = sources.get(file) ??
        await Deno.readTextFile(new URL(file, ROOT)).catch(() => "");
      sources.set(file, source);
      // Tests shared by several files are in a support file.
      const isTest = /_test\.[jt]s$/.test(file) || source.includes("Deno.test(");
      if (!isTest || !titleIn(source, title)) missing.add(`${file}: ${title}`);
    }
  }
  return [...missing];
}

/** Finds a quoted title; `…` matches any value filled in by the test. */
function titleIn(source: string, title: string): boolean {
  const pattern = title.split("…").map((part) => RegExp.escape(part)).join(
    "(?:\\$\\{[^`]*?\\}|\\$\\w+|%s|…)",
  );
  return new RegExp(`(["'\`])${pattern}\\1`).test(source.replaceAll('\\"', '"'));
}
