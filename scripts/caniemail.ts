/**
 * `deno run -A scripts/caniemail.ts FOLDER DATE`: writes `plugins/mail/checks/html/support.json` from the features of a
 * checkout of github.com/hteumeuleu/caniemail (MIT), and the date of its commit, such as 2026-06-29.
 *
 * @module
 */

const OUT = new URL("../plugins/mail/checks/html/support.json", import.meta.url);

/** Support of one feature by family, platform and version, the oldest version first. */
type Stats = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

/** The object after a key of the front matter, which is JSON apart from commas before closing brackets. */
function readObject(text: string, key: string): unknown {
  const start = text.indexOf("{", text.indexOf(`\n${key}:`));
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) {
      const json = text.slice(start, at + 1).replace(/([{,]\s*)([\w-]+)\s*:/g, '$1"$2":')
        .replace(/,(\s*})/g, "$1").replace(/("|})(\s*\n\s*")/g, "$1,$2");
      return JSON.parse(json);
    }
  }
  throw new SyntaxError(`Cannot find the end of ${key}`);
}

/** Support of the newest version: by date if versions are dates, else by order in the file. */
function newest(versions: Readonly<Record<string, string>>): string {
  return Object.values(versions).at(-1)?.[0] ?? "u";
}

async function main([folder, date]: readonly string[]): Promise<void> {
  const stats = new Map<string, { title: string; stats: Stats }>();
  const clients = new Set<string>();
  for await (const { name } of Deno.readDir(`${folder}/_features`)) {
    if (!name.endsWith(".md") || name.startsWith("_")) continue;
    const text = await Deno.readTextFile(`${folder}/_features/${name}`);
    const title = /^title:\s*"((?:[^"\\]|\\.)*)"/m.exec(text)?.[1]?.replaceAll('\\"', '"') ?? name;
    const read = readObject(text, "stats") as Stats;
    stats.set(name.replace(/\.md$/, ""), { title: title.trim(), stats: read });
    for (const [family, platforms] of Object.entries(read)) {
      for (const platform of Object.keys(platforms)) clients.add(`${family}.${platform}`);
    }
  }
  const columns = [...clients].sort();
  const features = [...stats].sort(([a], [b]) => a < b ? -1 : 1).map(([slug, { title, stats }]) => [
    slug,
    {
      title,
      support: columns.map((client) => {
        const [family = "", platform = ""] = client.split(".");
        const versions = stats[family]?.[platform];
        return versions === undefined ? "u" : newest(versions);
      }).join(""),
    },
  ]);
  const nicenames = await Deno.readTextFile(`${folder}/_data/nicenames.yml`);
  const names = Object.fromEntries(
    [...nicenames.matchAll(/^ {2}([\w-]+): "(.*)"$/gm)].map(([, key, name]) => [key!, name!]),
  );
  const data = {
    source: "https://www.caniemail.com",
    licence: await Deno.readTextFile(`${folder}/LICENSE`),
    date,
    clients: columns.map((client) => {
      const [family = "", platform = ""] = client.split(".");
      return { id: client, family: names[family] ?? family, platform: names[platform] ?? platform };
    }),
    features: Object.fromEntries(features),
  };
  await Deno.writeTextFile(OUT, `${JSON.stringify(data, null, 1)}\n`);
}

if (import.meta.main) await main(Deno.args);
