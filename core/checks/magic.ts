/** Media types by first bytes, for the formats that these identify. */

/** Number of bytes examined. */
export const MAGIC_BYTES = 512;

const SIGNATURES: readonly (readonly [type: string, hex: string, at?: number])[] = [
  ["image/png", "89504e470d0a1a0a"],
  ["image/jpeg", "ffd8ff"],
  ["image/gif", "47494638"],
  ["image/webp", "57454250", 8],
  ["image/bmp", "424d"],
  ["image/tiff", "49492a00"],
  ["image/tiff", "4d4d002a"],
  ["application/pdf", "255044462d"],
  ["application/zip", "504b0304"],
  ["application/gzip", "1f8b"],
  ["application/x-7z-compressed", "377abcaf271c"],
  ["application/x-rar-compressed", "526172211a07"],
  ["video/mp4", "66747970", 4],
  ["audio/mpeg", "494433"],
  ["audio/ogg", "4f676753"],
  ["application/vnd.sqlite3", "53514c69746520666f726d61742033"],
];

/** Formats inside others: an office document is a ZIP archive. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  "application/zip":
    /zip|officedocument|opendocument|epub|java-archive|android|jar|x-xpinstall|apple\.(pages|numbers|keynote)|octet-stream/,
  "application/gzip": /gzip|tar|tgz|octet-stream/,
  "video/mp4": /mp4|quicktime|3gpp|heic|heif|avif|m4a|octet-stream/,
  "audio/ogg": /ogg|opus|octet-stream/,
  "image/tiff": /tiff|dng|raw|octet-stream/,
};

/** Returns the type that the first bytes identify; `undefined` for all other content. */
export function typeOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(([, hex, at = 0]) =>
    bytes.subarray(at, at + hex.length / 2).toHex() === hex
  )?.[0];
}

/** Returns whether content of one type may be declared as another. */
export function isCompatible(shown: string, declared: string): boolean {
  const type = declared.toLowerCase().split(";", 1)[0]!.trim();
  if (type === shown || type === "application/octet-stream" || type === "binary/octet-stream") {
    return true;
  }
  if (type === "image/jpg" && shown === "image/jpeg") return true;
  return CONTAINERS[shown]?.test(type) === true || type === `application/x-${shown.split("/")[1]}`;
}

/** Returns whether {@link typeOf} can identify a type. */
export function isRecognizable(declared: string): boolean {
  const type = declared.toLowerCase().split(";", 1)[0]!.trim();
  return SIGNATURES.some(([known]) => known === type);
}
