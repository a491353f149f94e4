/** The user interface behind a token: the browser asks for it once, and sends it with everything. */
import { assertEquals } from "@std/assert";
import { launchBrowser, sendMail } from "../support/browser.ts";
import { clientTest } from "../support/clients.ts";
import { startService } from "../support/service.ts";

const TOKEN = "sesame-42";
/** One pixel. */
const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

clientTest(
  "with a token the interface works as without, its stream and mail frames included",
  ["chromium"],
  async ({ chromium }) => {
    await using service = await startService({ config: { api: { token: TOKEN } } });
    const browser = await launchBrowser(chromium);
    try {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        colorScheme: "light",
        httpCredentials: { username: "me", password: TOKEN },
      });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      assertEquals((await page.goto(`${service.ui.url}/ui/mail/`))?.status(), 200);
      await page.locator(".dot.live").first().waitFor();
      await sendMail(service, {
        subject: "Behind a token",
        html: `<p id="shown">Within</p><img id="logo" src="cid:logo">`,
        attachments: [
          { filename: "a.gif", content: GIF, content_type: "image/gif", content_id: "logo" },
        ],
      });
      await page.getByText("Behind a token").first().click();
      const body = page.frameLocator("iframe");
      await body.locator("#shown").waitFor();
      const width = await body.locator("#logo").evaluate((element) => element["naturalWidth"]);
      assertEquals(width, 1);
      assertEquals(service.rejected.list(), []);
    } finally {
      await browser.close();
    }
  },
);
