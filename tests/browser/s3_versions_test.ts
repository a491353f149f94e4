import { assertEquals } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import { browserTest } from "../support/browser.ts";

const OPTIONS = {
  plugins: [s3],
  config: { plugins: { s3: { providers: { http: { buckets: ["box"] } } } } },
};

browserTest(
  "versions of an object are shown, and can be restored, also for a deleted object",
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
    await open("/ui/s3/?bucket=box");
    await page.getByText("No current objects").waitFor();
    await page.getByText("3 versions remain, delete markers included").waitFor();
    await open("/ui/s3/?bucket=box&key=a.txt");
    const lines = page.locator(".s3-versions li");
    await lines.nth(2).waitFor();
    assertEquals(await lines.nth(0).locator(".chip").allInnerTexts(), ["latest", "delete marker"]);
    await lines.nth(2).locator("text=Restore").click();
    await lines.nth(3).waitFor();
    assertEquals(await lines.nth(0).locator(".chip").allInnerTexts(), ["latest"]);
    assertEquals(await (await fetch(`${url}/box/a.txt`)).text(), "one");
  },
  OPTIONS,
);

browserTest(
  "many versions load in steps, with their locks, and can be deleted",
  async ({ page, service, open }) => {
    const { url } = service.endpoint("http");
    const send = async (method: string, path: string, init: RequestInit = {}) => {
      const response = await fetch(`${url}/safe${path}`, { method, ...init });
      assertEquals(response.ok, true, await response.text());
    };
    await send("PUT", "", { headers: { "x-amz-bucket-object-lock-enabled": "true" } });
    for (let at = 0; at < 51; at++) await send("PUT", "/a.txt", { body: String(at) });
    const headers = {
      "x-amz-object-lock-mode": "GOVERNANCE",
      "x-amz-object-lock-retain-until-date": "2090-01-01T00:00:00Z",
      "x-amz-object-lock-legal-hold": "ON",
      "x-amz-server-side-encryption": "aws:kms",
      "x-amz-server-side-encryption-aws-kms-key-id": "<b>key</b>",
      "x-amz-storage-class": "STANDARD_IA",
    };
    await send("PUT", "/a.txt", { body: "last", headers });
    await open("/ui/s3/?bucket=safe");
    const bucketFacts = page.locator(".panel-facts");
    await bucketFacts.locator("text=enabled, 52 versions").waitFor();
    await open("/ui/s3/?bucket=safe&key=a.txt");
    const lines = page.locator(".s3-versions li");
    await lines.nth(49).waitFor();
    assertEquals(await lines.nth(0).locator(".chip").allInnerTexts(), ["latest", "locked"]);
    const facts = page.locator(".panel-facts");
    for (
      const text of ["aws:kms, key <b>key</b>", "GOVERNANCE, until", "on", "STANDARD_IA"]
    ) await facts.locator(`text=${text}`).first().waitFor();
    await page.locator("text=Show more").click();
    await lines.nth(51).waitFor();
    await lines.nth(0).locator("button.danger").click();
    const dialog = page.locator("dialog");
    await dialog.locator("text=It is locked (legal hold, governance retention)").waitFor();
    await dialog.locator("button.danger").click();
    await page.locator(".s3-versions .tab-count").locator("text=51").waitFor();
    assertEquals(await (await fetch(`${url}/safe/a.txt`)).text(), "50");
    // The object is in the list, although a deletion of its key was reported.
    await page.locator(".browse-row").locator("text=a.txt").waitFor();
    await page.locator(".browse-row").locator("text=2 B").waitFor();
  },
  OPTIONS,
);
