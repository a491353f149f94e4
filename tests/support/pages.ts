/**
 * The fenced blocks of README.md and of every page below docs, and which test runs each of them.
 *
 * @module
 */
const ROOT = new URL("../../", import.meta.url);

/** A fenced block of a page. */
export interface Block {
  /** Path of the page, such as `docs/tls.md`. */
  readonly page: string;
  /** Text of the closest heading above it, without `#`. */
  readonly heading: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly lang: string;
  /** File name of the block, if it has one: `app.mjs`. */
  readonly file: string;
  readonly code: string;
}

/** Where a block that no test in `tests/docs` runs is run instead, or why it cannot run. */
interface Elsewhere {
  readonly page: string;
  /** Every heading of the page by default. */
  readonly heading?: string;
  /** Every language by default. */
  readonly lang?: string;
  /** Text of the block, to distinguish it from others under the heading. */
  readonly has?: string;
  readonly reason: string;
}

/** Blocks that cannot run here. One that was removed from its page must be removed here, too. */
export const NOT_RUN: readonly Elsewhere[] = [
  {
    page: "README.md",
    heading: "Point your SDK here",
    lang: "js",
    reason: "one line out of each program of docs/plugins, which are run",
  },
  { page: "README.md", heading: "Work on it", reason: "it is what runs this" },
  { page: "docs/install.md", heading: "In a container", reason: "needs Docker" },
  {
    page: "docs/install.md",
    heading: "Today, from a checkout",
    reason:
      "takes minutes; tests/scripts/release_dry_run_test.ts tries the steps of the last command",
  },
  {
    page: "docs/install.md",
    heading: "With npm",
    reason: "needs a published package; tests/scripts/release_npm_test.ts installs a packed one",
  },
  { page: "docs/nfs.md", lang: "sh", reason: "needs Docker" },
  { page: "docs/agents.md", lang: "sh", reason: "needs the command line of an agent" },
  {
    page: "docs/plugins/files.md",
    heading: "nfs",
    has: "sudo mount",
    reason: "needs root; tests/clients/nfs_mount_test.ts mounts where it may",
  },
  {
    page: "docs/plugins/as2.md",
    lang: "xml",
    reason: "a part of a file; tests/clients/as2_java_test.ts gives it to OpenAS2",
  },
  { page: "docs/reference/architecture.md", lang: "mermaid", reason: "a drawing" },
  { page: "docs/frameworks.md", reason: "needs each framework, and Docker for Testcontainers" },
];

/** Commands in a block with `task serve` that are not run, because the test starts the program. */
export const NOT_RUN_TASKS: readonly string[] = ["test"];

/** Kind of test that runs a block. */
export type Runner =
  | "shell_test.ts"
  | "sdk_test.ts"
  | "settings_test.ts"
  | "typescript_test.ts"
  | "deno test --doc"
  | "testing_snippets_test.ts"
  | "a copy";

/** Returns the test that runs a block that is not in `NOT_RUN`; `undefined` without one. */
export function runnerOf({ page, lang, file }: Block): Runner | undefined {
  // Generated from the same declarations as docs/plugins; every_block_test.ts compares them.
  if (page === "docs/reference/providers.md") return "a copy";
  if (page === "docs/testing.md" && file !== "") return "testing_snippets_test.ts";
  if (lang === "ts") {
    return ["README.md", "docs/library.md"].includes(page)
      ? "deno test --doc"
      : "typescript_test.ts";
  }
  if (lang === "sh") return "shell_test.ts";
  if (["toml", "json", "yaml"].includes(lang)) return "settings_test.ts";
  const ofSdk = page.startsWith("docs/plugins/") && ["js", "python"].includes(lang);
  return ofSdk ? "sdk_test.ts" : undefined;
}

/** Returns whether an entry of the table applies to a block. */
export function isAbout(line: Elsewhere, { page, heading, lang, code }: Block): boolean {
  return line.page === page && (line.heading ?? heading) === heading &&
    (line.lang ?? lang) === lang && code.includes(line.has ?? "");
}

/** Returns the blocks that a test must run, in page order. */
export async function blocksOf(runner: Runner): Promise<readonly Block[]> {
  return (await readBlocks()).filter((block) =>
    runnerOf(block) === runner && !NOT_RUN.some((line) => isAbout(line, block))
  );
}

/** `docs/tls.md:22 (Trust the CA)`, for messages. */
export function nameOf({ page, line, heading }: Block): string {
  return `${page}:${line} (${heading})`;
}

/** Returns every block of every page. Throws if a fence is not closed. */
export async function readBlocks(): Promise<readonly Block[]> {
  const pages = ["README.md", ...await pagesBelow("docs")];
  const texts = await Promise.all(pages.map((page) => Deno.readTextFile(new URL(page, ROOT))));
  return pages.flatMap((page, index) => [...blocksIn(page, texts[index]!)]);
}

async function pagesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(`${folder}/`, ROOT))) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await pagesBelow(path));
    if (name.endsWith(".md")) found.push(path);
  }
  return found.sort();
}

function* blocksIn(page: string, text: string): Generator<Block> {
  let heading = "";
  let open: Block & { readonly fence: string } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (open !== undefined) {
      if (line.trim() === open.fence) {
        const { fence: _, ...block } = open;
        yield block;
        open = undefined;
      } else open = { ...open, code: `${open.code}${line}\n` };
      continue;
    }
    heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    const [, fence, lang = "", file = ""] = /^\s*(`{3,}|~{3,})(\w*) ?(.*)$/.exec(line) ?? [];
    if (fence !== undefined) open = { page, heading, line: index + 1, lang, file, fence, code: "" };
  }
  if (open !== undefined) throw new Error(`Cannot read ${nameOf(open)}: it does not end`);
}
