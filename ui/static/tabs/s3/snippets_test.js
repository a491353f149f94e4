import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { objectSnippets, objectUrl, prefixSnippets } from "./snippets.js";

const URL_OF_STORE = "http://127.0.0.1:9000";

Deno.test("addresses keep what a client would take for steps", () => {
  const url = (/** @type {string} */ key) => objectUrl(URL_OF_STORE, { bucket: "box", key });
  assertEquals(url("a/b c?#%.txt"), `${URL_OF_STORE}/box/a/b%20c%3F%23%25.txt`);
  assertEquals(url("a/../b"), `${URL_OF_STORE}/box/a%2F..%2Fb`);
  assertEquals(url("a//b"), `${URL_OF_STORE}/box/a//b`);
});

Deno.test("a hostile key stays one word in every snippet", () => {
  const key = "$(touch x)';\"`\n-rf";
  for (const { title, code } of objectSnippets(URL_OF_STORE, { bucket: "box", key })) {
    assert(!code.includes(key), title);
    assert(!/[\p{Cc}]/u.test(code.replaceAll("\n", "")), title);
  }
  const [curl] = objectSnippets(URL_OF_STORE, { bucket: "box", key });
  assertEquals(
    curl?.code,
    `curl -o _touch_x_-rf '${URL_OF_STORE}/box/%24(touch%20x)'\\''%3B%22%60%0A-rf'`,
  );
  for (const { code } of prefixSnippets(URL_OF_STORE, { bucket: "box", prefix: `${key}/` })) {
    assertStringIncludes(code, URL_OF_STORE);
    assert(!code.includes(key));
  }
});
