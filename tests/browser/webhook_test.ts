import { assertEquals, assertStringIncludes } from "@std/assert";
import { webhook } from "../../plugins/webhook/mod.ts";
import { browserTest } from "../support/browser.ts";

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `requests are listed live, filtered and shown in full, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open, until } = stage;
      const send = async (path: string, init: RequestInit): Promise<void> => {
        const response = await fetch(`${service.ingress.url}/hook/${path}`, init);
        await response.body?.cancel();
      };
      await send("orders?page=2", {
        method: "PUT",
        headers: { "content-type": "application/json", "x-signature": "abc" },
        body: JSON.stringify({ event: "order.paid", html: "<img src=x onerror=alert(1)>" }),
      });
      await open("/ui/webhook/");
      await page.locator(".row").first().waitFor();
      assertEquals(await page.locator(".row .row-title").allInnerTexts(), ["orders?page=2"]);
      const body = new FormData();
      body.append("note", "<b>Hello</b>");
      body.append("file", new File(["x"], "a.csv"));
      await send("upload", { method: "POST", body });
      await until(`document.querySelectorAll(".row").length === 2`);
      await page.locator(".row").first().click();
      const parts = page.locator(".webhook-detail");
      await page.locator(".webhook-detail [role=tab]").nth(1).click();
      assertStringIncludes(await parts.innerText(), "a.csv");
      assertStringIncludes(await parts.innerText(), "<b>Hello</b>");
      await open("/ui/webhook/?method=PUT");
      await page.locator(".row").first().click();
      await parts.getByText("order.paid").first().waitFor();
      assertStringIncludes(await parts.innerText(), "<img src=x onerror=alert(1)>");
      await parts.locator("[role=tab]").nth(3).click();
      assertStringIncludes(await parts.innerText(), "x-signature");
      assertEquals(stage.foreign, []);
    },
    { plugins: [webhook], scheme },
  );
}
