import { toServed } from "./library.ts";

/**
 * The files of `folder` as they are at the moment of each request, for work on the user interface; libraries, and
 * whatever else is not there, come from `embedded`. Names that lead out of the folder are not looked up.
 */
export function diskAssets(
  folder: string,
  embedded: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const assets = new Map(embedded);
  assets.get = (name) => readFile(folder, name) ?? embedded.get(name);
  assets.has = (name) => assets.get(name) !== undefined;
  return assets;
}

function readFile(folder: string, name: string): string | undefined {
  if (!/^(?:\w[\w-]*\/)*\w[\w-]*\.\w+$/.test(name)) return undefined;
  try {
    return toServed(name, Deno.readTextFileSync(`${folder}/${name}`));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
