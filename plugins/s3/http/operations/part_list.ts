/** The parts in a completion. */
import type { Checksums, UploadPart } from "../../catalog/model.ts";
import type { Upload } from "../../catalog/upload.ts";
import { childrenOf, childText, type XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../text_body.ts";
import { algorithmsOf, CHECKSUM_ELEMENTS, checksumsFrom } from "../checksums.ts";
import { checkChildren, type Expected } from "../documents.ts";
import type { S3Request } from "../request.ts";

const PART: Expected = {
  known: ["PartNumber", "ETag", ...CHECKSUM_ELEMENTS],
  leftOut: [
    "ChecksumMD5",
    "ChecksumSHA512",
    "ChecksumXXHASH128",
    "ChecksumXXHASH3",
    "ChecksumXXHASH64",
  ],
};

/** A part as the list names it. */
export interface ListedPart {
  readonly number: number;
  /** Without quotes. */
  readonly etag: string | undefined;
  readonly checksums: Checksums;
}

/** Reads the list. Throws `MalformedXML` and `InvalidPartOrder`. */
export async function readPartList(request: S3Request): Promise<readonly ListedPart[]> {
  const root = await readXmlBody(request, { checksums: {} });
  const nodes = root === undefined ? [] : childrenOf(root, "Part");
  if (root?.name !== "CompleteMultipartUpload" || nodes.length === 0) {
    throw new S3Error(
      "MalformedXML",
      "Cannot complete: expected a CompleteMultipartUpload document that names a Part",
    );
  }
  checkChildren(root, { known: ["Part"], many: ["Part"] });
  const parts: ListedPart[] = [];
  for (const node of nodes) {
    checkChildren(node, PART);
    const number = readNumber(node);
    if (number <= (parts.at(-1)?.number ?? 0)) {
      throw new S3Error("InvalidPartOrder", `Cannot complete: part ${number} is out of order`);
    }
    parts.push({
      number,
      etag: childText(node, "ETag")?.trim().replaceAll('"', ""),
      checksums: checksumsFrom((name) => childText(node, name)),
    });
  }
  return parts;
}

function readNumber(node: XmlNode): number {
  const text = childText(node, "PartNumber")?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new S3Error("MalformedXML", `Cannot read PartNumber "${text}": expected an integer`);
}

/** Returns the parts of the list. Throws `InvalidPart`. */
export function findParts({ parts }: Upload, list: readonly ListedPart[]): UploadPart[] {
  return list.map(({ number, etag, checksums }) => {
    const part = parts.get(number);
    if (part !== undefined && part.etag === etag && agree(part.checksums, checksums)) return part;
    throw new S3Error(
      "InvalidPart",
      `Cannot complete: part ${number} was not sent, or not with this ETag and checksum`,
    );
  });
}

function agree(held: Checksums, stated: Checksums): boolean {
  return algorithmsOf(stated).every((algorithm) => held[algorithm] === stated[algorithm]);
}
