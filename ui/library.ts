/**
 * Makes the user interface's files ready to be served. Its modules import libraries by their package names, which a
 * browser cannot resolve without an inline import map, and the page's policy allows nothing inline: so the names are
 * replaced by the URLs under which the libraries are served.
 */

/** Libraries of the user interface: package name to the name under which it is served. */
export const LIBRARIES: ReadonlyMap<string, string> = new Map([
  ["@preact/signals", "library/signals.js"],
  ["@preact/signals-core", "library/signals-core.js"],
  ["htm", "library/htm.js"],
  ["preact", "library/preact.js"],
  ["preact/hooks", "library/hooks.js"],
]);

const IMPORT = /(\bfrom\s*|\bimport\s*)(["'])([@\w][\w./@-]*)\2/g;
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/m;

/**
 * The file's text as served: with package names replaced, and without a link to a missing source
 * map.
 */
export function toServed(name: string, text: string): string {
  if (!name.endsWith(".js")) return text;
  return text.replace(SOURCE_MAP, "").replace(IMPORT, (whole, lead, quote, specifier) => {
    const served = LIBRARIES.get(specifier);
    return served === undefined ? whole : `${lead}${quote}/ui/assets/${served}${quote}`;
  });
}

/**
 * Files by name, as served. The shell names the modules in `early`, so that the browser fetches them at once, not one
 * level of imports after the other.
 */
export function toAssets(
  files: readonly (readonly [name: string, text: string])[],
  early: readonly string[] = [],
): ReadonlyMap<string, string> {
  const links = early.map((name) => `<link rel="modulepreload" href="/ui/assets/${name}">\n    `);
  return new Map(files.map(([name, text]) => {
    const served = toServed(name, text);
    if (name !== "index.html") return [name, served];
    return [name, served.replace('<script type="module"', `${links.join("")}$&`)];
  }));
}
