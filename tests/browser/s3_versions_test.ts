import { assertEquals } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import { browserTest } from "../support/browser.ts";

const OPTIONS = {
  plugins: [s3],
  config: { plugins: { s3: { providers: { http: { buckets: ["box"] } } } } },
};

browserTest(
  "versions of an object are shown, and one is restored, also of a deleted object",
  async (stage) => {
    const { page, service, open } = stage;
    const { url } = service.endpoint("http");
    const send = async (method: string, path: string, body: string | null = null) => {
      const response = await fetch(`${url}/box${path}`, { method, body });
      assertEquals(response.ok, true, await response.text());
    };
    const enabled = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
    await send("PUT", "?versioning", enabled);
    await send("PUT", "/a.txt", "one");
    await send("PUT", "/a.txt", "second");
    await send("DELETE", "/a.txt");
    await open("/ui/s3/?bucket=box&key=a.txt");
    const lines = page.locator(".s3-versions li");
    await lines.nth(2).waitFor();
    assertEquals(await lines.nth(0).locator(".chip").allInnerTexts(), ["latest", "delete marker"]);
    await lines.nth(2).locator("button.action").click();
    await lines.nth(3).waitFor();
    assertEquals(await lines.nth(0).locator(".chip").allInnerTexts(), ["latest"]);
    assertEquals(await (await fetch(`${url}/box/a.txt`)).text(), "one");
  },
  OPTIONS,
);
