/** Lists too long to render whole. */
import { assert, assertEquals } from "@std/assert";
import { browserTest } from "../support/browser.ts";
import type { TestService } from "../support/service.ts";

const HELD = 2000;
/** Pixels, as in lists.css. */
const ROW_HEIGHT = 62;

/** Adds events, numbered from `from`, and returns their ids. */
function fill(service: TestService, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    service.events.add("snmp", "trap", {
      type: "snmp.trap",
      summary: `Event ${from + i}`,
      payload: {},
      raw: { transport: "http", text: true, body: new Uint8Array() },
    }).id);
}

/** Whether the top row of the list is that of an event, and is rendered as such. */
const atTop = (id: string, title: string) =>
  `(() => {
  const { left, top } = document.querySelector(".list-box").getBoundingClientRect();
  const row = document.elementFromPoint(left + 60, top + ${ROW_HEIGHT / 2})?.closest(".row");
  return row?.dataset.id === ${JSON.stringify(id)} &&
    row.querySelector(".row-title").textContent === ${JSON.stringify(title)};
})()`;

const scrollTo = (row: number) =>
  `void (document.querySelector(".list-box").scrollTop = ${row * ROW_HEIGHT})`;

browserTest(
  "a long list renders only the rows in view and a few more",
  async ({ service, page, open, until }) => {
    const newestFirst = fill(service, 0, HELD).reverse();
    await open("/ui/events/");
    await page.locator(".row").first().waitFor();
    for (const row of [0, 1, 5, 6, 7, 13, 700, 707, 690, HELD - 20, 3, 0]) {
      await page.evaluate(scrollTo(row));
      await until(atTop(newestFirst[row]!, `Event ${HELD - 1 - row}`));
      const drawn = await page.locator(".row").count();
      assert(drawn >= 10 && drawn < 80, `${drawn} rows are drawn`);
    }
    const height = await page.evaluate<number>(
      `document.querySelector(".list").getBoundingClientRect().height`,
    );
    assertEquals(Math.round(height), HELD * ROW_HEIGHT);
  },
  { config: { storage: { capacity: HELD + 100 } } },
);

browserTest(
  "a long list stays in its place when events arrive, and shows what was selected, read and searched",
  async ({ service, page, open, until }) => {
    const newestFirst = fill(service, 0, HELD).reverse();
    await open("/ui/events/");
    await page.locator(".row").first().waitFor();
    await page.evaluate(scrollTo(900));
    await until(atTop(newestFirst[900]!, `Event ${HELD - 901}`));
    fill(service, HELD, 3);
    await until(`document.querySelector(".list-box").scrollTop === ${903 * ROW_HEIGHT}`);
    await until(atTop(newestFirst[900]!, `Event ${HELD - 901}`));

    const row = `.row[data-id="${newestFirst[902]}"]`;
    assertEquals(await page.locator(`${row} .unread`).count(), 1);
    await page.click(`${row} button`);
    await until(`document.querySelector('${row}.selected[aria-current=true]') !== null`);
    await until(`document.querySelector('${row} .unread') === null`);
    await page.evaluate(scrollTo(0));
    await until(`document.querySelector('${row}') === null`);
    await page.evaluate(scrollTo(903));
    await until(`document.querySelector('${row}.selected') !== null`);
    assertEquals(await page.locator(".row.selected").count(), 1);

    await page.fill("input[type=search]", "eVENT 1999");
    await until(`document.querySelectorAll(".row").length === 1`);
    await until(atTop(newestFirst[0]!, "Event 1999"));
  },
  { config: { storage: { capacity: HELD + 100 } } },
);
