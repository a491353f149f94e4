/** Short bodies of requests: XML documents and other texts. */
import { ByteGatherer } from "../../../core/bytes/gatherer.ts";
import type { MemoryLease } from "../../../core/memory/lease.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Checksums } from "../catalog/model.ts";
import type { XmlNode } from "../codec/xml.ts";
import { S3Error } from "../errors.ts";
import { readPayload, readSent, SMALL, toFull } from "./body.ts";
import { Hasher } from "./hashing.ts";
import type { SizeLimit } from "./limits.ts";
import type { S3Request } from "./request.ts";
import { hashesOf, readStated, statedChecksums, verify } from "./stated.ts";

/** Memory of a document while it is read, as a multiple of its size: every element is an object. */
const XML_WORK_FACTOR = 12;

/**
 * Reads the XML document of a request. `checksums` are those in its header fields; none if these are about something
 * else.
 */
export async function readXmlBody(
  request: S3Request,
  { checksums = statedChecksums(request.call.headers), maxBytes = Infinity }: {
    checksums?: Checksums;
    maxBytes?: number;
  } = {},
): Promise<XmlNode | undefined> {
  const most = Math.min(maxBytes, request.env.values.max_xml_bytes);
  const text = await readText(request, { checksums, maxBytes: most, code: "MalformedXML" });
  if (text === "") return undefined;
  const { readXml } = await import("../codec/xml_reader.ts");
  const root = readXml(text);
  if (root !== undefined) return root;
  throw new S3Error("MalformedXML", "Cannot read the body: it is not a well-formed XML document");
}

/** Reads a short body as text. Throws the code for a longer one. */
export async function readText(
  request: S3Request,
  { checksums = statedChecksums(request.call.headers), ...limit }: SizeLimit & {
    checksums?: Checksums;
  },
): Promise<string> {
  const stated = readStated(request, { limit, checksums });
  const hasher = new Hasher(hashesOf(stated));
  const payload = readPayload(readSent(request), stated, hasher);
  using lease = request.env.ctx.memory.lease({ gone: request.call.gone });
  const bytes = await gatherText(payload.bytes, lease, request.catalog);
  verify(stated, { ...stated.checksums, ...payload.trailers() }, hasher.finish());
  return new TextDecoder().decode(bytes);
}

async function gatherText(
  chunks: AsyncIterable<Uint8Array>,
  lease: MemoryLease,
  catalog: Catalog,
): Promise<Uint8Array> {
  const gathered = new ByteGatherer();
  const cover = async (bytes: number): Promise<void> => {
    try {
      await lease.cover(bytes);
    } catch (error) {
      throw toFull(error, catalog);
    }
  };
  for await (const chunk of chunks) {
    if (gathered.length > SMALL) await cover(gathered.bytesWith(chunk.length));
    gathered.append(chunk);
  }
  if (gathered.length > SMALL) await cover(XML_WORK_FACTOR * gathered.length);
  return gathered.view();
}
