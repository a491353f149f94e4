import type { ZipReader } from "@zip.js/zip.js";

/** Bytes packed at a time. */
const PACKED_BYTES = 65_536;
/** Bytes unpacked at a time: the platform unpacks them at once, to as much as a thousand times as many. */
const UNPACKED_BYTES = 8192;

/** Loads the library for ZIP archives, which most runs never need. */
export async function loadZip(): Promise<typeof import("@zip.js/zip.js")> {
  const zip = await import("@zip.js/zip.js");
  // A worker would need a permission, and the platform's compression does not block the event loop.
  zip.configure({ useWebWorkers: false });
  return zip;
}

/** Opens an archive that may come from anybody; one at a time. */
export async function openZip(
  archive: Uint8Array,
): Promise<{ readonly reader: ZipReader<Uint8Array>; close(): Promise<void> }> {
  const { configure, Uint8ArrayReader, ZipReader } = await loadZip();
  // The library has this setting for everything only; what is packed meanwhile becomes a little longer.
  configure({ chunkSize: UNPACKED_BYTES });
  const reader = new ZipReader(new Uint8ArrayReader(archive), {
    checkSignature: true,
    useWebWorkers: false,
  });
  return {
    reader,
    async close() {
      configure({ chunkSize: PACKED_BYTES });
      await reader.close();
    },
  };
}
