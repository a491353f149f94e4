/** Writes a file that only its owner may read, whole or not at all; the folder is made if need be, likewise private. */
export async function writePrivate(folder: string, name: string, text: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${folder}/.${name}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(temporary, text, { mode: 0o600, createNew: true });
    await Deno.rename(temporary, `${folder}/${name}`);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

/** `undefined` when there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
