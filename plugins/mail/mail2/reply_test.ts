import { assertEquals } from "@std/assert";
import { toResponse } from "../../../core/http/answer.ts";
import { answer, refuse, whole } from "./reply.ts";

Deno.test("an accepted request is answered without a body, by its message id", async () => {
  for (const [sandbox, status] of [[false, 202], [true, 200]] as const) {
    const response = toResponse(answer("0123456789abcdef01234567", { sandbox }));
    assertEquals(response.status, status);
    assertEquals(response.headers.get("x-message-id"), "0123456789abcdef01234567");
    assertEquals(response.headers.get("content-type"), "text/plain; charset=utf-8");
    assertEquals(await response.text(), "");
  }
});

Deno.test("a refusal lists violations with links to the vendor's page", async () => {
  const response = refuse({ status: 400, violations: [{ message: "no", field: "from.email" }] });
  assertEquals(response.status, 400);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(
    await response.text(),
    '{"errors":[{"message":"no","field":"from.email","help":"http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html#message.from"}]}',
  );
});

Deno.test("a refusal of the whole request names no field", async () => {
  const response = refuse(whole(405, "POST method allowed only"));
  assertEquals(response.status, 405);
  assertEquals(
    await response.text(),
    '{"errors":[{"message":"POST method allowed only","field":null,"help":null}]}',
  );
});
