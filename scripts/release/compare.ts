/** Compares two builds of a release. */
import { exists, sha256 } from "./machine.ts";

/** A file of the first build. */
export interface Compared {
  /** Path below the folder of the build. */
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Whether the second build has the same bytes. */
  readonly same: boolean;
}

/** Compares every file below the folder `first` with that of the same name below `second`. */
export async function compareFolders(first: string, second: string): Promise<readonly Compared[]> {
  const names = await Array.fromAsync(filesBelow(first, ""));
  const compared: Compared[] = [];
  for (const name of names.toSorted()) {
    const own = await sha256(`${first}/${name}`);
    const other = await exists(`${second}/${name}`) ? await sha256(`${second}/${name}`) : undefined;
    const { size } = await Deno.stat(`${first}/${name}`);
    compared.push({ name, bytes: size, sha256: own, same: own === other });
  }
  return compared;
}

async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(`${root}/${folder}`)) {
    if (isDirectory) yield* filesBelow(root, `${folder}${name}/`);
    else yield folder + name;
  }
}
