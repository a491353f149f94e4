import { assertEquals } from "@std/assert";
import { encodeReply, toReply } from "./reply.ts";

function encode(...args: Parameters<typeof toReply>): string {
  return new TextDecoder().decode(encodeReply(toReply(...args)));
}

Deno.test("a reply has its code, its enhanced code and its text", () => {
  assertEquals(encode(250, "2.1.0", "Sender OK"), "250 2.1.0 Sender OK\r\n");
  assertEquals(encode(354, undefined, "Go on"), "354 Go on\r\n");
});

Deno.test("a reply of several lines marks all but the last with a hyphen", () => {
  const wire = encodeReply({ code: 250, lines: ["standin", "SIZE 1", "PIPELINING"] });
  assertEquals(
    new TextDecoder().decode(wire),
    "250-standin\r\n250-SIZE 1\r\n250 PIPELINING\r\n",
  );
});

Deno.test("text from a client cannot forge a line", () => {
  assertEquals(
    encode(501, "5.5.4", "bad\r\n250 OK\0"),
    "501 5.5.4 bad  250 OK \r\n",
  );
});

Deno.test("a line is cut before it exceeds 512 octets", () => {
  assertEquals(encode(501, "5.5.4", "x".repeat(2000)).length <= 512, true);
});
