/** The library for ZIP archives, loaded when one is first wanted: most runs never do. */
export async function loadZip(): Promise<typeof import("@zip.js/zip.js")> {
  const zip = await import("@zip.js/zip.js");
  // A worker would need a permission, and the platform's own compression does not hold up the event loop anyway.
  zip.configure({ useWebWorkers: false });
  return zip;
}
