/** Checks for stores of files and objects: content against its type, and names. */
import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import type { CheckTopic, Found } from "./check.ts";
import { isCompatible, isRecognizable, MAGIC_BYTES, typeOf } from "./magic.ts";

/** A file or object to check. */
export interface CheckedFile {
  /** Path or key, with slashes. */
  readonly name: string;
  readonly contentType: string | undefined;
  /** First bytes; absent if none are stored. */
  readonly head: Uint8Array | undefined;
  readonly size: number | undefined;
}

/** Returns the first bytes of a blob; `undefined` if it is gone. */
export async function readHead(
  blobs: BlobStore,
  blob: BlobRef | undefined,
): Promise<Uint8Array | undefined> {
  const opened = blob === undefined ? undefined : await blobs.open(blob.id);
  if (opened === undefined) return undefined;
  const reader = opened.body.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    while (length < MAGIC_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value.subarray(0, MAGIC_BYTES));
      length += value.length;
    }
  } finally {
    await reader.cancel();
  }
  const head = new Uint8Array(
    Math.min(MAGIC_BYTES, parts.reduce((sum, part) => sum + part.length, 0)),
  );
  let at = 0;
  for (const part of parts) {
    const fits = part.subarray(0, head.length - at);
    head.set(fits, at);
    at += fits.length;
  }
  return head;
}

/** Names of Windows devices, with or without an extension. */
const DEVICE = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)/i;
const WINDOWS = "https://learn.microsoft.com/windows/win32/fileio/naming-a-file";
/** Maximum length of a file name on most systems, in bytes. */
const MAX_NAME = 255;

/** Returns the checks of content types and names; `plugin` begins their ids. */
export function fileTopic(plugin: string): CheckTopic<CheckedFile> {
  const [type, name, empty] = ["content_type", "name", "empty"].map((id) => `${plugin}.${id}`) as [
    string,
    string,
    string,
  ];
  return {
    checks: [
      {
        id: type,
        level: "warning",
        about: "The first bytes of the content show a different type than the declared one",
        source: "https://mimesniff.spec.whatwg.org/",
      },
      {
        id: name,
        level: "warning",
        about: "Windows or another system cannot store a file of this name",
        source: WINDOWS,
      },
      { id: empty, level: "info", about: "The content is empty" },
    ],
    *find(file) {
      yield* ofType(type, file);
      for (const part of file.name.split("/").filter(Boolean)) {
        const why = whyNot(part);
        if (why !== undefined) {
          yield {
            id: name,
            message: `${JSON.stringify(part.slice(0, 100))} ${why}`,
            where: { part: "name", path: file.name },
          };
        }
      }
      if (file.size === 0) yield { id: empty, message: "The content has no bytes" };
    },
  };
}

function* ofType(id: string, { contentType: declared, head }: CheckedFile): Generator<Found> {
  if (declared === undefined || head === undefined || head.length === 0) return;
  const shown = typeOf(head);
  if (shown !== undefined) {
    if (!isCompatible(shown, declared)) {
      yield { id, message: `Declared as ${declared}, but the content looks like ${shown}` };
    }
  } else if (isRecognizable(declared)) {
    yield { id, message: `Declared as ${declared}, but the content does not look like it` };
  }
}

function whyNot(name: string): string | undefined {
  if (/[<>:"|?*\\]/.test(name)) {
    return 'has a character that Windows does not allow: < > : " | ? * \\';
  }
  if (/\p{Cc}/u.test(name)) return "has a control character";
  if (DEVICE.test(name)) return "is the name of a device on Windows";
  if (/[. ]$/.test(name)) return "ends in a dot or space, which Windows drops";
  if (name !== name.normalize("NFC")) {
    return "is not in Unicode normalization form C: other systems take it for another name than it looks like";
  }
  const { length } = new TextEncoder().encode(name);
  return length > MAX_NAME ? `has ${length} bytes; at most ${MAX_NAME} on most systems` : undefined;
}
