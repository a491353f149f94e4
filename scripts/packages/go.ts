/**
 * The module for Go, as the folder of a module proxy (Go Modules Reference, "GOPROXY protocol"):
 * any web server, or `GOPROXY=file:///…`, serves it. The module path uses a domain that cannot be
 * registered (RFC 2606, section 2), so that it is never fetched from anywhere else.
 *
 * @module
 */
import { join } from "@std/path/join";
import config from "../../deno.json" with { type: "json" };
import { type Entry, readEntries, zip } from "./archive.ts";

const SOURCE = new URL("go/", import.meta.url);

/** Writes `standin-go-VERSION.zip` into the folder `output`. Returns its path. */
export async function packGo(output: string): Promise<string> {
  const mod = await Deno.readTextFile(new URL("go.mod", SOURCE));
  const module = /^module (\S+)$/m.exec(mod)?.[1];
  if (module === undefined) throw new Error("Cannot pack the Go module: go.mod names none");
  const version = `v${config.version}`;
  const files: Entry[] = [
    ...await readEntries(SOURCE),
    { name: "LICENSE", content: await Deno.readTextFile("LICENSE") },
  ].map((entry) => ({ ...entry, name: `${module}@${version}/${entry.name}` }));
  // A fixed time, so that the same version has the same bytes.
  const info = JSON.stringify({ Version: version, Time: "1980-01-01T00:00:00Z" });
  const folder = `${module}/@v`;
  const path = join(output, `standin-go-${config.version}.zip`);
  await Deno.writeFile(
    path,
    await zip([
      { name: `${folder}/list`, content: `${version}\n` },
      { name: `${folder}/${version}.info`, content: `${info}\n` },
      { name: `${folder}/${version}.mod`, content: mod },
      { name: `${folder}/${version}.zip`, content: await zip(files) },
    ]),
  );
  return path;
}
