/** A shop's uploads, exports and backups. */
import { LOGO_PNG, pdfOf } from "../../core/demo_files.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";

const BUCKET = "/lovelace-books";
/** Minimum size of a part other than the last. */
const PART_BYTES = 5 * 1024 * 1024;
const decoder = new TextDecoder();

/** Objects with types and metadata, and a multipart upload. */
export const SAMPLES: readonly DemoSample[] = [
  {
    provider: "http",
    what: "The bucket lovelace-books with a picture, an export and an invoice in folders",
    async send(to) {
      await makeBucket(to);
      await put(to, "public/logo.png", { type: "image/png", body: LOGO_PNG });
      await put(to, "exports/2026/04/orders.json", {
        type: "application/json",
        body: JSON.stringify(
          [{ order: "2026-0417", customer: "Ada Lovelace", total: 24.9 }],
          null,
          2,
        ),
      });
      await put(to, "invoices/2026-0417.pdf", {
        type: "application/pdf",
        body: pdfOf(["Lovelace Books", "Invoice 2026-0417"]),
        headers: {
          "x-amz-meta-order": "2026-0417",
          "x-amz-meta-customer": "ada",
          "cache-control": "private",
        },
      });
    },
  },
  {
    provider: "http",
    what: "A backup uploaded in two parts",
    send: uploadInParts,
  },
];

function makeBucket(to: DemoTarget) {
  return to.request(BUCKET, { method: "PUT" });
}

async function put(
  to: DemoTarget,
  key: string,
  { type, body, headers }: {
    type: string;
    body: Uint8Array | string;
    headers?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  await to.request(`${BUCKET}/${key}`, {
    method: "PUT",
    headers: { "content-type": type, ...headers },
    body,
  });
}

async function uploadInParts(to: DemoTarget): Promise<void> {
  await makeBucket(to);
  const path = `${BUCKET}/backups/shop.sql.gz`;
  const { body } = await to.request(`${path}?uploads`, {
    headers: { "content-type": "application/gzip" },
  });
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(decoder.decode(body))?.[1];
  if (id === undefined) throw new Error("its response names no upload");
  const upload = encodeURIComponent(id);
  const parts = [new Uint8Array(PART_BYTES), new TextEncoder().encode("-- end of backup\n")];
  const tags: string[] = [];
  for (const [at, part] of parts.entries()) {
    const { headers } = await to.request(`${path}?partNumber=${at + 1}&uploadId=${upload}`, {
      method: "PUT",
      body: part,
    });
    tags.push(headers["etag"] ?? "");
  }
  const list = tags.map((tag, at) =>
    `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`
  ).join("");
  await to.request(`${path}?uploadId=${upload}`, {
    headers: { "content-type": "application/xml" },
    body: `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`,
  });
}
