/** The root of the repository, with a slash at its end. */
export const ROOT: string = new URL("../../", import.meta.url).pathname;

/** Path from the root of the repository, with forward slashes; a relative name is taken as such a path. */
export function repositoryPath(filename: string): string {
  const path = filename.replaceAll("\\", "/");
  if (path.startsWith(ROOT)) return path.slice(ROOT.length);
  return path.replace(/^(file:\/\/)?\/+/, "");
}

/** The path from the root that a relative specifier means; any other specifier stays as it is. */
export function resolveFrom(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier.replace(/^npm:/, "");
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}
