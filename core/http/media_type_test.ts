import { assertEquals } from "@std/assert";
import { toMediaType } from "./media_type.ts";

Deno.test("toMediaType() repeats media types and nothing that would break a header", () => {
  for (
    const type of [
      "text/plain",
      "image/svg+xml",
      'text/plain; charset="utf-8"',
      "application/vnd.ms-excel.sheet.macroEnabled.12;a=b; c=d",
    ]
  ) assertEquals(toMediaType(` ${type} `), type);
  for (
    const text of [
      undefined,
      "",
      "text",
      "text/",
      "text/plain\r\nX-Evil: 1",
      "text/plain; a=\u{1f600}",
      "text/plain, text/html",
      "te xt/plain",
      "text/plain;\0",
    ]
  ) assertEquals(toMediaType(text), "application/octet-stream", text);
});
