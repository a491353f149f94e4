import { assertEquals, assertStringIncludes } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import { browserTest, type Stage, type StageOptions } from "../support/browser.ts";
import { RawClient } from "../support/raw_http.ts";
import type { TestService } from "../support/service.ts";

const OPTIONS: StageOptions = {
  plugins: [s3],
  config: { plugins: { s3: { providers: { http: { buckets: ["box"] } } } } },
};

const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Sends one request to the store, and encodes the key. Returns the text of the response. */
async function ask(
  service: TestService,
  place: string,
  init: RequestInit & { readonly query?: string } = { method: "PUT" },
): Promise<string> {
  const [bucket = "", ...key] = place.split("/");
  // Including slashes, because a name between two of them may look like a path segment.
  const path = [bucket, ...(key.length === 0 ? [] : [key.join("/")])].map(encodeURIComponent).join(
    "/",
  );
  const { query = "", ...rest } = init;
  const response = await fetch(`${service.endpoint("http").url}/${path}${query}`, rest);
  const text = await response.text();
  assertEquals(response.ok, true, text);
  return text;
}

const put = (service: TestService, place: string, body: BodyInit = "x", type = "text/plain") =>
  ask(service, place, { method: "PUT", body, headers: { "content-type": type } });

const titles = async ({ page }: Stage): Promise<string[]> =>
  await page.locator(".row .row-title").allInnerTexts();

const rows = (count: number) => `document.querySelectorAll(".row").length === ${count}`;

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `buckets, folders and objects are walked, live, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open, until, settle } = stage;
      await put(service, "box/docs/a.txt", "Hello <b>Ada</b>");
      await put(service, "box/top.bin", "\0\x01", "application/octet-stream");
      await open("/ui/s3/");
      await page.locator(".row").first().waitFor();
      assertEquals(await titles(stage), ["box"]);
      assertStringIncludes(await page.locator(".page-count").innerText(), "1 bucket, 2 objects");
      assertStringIncludes(await page.locator(".s3-activity").innerText(), "box/docs/a.txt");
      // Objects shown in the tab count as read.
      await until(`!document.querySelector("nav .badge")`);
      await ask(service, "second");
      await until(rows(2));
      await page.click(".row .row-button");
      await page.locator(".browse-columns").waitFor();
      assertEquals(await titles(stage), ["docs/", "top.bin"]);
      await page.click(".row .row-button");
      await until(`document.querySelector(".row .row-title")?.textContent === "a.txt"`);
      // Live, while the folder is open: one added, one removed.
      await put(service, "box/docs/b.txt", "second");
      await until(rows(2));
      await settle();
      await ask(service, "box/docs/b.txt", { method: "DELETE" });
      await until(rows(1));
      await page.click(".row .row-button");
      await page.locator(".panel-preview .plain").waitFor();
      assertEquals(await page.locator(".panel-preview .plain").innerText(), "Hello <b>Ada</b>");
      await page.click(".crumbs .button:nth-of-type(2)");
      await until(rows(2));
      // A folder disappears with its last key.
      await settle();
      await ask(service, "box/docs/a.txt", { method: "DELETE" });
      await until(rows(1));
      assertEquals(await titles(stage), ["top.bin"]);
      assertEquals(stage.foreign, []);
    },
    { ...OPTIONS, scheme },
  );
}

browserTest(
  "an object shows its metadata, its content and code to fetch it",
  async (stage) => {
    const { page, service, open } = stage;
    const headers = {
      "content-type": "application/json",
      "cache-control": "max-age=60",
      "x-amz-meta-customer": "Ada",
      "x-amz-tagging": "kind=greeting",
      "x-amz-checksum-crc32c": "yZRlqg==",
    };
    await ask(service, "box/a/hello world.json", { method: "PUT", body: "hello world", headers });
    await put(service, "box/a/tree.json", '{"id":1,"name":"Ada"}', "application/json");
    await open("/ui/s3/?bucket=box&prefix=a/&key=a/hello%20world.json");
    await page.locator(".panel-preview .plain").waitFor();
    const detail = await page.locator(".panel").innerText();
    const { url } = service.endpoint("http");
    for (
      const text of [
        "s3://box/a/hello world.json",
        `${url}/box/a/hello%20world.json`,
        "11 B",
        "application/json",
        "5eb63bbbe01eeed093cb22bb8f5acdc3",
        "max-age=60",
        "customer",
        "Ada",
        "greeting",
        "CRC32C",
        "yZRlqg==",
      ]
    ) assertStringIncludes(detail, text);
    const code = page.locator(".s3-code code");
    assertEquals(
      await code.innerText(),
      `curl -o hello_world.json '${url}/box/a/hello%20world.json'`,
    );
    await page.click('[role="tab"]:has-text("aws CLI")');
    assertStringIncludes(await code.innerText(), `--key 'a/hello world.json' hello_world.json`);
    await page.click('[role="tab"]:has-text("boto3")');
    assertStringIncludes(await code.innerText(), `Key="a/hello world.json"`);
    await page.click('.row-button:has-text("tree.json")');
    await page.locator(".panel-preview .json").waitFor();
    assertStringIncludes(await page.locator(".panel-preview .json").innerText(), '"Ada"');
    await page.click('.content-modes [role="tab"]:has-text("Hex")');
    assertStringIncludes(await page.locator(".panel-preview .hex").innerText(), "7b 22 69 64");
    await page.click('.row-button:has-text("hello")');
    await page.locator(".panel-head:has-text('hello')").waitFor();
    const link = await page.locator(".panel-head a[download]").getAttribute("href");
    assertEquals(link, "/api/v1/s3/buckets/box/content/a/hello%20world.json");
    const download = await fetch(service.ui.url + link);
    assertStringIncludes(download.headers.get("content-disposition") ?? "", "attachment");
    assertStringIncludes(download.headers.get("content-security-policy") ?? "", "sandbox");
    await download.body?.cancel();
  },
  OPTIONS,
);

browserTest(
  "images are shown, other bytes are dumped, and a changed object is refreshed",
  async (stage) => {
    const { page, service, open, until } = stage;
    await put(service, "box/p.png", PIXEL, "image/png");
    await put(service, "box/not.png", "no picture", "image/png");
    await open("/ui/s3/?bucket=box&key=p.png");
    await until(`document.querySelector(".content-picture")?.naturalWidth === 1`);
    await page.goto(`${service.ui.url}/ui/s3/?bucket=box&key=not.png`);
    await page.locator(".panel-preview .hex").waitFor();
    assertStringIncludes(await page.locator(".panel-preview").innerText(), "no picture");
    await put(service, "box/not.png", "words", "text/plain");
    await page.locator(".panel-preview .plain").waitFor();
    assertEquals(await page.locator(".panel-preview .plain").innerText(), "words");
  },
  OPTIONS,
);

browserTest("2500 keys in a folder load by page, sorted and searched", async (stage) => {
  const { page, service, open, until } = stage;
  const lane = async (first: number) => {
    for (let i = first; i < 2500; i += 25) {
      await put(service, `box/many/${String(i).padStart(4, "0")}.txt`, "x".repeat(1 + i % 7));
    }
  };
  await Promise.all(Array.from({ length: 25 }, (_, first) => lane(first)));
  await put(service, "box/many/largest", "x".repeat(50));
  await open("/ui/s3/?bucket=box&prefix=many/");
  await page.locator(".browse-foot").waitFor();
  assertStringIncludes(await page.locator(".browse-foot").innerText(), "1,000 objects so far");
  const drawn = await page.locator(".row").count();
  assertEquals(drawn > 5 && drawn < 200, true, `${drawn} rows are drawn`);
  // Scrolling to the end loads the next page.
  await page.keyboard.press("Shift+G");
  await until(`document.querySelector(".browse-foot").innerText.startsWith("2,000 objects")`);
  await page.click("text=Fetch all");
  await until(`document.querySelector(".browse-foot").innerText.trim() === "2,501 objects"`);
  await page.click('.browse-columns button:has-text("Size")');
  await until(`document.querySelector(".list-box").scrollTop === 0 ||
    (document.querySelector(".list-box").scrollTop = 0) === 0`);
  await until(`document.querySelector(".row .row-title")?.textContent === "largest"`);
  assertStringIncludes(page.url(), "order=-size");
  await page.fill('[aria-label="Search keys"]', "249");
  await until(rows(13));
  assertStringIncludes(page.url(), "search=249");
  await page.fill('[aria-label="Search keys"]', "nothing like it");
  await page.getByText("No key matches").waitFor();
}, OPTIONS);

browserTest("uploads in progress are shown, and aborted after asking", async (stage) => {
  const { page, service, open, until } = stage;
  await open("/ui/s3/?bucket=box");
  await page.getByText("This bucket is empty").waitFor();
  const started = await ask(service, "box/film.mp4", { method: "POST", query: "?uploads" });
  const id = /<UploadId>([^<]+)/.exec(started)?.[1];
  await ask(service, "box/film.mp4", {
    method: "PUT",
    query: `?partNumber=1&uploadId=${id}`,
    body: "x".repeat(2000),
  });
  await until(`document.querySelector(".s3-uploads")?.innerText.includes("1 part, 2.0 KB")`);
  assertStringIncludes(await page.locator(".s3-uploads").innerText(), "box/film.mp4");
  await page.click('[aria-label="Abort this upload"]');
  await stage.settle();
  await page.click("dialog .button.danger");
  await until(`document.querySelector(".s3-uploads") === null`);
}, OPTIONS);

browserTest(
  "an object, a folder, a bucket and the store are deleted after asking",
  async (stage) => {
    const { page, service, open, until } = stage;
    for (const key of ["a", "dir/1", "dir/sub/2", "dir/../3", "z"]) {
      await put(
        service,
        `box/${key}`,
      );
    }
    await ask(service, "second");
    await open("/ui/s3/?bucket=box&key=a");
    await page.locator(".panel-preview").waitFor();
    await page.keyboard.press("#");
    await stage.settle();
    await page.click("dialog .button.danger");
    await until(rows(2));
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await page.locator(".panel-head:has-text('dir/')").waitFor();
    await page.click("text=Count");
    await until(`document.querySelector(".panel-facts").innerText.includes("3, 3 B")`);
    await page.click(".panel-actions .button.danger");
    await stage.settle();
    await page.click("dialog .button.danger");
    await until(rows(1));
    assertEquals(await titles(stage), ["z"]);
    await page.click(".panel-actions .button.danger");
    assertStringIncludes(await page.locator("dialog").innerText(), "bucket with 1 object");
    await stage.settle();
    await page.click("dialog .button.danger");
    await until(`document.querySelector(".row .row-title")?.textContent === "second"`);
    await page.click('[aria-label="Clear the store"]');
    await stage.settle();
    await page.click("dialog .button.danger");
    await page.getByText("No buckets yet").waitFor();
    assertStringIncludes(await page.locator(".howto").innerText(), service.endpoint("http").url);
  },
  OPTIONS,
);

browserTest(
  "a deleted bucket says so, and appears again once it is recreated",
  async (stage) => {
    const { page, service, open, until } = stage;
    await put(service, "box/one");
    await open("/ui/s3/?bucket=box");
    await until(rows(1));
    const api = `${service.api.url}/api/v1/s3/buckets/box?recursive=1`;
    assertEquals((await fetch(api, { method: "DELETE" })).status, 204);
    await page.locator(".problem").waitFor();
    assertStringIncludes(await page.locator(".problem").innerText(), 'Cannot find bucket "box"');
    await ask(service, "box");
    await put(service, "box/two");
    await until(`document.querySelector(".row .row-title")?.textContent === "two"`);
    assertEquals(await page.locator(".problem").count(), 0);
  },
  { ...OPTIONS, expected: /404/ },
);

browserTest("keys walk, open and go up", async (stage) => {
  const { page, service, open, until } = stage;
  await put(service, "box/dir/one");
  await put(service, "box/dir/two");
  await open("/ui/s3/");
  await page.locator(".row").first().waitFor();
  await page.keyboard.press("j");
  await page.locator(".panel-head:has-text('box')").waitFor();
  await page.keyboard.press("Enter");
  await until(`document.querySelector(".row .row-title")?.textContent === "dir/"`);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await until(rows(2));
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.locator(".panel-head:has-text('two')").waitFor();
  await page.keyboard.press("Escape");
  await until(`document.querySelector(".row.selected") === null`);
  await page.keyboard.press("u");
  await until(`document.querySelector(".row .row-title")?.textContent === "dir/"`);
  await page.keyboard.press("u");
  await until(`document.querySelector(".row .row-title")?.textContent === "box"`);
}, OPTIONS);

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `hostile keys, metadata and content stay inert, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open, until } = stage;
      const hostile = "<img src=https:evil.example onerror=alert(1)>\u202egpj.exe";
      await ask(service, `box/${hostile}`, {
        method: "PUT",
        body: `<script>alert(1)</script><img src=https://evil.example/x>`,
        headers: {
          "content-type": "text/html",
          "content-disposition": "inline",
          "x-amz-meta-evil": "<img src=https://evil.example/y>",
        },
      });
      await put(service, "box/$(reboot)'\n-rf/..//x", "x");
      await put(service, "box/%2e%2e%2fa", "dots");
      await open("/ui/s3/?bucket=box");
      await until(rows(3));
      const shown = (await titles(stage)).find((title) => title.includes("<img"));
      assertStringIncludes(shown ?? "", "U+202E");
      await page.click('.row-button:has-text("img")');
      await page.locator(".panel-preview .plain").waitFor();
      assertStringIncludes(await page.locator(".panel-preview").innerText(), "<script>alert(1)");
      assertStringIncludes(await page.locator(".panel").innerText(), "<img src=https://evil");
      assertStringIncludes(await page.locator(".panel-facts").innerText(), "U+202E");
      await page.goto(
        `${service.ui.url}/ui/s3/?bucket=box&key=${encodeURIComponent("$(reboot)'\n-rf/..//x")}`,
      );
      await page.locator(".panel-preview .plain").waitFor();
      await page.click('[role="tab"]:has-text("aws CLI")');
      assertStringIncludes(
        await page.locator(".s3-code code").innerText(),
        "--key $'$(reboot)\\'\\u000a-rf/..//x' x",
      );
      await page.goto(
        `${service.ui.url}/ui/s3/?bucket=box&key=${encodeURIComponent("%2e%2e%2fa")}`,
      );
      await page.locator(".panel-preview .plain").waitFor();
      assertEquals(await page.locator(".panel-preview .plain").innerText(), "dots");
      assertEquals(stage.foreign, []);
    },
    { ...OPTIONS, scheme },
  );
}

browserTest(
  "a key with a dot segment is shown, but not requested",
  async (stage) => {
    const { page, service, open, until } = stage;
    const { port } = new URL(service.endpoint("http").url);
    using client = await RawClient.connect(Number(port));
    await client.send("PUT /box/.. HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\ndots");
    await until(() => service.events.count("s3") === 1);
    await open("/ui/s3/?bucket=box&key=..");
    await page.getByText("A browser would resolve this key as a relative path").waitFor();
    assertStringIncludes(await page.locator(".panel-facts").innerText(), "s3://box/..");
    assertEquals(await page.locator(".panel-actions *").count(), 0);
    assertStringIncludes(await page.locator(".s3-code code").innerText(), "curl --path-as-is");
  },
  OPTIONS,
);

browserTest("at 400 pixels list, activity and object show one at a time", async (stage) => {
  const { page, service, open, until } = stage;
  await put(service, `box/${"long-name-".repeat(20)}.txt`, "text");
  await open("/ui/s3/?bucket=box");
  await until(rows(1));
  const fits = `document.scrollingElement.scrollWidth <= 400 &&
    [...document.querySelectorAll(".pane")].every((pane) => pane.scrollWidth <= 400)`;
  await until(fits);
  await page.click('[aria-label="Activity and code"]');
  await page.locator(".s3-activity li").first().waitFor();
  await until(fits);
  await page.click('.panel-head [aria-label="Back to the list"]');
  await page.click(".row .row-button");
  await page.locator(".panel-preview .plain").waitFor();
  await until(fits);
  await page.click('[aria-label="Back to the list"]');
  await page.locator(".row").first().waitFor();
}, { ...OPTIONS, width: 400 });

browserTest("at 900 pixels keys in the activity have lines of their own", async (stage) => {
  const { page, service, open, until } = stage;
  await put(service, `box/exports/2026/11/27/${"partition-".repeat(12)}part.parquet`);
  await open("/ui/s3/");
  await page.locator(".s3-activity li").first().waitFor();
  await until(`(() => {
    const entry = document.querySelector(".s3-activity li");
    const [place, time] = [".s3-place", ".s3-when"].map((part) => entry.querySelector(part));
    return place.clientWidth === entry.clientWidth && place.scrollWidth <= place.clientWidth &&
      time.getBoundingClientRect().bottom <= place.getBoundingClientRect().top;
  })()`);
}, { ...OPTIONS, width: 900 });
