import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { cutPage, readPage, toPage } from "./paging.ts";

/** One page of a list of numbers, highest first, by its link. */
function open(all: readonly number[], link: string): Record<string, unknown> {
  const request = readPage(new URLSearchParams(link.split("?")[1]));
  assert(request.ok);
  const cut = cutPage(all, request.value, (sid, side) => {
    const number = Number(sid.slice(2));
    const at = all.findIndex((item) => side === "after" ? item < number : item <= number);
    return at < 0 ? all.length : at;
  });
  return toPage(cut, {
    key: "items",
    path: "/list.json",
    kept: [["To", "+1 2"]],
    request: request.value,
    toRecord: (item) => item,
    toSid: (item) => `SM${item}`,
  });
}

Deno.test("following the links forth and back visits every record once, in order", () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 9 }), (count, size) => {
      const all = Array.from({ length: count }, (_, i) => count - i);
      const pages: unknown[] = [];
      let page = open(all, `/list.json?PageSize=${size}`);
      for (;;) {
        pages.push(page.items);
        if (page.next_page_uri === null) break;
        page = open(all, String(page.next_page_uri));
      }
      assertEquals(pages.flat(), all);
      assertEquals(pages.length, Math.max(1, Math.ceil(count / size)));
      for (let i = pages.length - 2; i >= 0; i--) {
        page = open(all, String(page.previous_page_uri));
        assertEquals(page.items, pages[i]);
      }
      assertEquals(page.previous_page_uri, null);
    }),
    fuzzed(),
  );
});

Deno.test("records added or removed between two pages shift nothing", () => {
  const first = open([9, 8, 7, 6, 5], "/list.json?PageSize=2");
  assertEquals(open([11, 10, 9, 7, 6, 5], String(first.next_page_uri)).items, [7, 6]);
});
