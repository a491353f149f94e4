/** The root of the repository, with a slash at its end. */
export const ROOT: string = new URL("../../", import.meta.url).pathname;

/** Returns a path from the root of the repository, with forward slashes; relative names count from the root. */
export function repositoryPath(filename: string): string {
  const path = filename.replaceAll("\\", "/");
  if (path.startsWith(ROOT)) return path.slice(ROOT.length);
  return path.replace(/^(file:\/\/)?\/+/, "");
}

/** Resolves a relative specifier to a path from the root; returns any other specifier as is. */
export function resolveFrom(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier.replace(/^npm:/, "");
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}
