/** Loads the library for ZIP archives, which most runs never need. */
export async function loadZip(): Promise<typeof import("@zip.js/zip.js")> {
  const zip = await import("@zip.js/zip.js");
  // A worker would need a permission, and the platform's compression does not block the event loop.
  zip.configure({ useWebWorkers: false });
  return zip;
}
