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
