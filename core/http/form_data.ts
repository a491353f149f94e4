import { WireError } from "../bytes/decoder.ts";
import { type FormFields, formFields } from "../codec/form.ts";

/** Maximum number of parts of a form; clients send a few dozen, and each costs as much as a kilobyte of text. */
const MAX_PARTS = 1000;

/** A file of a form. */
export interface FormFile {
  /** Name of the form field. */
  readonly name: string;
  readonly filename: string;
  /** Empty if the part states none. */
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A form with its files. */
export interface FilledForm {
  readonly fields: FormFields;
  /** In the order received. */
  readonly files: readonly FormFile[];
}

/**
 * Parses `multipart/form-data` (RFC 7578) and returns its text fields, without files. Throws
 * `WireError` for more than 1000 parts, and `TypeError` for an invalid form.
 */
export async function decodeFormData(body: Uint8Array, contentType: string): Promise<FormFields> {
  const parts = await readParts(body, contentType);
  return formFields(parts.filter((part): part is [string, string] => typeof part[1] === "string"));
}

/** As `decodeFormData`, with the files. */
export async function decodeFormFiles(body: Uint8Array, contentType: string): Promise<FilledForm> {
  const parts = await readParts(body, contentType);
  const files: FormFile[] = [];
  for (const [name, value] of parts) {
    if (typeof value === "string") continue;
    files.push({
      name,
      filename: value.name,
      contentType: value.type,
      bytes: new Uint8Array(await value.arrayBuffer()),
    });
  }
  const fields = formFields(
    parts.filter((part): part is [string, string] => typeof part[1] === "string"),
  );
  return { fields, files };
}

async function readParts(
  body: Uint8Array,
  contentType: string,
): Promise<readonly [string, FormDataEntryValue][]> {
  const boundary = /boundary="?([^";,]+)/i.exec(contentType)?.[1];
  if (boundary !== undefined && occursMoreThan(MAX_PARTS + 1, body, `--${boundary}`)) {
    throw new WireError("limit", `the form has more than ${MAX_PARTS} parts`);
  }
  const form = await new Response(body as Uint8Array<ArrayBuffer>, {
    headers: { "content-type": contentType },
  }).formData();
  return [...form];
}

function occursMoreThan(times: number, body: Uint8Array, word: string): boolean {
  const text = new TextDecoder("latin1").decode(body);
  let at = -1;
  for (let count = 0; (at = text.indexOf(word, at + 1)) >= 0;) {
    if (++count > times) return true;
  }
  return false;
}
