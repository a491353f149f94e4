/** Edits the files with lists: `plugins/standard.ts` and a plugin's `mod.ts`. */

/** Adds an import after the last one. Throws if the file has none. */
export function addImport(source: string, line: string): string {
  const last = [...source.matchAll(/^import [^;]*;$/gm)].at(-1);
  if (last === undefined) throw new Error(`Cannot add "${line}": the file has no imports`);
  const at = last.index + last[0].length;
  return `${source.slice(0, at)}\n${line}${source.slice(at)}`;
}

/** Adds an element to the array that `before` introduces. Throws if there is none. */
export function addElement(source: string, before: string, element: string): string {
  const at = source.indexOf(before);
  const open = at < 0 ? -1 : source.indexOf("[", at + before.length);
  const close = open < 0 ? -1 : source.indexOf("]", open);
  if (close < 0) throw new Error(`Cannot add ${element}: "${before}" has no array`);
  const held = source.slice(open + 1, close).trim().replace(/,$/, "");
  const list = held === "" ? element : `${held}, ${element}`;
  return `${source.slice(0, open + 1)}${list}${source.slice(close)}`;
}

/** Adds a sample that sends the example of a provider. Throws unless the samples are one list. */
export function addSample(
  source: string,
  { id, vendor }: { readonly id: string; readonly vendor: string },
): string {
  const begin = source.indexOf("SAMPLES: readonly DemoSample[] = [");
  const end = begin < 0 ? -1 : source.indexOf("\n];", begin);
  if (end < 0) throw new Error("Cannot add a sample: expected a list SAMPLES in demo.ts");
  const sample = `
  {
    provider: "${id}",
    what: "A message sent with ${vendor}",
    async send(to) {
      await to.request(
        ${id}Path,
        jsonRequest(${id}Example, { authorization: \`Bearer \${settingOr(to, "api_key", "demo")}\` }),
      );
    },
  },`;
  const added = `${source.slice(0, end)}${sample}${source.slice(end)}`;
  const imported = addImport(
    added,
    `import { EXAMPLE as ${id}Example, SEND_PATH as ${id}Path } from "./${id}/snippets.ts";`,
  );
  return addNames(imported, "../../core/demo.ts", ["jsonRequest", "settingOr"]);
}

/** Adds names to an import. Throws if there is none from there. */
function addNames(source: string, from: string, names: readonly string[]): string {
  const found = new RegExp(`import \\{([^}]*)\\} from "${RegExp.escape(from)}";`).exec(source);
  if (found === null) throw new Error(`Cannot import ${names.join(", ")}: expected "${from}"`);
  const held = found[1]!.split(",").map((name) => name.trim()).filter((name) => name !== "");
  const all = [...new Set([...held, ...names])].sort();
  return source.replace(found[0], `import { ${all.join(", ")} } from "${from}";`);
}

/** Returns the type of a plugin's state, and the file it is imported from. */
export function readState(source: string): { readonly type: string; readonly from: string } {
  const type = /definePlugin<(\w+)>/.exec(source)?.[1];
  if (type === undefined) {
    throw new Error('Cannot read the state type: expected "definePlugin<State>" in mod.ts');
  }
  const from = [...source.matchAll(/^import ([^;]*) from "([^"]+)";$/gm)]
    .find(([, names = ""]) => new RegExp(`\\b${type}\\b`).test(names))?.[2];
  if (from === undefined) throw new Error(`Cannot find out where mod.ts has ${type} from`);
  return { type, from };
}
