import type { AnyPlugin } from "../../core/plugin.ts";
import { code, table } from "./markdown.ts";

const INTRO = `# Checks

What is checked in captured items, and where the rules come from. [Checks](../checks.md) explains how to use them.
`;

/** `docs/reference/checks.md`: the checks of every plugin. */
export async function checksReference(plugins: readonly AnyPlugin[]): Promise<string> {
  const sections: string[] = [];
  for (const { title, checks } of plugins) {
    const topics = (await checks?.())?.topics ?? [];
    const all = topics.flatMap((topic) => topic.checks);
    if (all.length === 0) continue;
    sections.push(
      `## ${title}\n`,
      table(
        ["Check", "Level", "What it finds", "Source"],
        all.toSorted((a, b) => a.id < b.id ? -1 : 1).map(({ id, level, about, source }) => [
          code(id),
          level,
          about,
          source === undefined ? "" : `[page](${source})`,
        ]),
      ),
    );
  }
  return [INTRO, ...sections].join("\n");
}
