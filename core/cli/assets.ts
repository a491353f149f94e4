import type { AssetMap } from "../http/assets.ts";
import type { UiFiles } from "./base/command.ts";

/** The UI files, each read from `folder` on every request, so that edits show at once. */
export function folderAssets(ui: UiFiles, folder: string): AssetMap {
  return new FolderAssets(ui, folder);
}

class FolderAssets extends Map<string, string> implements AssetMap {
  readonly isLive = true;
  readonly #folder: string;
  readonly #toServed: (name: string, text: string) => string;

  constructor(ui: UiFiles, folder: string) {
    super(ui.assets);
    this.#folder = folder;
    this.#toServed = ui.toServed ?? ((_name, text) => text);
  }

  /** Only names that are built in: a request cannot name any other file. */
  override get(name: string): string | undefined {
    const built = super.get(name);
    if (built === undefined) return undefined;
    try {
      return this.#toServed(name, Deno.readTextFileSync(`${this.#folder}/${name}`));
    } catch (error) {
      // Files that come from packages are not in the folder.
      if (error instanceof Deno.errors.NotFound) return built;
      throw error;
    }
  }
}
