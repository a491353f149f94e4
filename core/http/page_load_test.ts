import { assertEquals } from "@std/assert";
import { pageLoadOf } from "./page_load.ts";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0";

for (
  const [what, headers, expected] of [
    ["a program", { "user-agent": "curl/8.5.0", accept: "*/*" }, undefined],
    ["nothing at all", {}, undefined],
    ["Java", { "user-agent": "Java/21", accept: "text/html, image/gif, */*; q=.2" }, undefined],
    ["a tab", { "user-agent": CHROME, "sec-fetch-dest": "document" }, "tab"],
    ["a frame", { "user-agent": CHROME, "sec-fetch-dest": "iframe" }, "frame"],
    ["an object", { "user-agent": CHROME, "sec-fetch-dest": "object" }, "frame"],
    ["fetch", { "user-agent": CHROME, "sec-fetch-dest": "empty", accept: "text/html" }, undefined],
    ["a picture", { "user-agent": CHROME, "sec-fetch-dest": "image" }, undefined],
    ["a page that is not said to be one", { "user-agent": CHROME, accept: "text/html" }, "either"],
    [
      "a picture that is not said to be one",
      { "user-agent": CHROME, accept: "image/*" },
      undefined,
    ],
  ] as const
) {
  Deno.test(`page loads are distinguished from programs: ${what}`, () => {
    assertEquals(pageLoadOf(new Headers(headers)), expected);
  });
}
