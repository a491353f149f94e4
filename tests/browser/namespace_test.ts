import { assertEquals } from "@std/assert";
import { browserTest, type Stage } from "../support/browser.ts";

const CHOICE = ".nav-namespace select";

async function send(
  { service }: Stage,
  namespace: string | undefined,
  text: string,
): Promise<void> {
  const answer = await fetch(`${service.ingress.url}/services/T0/B0/x`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(namespace === undefined ? {} : { "x-standin-namespace": namespace }),
    },
    body: JSON.stringify({ text }),
  });
  assertEquals(await answer.text(), "ok");
}

const titles = async ({ page }: Stage): Promise<string[]> =>
  (await page.locator(".row").allInnerTexts()).map((text) =>
    /(red|blue|plain) \d/.exec(text)?.[0] ?? text
  );

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `a namespace limits lists, counts, live arrivals and clearing, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open, until } = stage;
      const choose = (name: string) => page.selectOption(CHOICE, name);
      await open("/ui/events/");
      assertEquals(await page.locator(CHOICE).count(), 0);
      await send(stage, undefined, "plain 1");
      await send(stage, "red", "red 1");
      await until(`document.querySelectorAll(".row").length === 2`);
      await send(stage, "blue", "blue 1");
      await until(`document.querySelectorAll(".nav-namespace option").length === 3`);
      await choose("red");
      await until(`document.querySelectorAll(".row").length === 1`);
      assertEquals(await titles(stage), ["red 1"]);
      await send(stage, "blue", "blue 2");
      await send(stage, "red", "red 2");
      await until(`document.querySelectorAll(".row").length === 2`);
      assertEquals(await titles(stage), ["red 2", "red 1"]);
      await open("/ui/events/");
      await page.locator(".row").first().waitFor();
      assertEquals(await titles(stage), ["red 2", "red 1"]);
      service.clear(undefined, { namespace: "blue" });
      await send(stage, "red", "red 3");
      await until(`document.querySelectorAll(".row").length === 3`);
      service.clear(undefined, { namespace: "red" });
      await until(`document.querySelectorAll(".row").length === 0`);
      await choose("");
      await until(`document.querySelectorAll(".row").length === 1`);
      assertEquals(await titles(stage), ["plain 1"]);
      assertEquals(stage.foreign, []);
    },
    { scheme },
  );
}

browserTest("clearing a list in the browser leaves other namespaces alone", async (stage) => {
  const { page, service, open, until } = stage;
  await send(stage, "red", "red 1");
  await send(stage, "blue", "blue 1");
  await open("/ui/chat/");
  await page.selectOption(CHOICE, "red");
  await until(`document.querySelectorAll(".nav-count").length > 0`);
  await open("/ui/events/");
  await page.locator(".row").first().waitFor();
  await page.click('[aria-label^="Clear"]');
  await page.click("dialog .button.danger");
  await until(`document.querySelectorAll(".row").length === 0`);
  assertEquals(service.list().map(({ namespace }) => namespace), ["blue"]);
});
