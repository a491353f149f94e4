import { assertEquals } from "@std/assert";
import { readPages } from "./paged.js";

const SIZE = 50;

/** @param {number} from @param {number} to */
const numbers = (from, to) => Array.from({ length: from - to + 1 }, (_, at) => from - at);

/** @param {number} count newest first */
const held = (count) => numbers(count, 1).map((number) => ({ id: String(number) }));

/**
 * Reads what is held; `then` is called after each page is made, with its number.
 * @param {{ id: string }[]} entries
 * @param {(number: number) => void} [then]
 * @param {number} [most]
 */
async function read(entries, then, most) {
  let pages = 0;
  const list = await readPages((offset) => {
    const page = entries.slice(offset, offset + SIZE);
    then?.(++pages);
    return Promise.resolve(page);
  }, { size: SIZE, most, keep: ({ id }) => Number(id) });
  return { list, pages };
}

Deno.test("a long list is read in pages, each entry once", async () => {
  for (const count of [0, 1, 49, 50, 51, 170]) {
    assertEquals((await read(held(count))).list, numbers(count, 1));
  }
});

Deno.test("no more is read than is wanted", async () => {
  const { list, pages } = await read(held(170), () => {}, 60);
  assertEquals([list, pages], [numbers(170, 111), 2]);
  assertEquals((await read(held(170), undefined, 7)).list, numbers(170, 164));
  assertEquals((await read(held(3), undefined, 7)).list, numbers(3, 1));
});

Deno.test("entries that come in front meanwhile neither hide nor repeat one", async () => {
  const entries = held(170);
  const { list } = await read(entries, (page) => entries.unshift({ id: String(170 + page) }));
  assertEquals(list, numbers(170, 1));
});

Deno.test("no entry is missed when others before it are removed meanwhile", async () => {
  const entries = held(170);
  const { list } = await read(entries, (page) => page === 2 && entries.splice(10, 40));
  assertEquals(list, numbers(170, 1));
});

Deno.test("a list that is cleared meanwhile ends", async () => {
  const entries = held(170);
  assertEquals((await read(entries, () => entries.splice(0))).pages, 3);
});
