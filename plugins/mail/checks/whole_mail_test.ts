import { assert, assertEquals } from "@std/assert";
import { type CheckedItem, findingsOf } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const html = (html: string, fields: object = {}): CheckedItem => ({
  provider: "mail2",
  payload: { from: { email: "ada@example.org" }, subject: "Hello", text: "Hello", html, ...fields },
});

Deno.test("hostile mails are checked in linear time, and without an exception", async () => {
  const pieces = [
    ...[
      "<a href=x>",
      "<table>",
      "<p style='color:red'>x",
      "<style>a{",
      "<!--",
      "{{a",
      "<img src=a>",
    ],
    ...[
      "</a>",
      "&amp;",
      "a{b:c;",
      "<td background>",
      "<a href='",
      "<style>@media x{",
      ":has(",
      "[a",
    ],
  ];
  for (const piece of pieces) {
    const source = piece.repeat(50_000 / piece.length);
    const found = await findingsOf(CHECKS, html(source));
    assert(found.length <= 500, piece);
    await findingsOf(CHECKS, html(`<style>${source}`));
    await findingsOf(CHECKS, html(`<p style="${source.replaceAll('"', "")}">x`));
  }
});

Deno.test("a correct mail has no findings", async () => {
  const source =
    `<!DOCTYPE html><html lang="en"><body style="margin:0"><p>Your order leaves our house today.</p></body></html>`;
  assertEquals(
    await findingsOf(CHECKS, html(source, { text: "Your order leaves our house today." })),
    [],
  );
});
