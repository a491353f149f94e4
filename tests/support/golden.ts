import { assertEquals } from "@std/assert";
import { isSet } from "./settings.ts";

/**
 * Compares text with a golden file. `deno test` with `UPDATE_GOLDEN=1` writes the file instead;
 * review it before you commit it.
 */
export async function assertGolden(actual: string, file: URL): Promise<void> {
  if (isSet("UPDATE_GOLDEN", "1")) {
    await Deno.mkdir(new URL("./", file), { recursive: true });
    await Deno.writeTextFile(file, actual);
    return;
  }
  assertEquals(actual, await readGolden(file), `Differs from ${file.pathname}`);
}

async function readGolden(file: URL): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(
      `Cannot compare with ${file.pathname}: run once with UPDATE_GOLDEN=1 to make it`,
    );
  }
}
