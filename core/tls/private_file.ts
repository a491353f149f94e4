/** Writes a file that only its owner may read, completely or not at all; creates a private folder if necessary. */
export async function writePrivate(folder: string, name: string, text: string): Promise<void> {
  await viaTemporary(
    folder,
    { name, text },
    (temporary) => Deno.rename(temporary, `${folder}/${name}`),
  );
}

/** The same for a new file; returns false if it exists, and leaves it unchanged. */
export async function writePrivateOnce(
  folder: string,
  name: string,
  text: string,
): Promise<boolean> {
  return await viaTemporary(folder, { name, text }, async (temporary) => {
    try {
      // Unlike a rename, a link never replaces a file.
      await Deno.link(temporary, `${folder}/${name}`);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      // Some file systems have no links.
      await Deno.rename(temporary, `${folder}/${name}`);
      return true;
    } finally {
      await Deno.remove(temporary).catch(() => {});
    }
  });
}

async function viaTemporary<T>(
  folder: string,
  { name, text }: { readonly name: string; readonly text: string },
  publish: (temporary: string) => Promise<T>,
): Promise<T> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${folder}/.${name}.${crypto.randomUUID()}`;
  try {
    await Deno.writeTextFile(temporary, text, { mode: 0o600, createNew: true });
    return await publish(temporary);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

/** Returns `undefined` if there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
