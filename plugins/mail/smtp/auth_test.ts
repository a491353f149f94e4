import { assertEquals } from "@std/assert";
import type { Step } from "../../../tests/support/dialogue.ts";
import { HELLO, playSmtp, QUIT } from "../../../tests/support/smtp_session.ts";
import type { Credentials } from "./codec/sasl.ts";

/** Runs steps after EHLO; `ada` with `s3cret` is accepted. */
async function play(steps: readonly Step[], options: { required?: boolean } = {}) {
  const presented: Credentials[] = [];
  const played = await playSmtp([...HELLO, ...steps, ...QUIT], {
    limits: { authRequired: options.required ?? false },
    handler: {
      authenticate(credentials) {
        presented.push(credentials);
        return credentials.username === "ada" && credentials.password === "s3cret";
      },
    },
  });
  return { ...played, presented };
}

const ADA = { username: "ada", password: "s3cret" };
const OK: Step = ["<", "235 2.7.0 Authentication successful"];

Deno.test.each<[string, readonly Step[], "PLAIN" | "LOGIN"]>([
  ["PLAIN with an initial response", [[">", "AUTH PLAIN AGFkYQBzM2NyZXQ="], OK], "PLAIN"],
  ["PLAIN without one", [
    [">", "auth plain"],
    ["<", "334 "],
    [">", "AGFkYQBzM2NyZXQ="],
    OK,
  ], "PLAIN"],
  ["LOGIN", [
    [">", "AUTH LOGIN"],
    ["<", "334 VXNlcm5hbWU6"],
    [">", "YWRh"],
    ["<", "334 UGFzc3dvcmQ6"],
    [">", "czNjcmV0"],
    OK,
  ], "LOGIN"],
  ["LOGIN with the user name at once", [
    [">", "AUTH LOGIN YWRh"],
    ["<", "334 UGFzc3dvcmQ6"],
    [">", "czNjcmV0"],
    OK,
  ], "LOGIN"],
])("AUTH takes %s", async (_name, steps, mechanism) => {
  const { presented, refused } = await play(steps);
  assertEquals(presented, [{ mechanism, ...ADA }]);
  assertEquals(refused, []);
});

Deno.test.each<[string, readonly Step[]]>([
  ["a cancelled exchange", [
    [">", "AUTH PLAIN"],
    ["<", "334 "],
    [">", "*"],
    ["<", /^501 5\.7\.0 Authentication cancelled/],
  ]],
  ["an empty initial response", [[">", "AUTH PLAIN ="], ["<", /^501 5\.5\.2 /]]],
  ["what is not base64", [[">", "AUTH PLAIN !!!"], ["<", /^501 5\.5\.2 .*base64/]]],
  ["PLAIN without NULs", [[">", "AUTH PLAIN YWRh"], ["<", /^501 5\.5\.2 .*NUL/]]],
  ["an unknown mechanism", [[">", "AUTH CRAM-MD5"], ["<", /^504 5\.5\.4 /]]],
  ["no mechanism", [[">", "AUTH"], ["<", /^501 5\.5\.4 /]]],
  ["too many words", [[">", "AUTH PLAIN a b"], ["<", /^501 5\.5\.4 /]]],
])("AUTH refuses %s", async (_name, steps) => {
  const { presented, refused } = await play(steps);
  assertEquals(presented, []);
  assertEquals(refused.length, 1);
});

Deno.test("AUTH is refused a second time and within a transaction", async () => {
  await play([
    [">", "AUTH PLAIN AGFkYQBzM2NyZXQ="],
    OK,
    [">", "AUTH PLAIN AGFkYQBzM2NyZXQ="],
    ["<", /^503 5\.5\.1 Already/],
  ]);
  await play([
    [">", "MAIL FROM:<>"],
    ["<", /^250 /],
    [">", "AUTH PLAIN AGFkYQBzM2NyZXQ="],
    ["<", /^503 5\.5\.1 AUTH is not allowed/],
  ]);
});

Deno.test("wrong credentials get 535, and MAIL still needs AUTH", async () => {
  const { presented, messages, refused } = await play([
    [">", "MAIL FROM:<a@b.example>"],
    ["<", "530 5.7.0 Authentication required"],
    [">", "AUTH PLAIN AGFkYQB3cm9uZw=="],
    ["<", "535 5.7.8 Authentication credentials invalid"],
    [">", "MAIL FROM:<a@b.example>"],
    ["<", "530 5.7.0 Authentication required"],
    [">", "AUTH PLAIN AGFkYQBzM2NyZXQ="],
    OK,
    [">", "MAIL FROM:<a@b.example> AUTH=<>"],
    ["<", /^250 /],
    [">", "RCPT TO:<c@d.example>"],
    ["<", /^250 /],
    [">", "DATA"],
    ["<", /^354 /],
    [">", "."],
    ["<", /^250 /],
  ], { required: true });
  assertEquals(presented.length, 2);
  assertEquals(messages.map(({ credentials }) => credentials), [{ mechanism: "PLAIN", ...ADA }]);
  assertEquals(refused.map(({ status }) => status), [530, 535, 530]);
});
