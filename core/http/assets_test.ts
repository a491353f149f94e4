import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { type AssetMap, sendAsset } from "./assets.ts";

const FILES: AssetMap = new Map([
  ["index.html", '<script src="/ui/assets/app.js"></script><img src="/ui/assets/icon.svg">'],
  ["app.js", 'import "./a.js"; import "/ui/assets/library/b.js";'],
  ["secret", "of no known type"],
]);

async function get(name: string, assets = FILES, headers: Record<string, string> = {}) {
  const response = await sendAsset(assets, name, { headers: new Headers(headers) });
  return response && {
    status: response.status,
    text: await response.text(),
    caching: response.headers.get("cache-control"),
    etag: response.headers.get("etag")!,
  };
}

async function versionOf(assets: AssetMap): Promise<string> {
  return /"\/ui\/assets\/([^/]+)\/app.js"/.exec((await get("index.html", assets))!.text)![1]!;
}

Deno.test("links of UI files name their version, below which browsers keep them without asking", async () => {
  const version = await versionOf(FILES);
  assertMatch(version, /^v[0-9a-f]{16}$/);
  const app = (await get(`${version}/app.js`))!;
  assertEquals(app.text, `import "./a.js"; import "/ui/assets/${version}/library/b.js";`);
  assertEquals([app.status, app.caching], [200, "max-age=31536000, immutable"]);
  const shell = (await get("index.html"))!;
  assertEquals(shell.caching, "no-cache");
  assertEquals(shell.text.split(`/ui/assets/${version}/`).length, 3);
});

Deno.test("another version has other links, and an outdated link is never kept", async () => {
  const version = await versionOf(FILES);
  const changed = new Map([...FILES, ["app.js", "1"]]);
  assertNotEquals(await versionOf(changed), version);
  // A page of the former program may still be open.
  const stale = (await get(`${version}/app.js`, changed))!;
  assertEquals([stale.status, stale.text, stale.caching], [200, "1", "no-cache"]);
  assertEquals((await get("app.js"))!.caching, "no-cache");
  const again = (await get("app.js", FILES, { "if-none-match": (await get("app.js"))!.etag }))!;
  assertEquals([again.status, again.text, again.caching], [304, "", "no-cache"]);
});

Deno.test("only known UI files are served, below a version or not", async () => {
  const version = await versionOf(FILES);
  for (const name of ["nope.js", "secret", "", "v0/app.js", `${version}/${version}/app.js`]) {
    assertEquals(await get(name), undefined);
    assertEquals(await get(`${version}/${name}`), undefined);
  }
});

Deno.test("files that may change have no version", async () => {
  const texts = new Map(FILES);
  const live: AssetMap = Object.assign(texts, { isLive: true });
  assertEquals((await get("index.html", live))!.text, FILES.get("index.html"));
  const first = (await get("app.js", live))!;
  texts.set("app.js", "2");
  const second = (await get("app.js", live))!;
  assertEquals([second.text, second.caching, second.etag === first.etag], ["2", "no-cache", false]);
});
