import type { AssetMap } from "../http/assets.ts";

/** The UI files, each read from `folder` when it is asked for: what is saved in an editor is served at once. */
export function folderAssets(built: AssetMap, folder: string): AssetMap {
  return new FolderAssets(built, folder);
}

class FolderAssets extends Map<string, string> {
  readonly #folder: string;

  constructor(built: AssetMap, folder: string) {
    super(built);
    this.#folder = folder;
  }

  /** Only names that are built in: a request cannot name any other file. */
  override get(name: string): string | undefined {
    const built = super.get(name);
    if (built === undefined) return undefined;
    try {
      return Deno.readTextFileSync(`${this.#folder}/${name}`);
    } catch (error) {
      // Files that come from packages are not in the folder.
      if (error instanceof Deno.errors.NotFound) return built;
      throw error;
    }
  }
}
