import { assertEquals } from "@std/assert";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { createIds, randomBits } from "../../core/ids.ts";
import type { Attachment } from "./model.ts";
import { withPictures } from "./pictures.ts";

async function mailWith(
  parts: readonly (Pick<Attachment, "content_id" | "content_type"> & { text: string })[],
) {
  const nextId = createIds({ nowMs: () => Date.now(), random: randomBits() });
  const blobs = new MemoryBlobStore({ maxBytes: 1000, nextId, onDrop: () => {} });
  const attachments: Attachment[] = [];
  for (const { text, ...about } of parts) {
    const blob = await blobs.put(new TextEncoder().encode(text));
    attachments.push({ blob, size: blob.size, inline: true, ...about });
  }
  return { mail: { attachments }, blobs };
}

Deno.test("withPictures() replaces each Content-ID with its picture", async () => {
  const { mail, blobs } = await mailWith([
    { content_id: "a", content_type: 'image/png; name="a b,c.png"', text: "A" },
    { content_id: "b", content_type: "no type", text: "B" },
    { content_id: "a", content_type: "image/gif", text: "second of that name" },
    { text: "no name" },
  ]);
  assertEquals(
    await withPictures(
      `<img src="cid:a"><img srcset="cid:b 2x, cid:z 3x"><a href="cid:a">a</a><img src="cid:">`,
      mail,
      { blobs },
    ),
    `<img src="data:image/png;base64,QQ=="><img srcset="data:application/octet-stream;base64,Qg== 2x, cid:z 3x">` +
      `<a href="cid:a">a</a><img src="cid:">`,
  );
});

Deno.test("withPictures() leaves out a picture whose bytes are gone", async () => {
  const { mail, blobs } = await mailWith([{ content_id: "a", text: "A" }]);
  await blobs.remove(mail.attachments[0]!.blob.id);
  const html = `<img src="cid:a">`;
  assertEquals(await withPictures(html, mail, { blobs }), html);
});

Deno.test("withPictures() counts a picture each time it is shown, and stops at the limit", async () => {
  const { mail, blobs } = await mailWith([
    { content_id: "a", content_type: "image/png", text: "A" },
    { content_id: "big", content_type: "image/png", text: "B".repeat(100) },
  ]);
  const url = "data:image/png;base64,QQ==";
  const html = `<img src="cid:a">`.repeat(3) + `<img src="cid:big">`;
  assertEquals(
    await withPictures(html, mail, { blobs, maxChars: 2 * url.length }),
    `<img src="${url}">`.repeat(2) + `<img src="cid:a"><img src="cid:big">`,
  );
});
