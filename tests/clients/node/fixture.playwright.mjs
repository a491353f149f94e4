/** The fixtures, in Playwright, without a browser. */
import { standinFixtures } from "@standin/client/playwright";
import { expect, test as base } from "@playwright/test";
import { send } from "./send.mjs";

const test = base.extend(standinFixtures);

for (let number = 0; number < 8; number++) {
  test(`order ${number}`, async ({ standin }) => {
    const { url } = await standin.endpoint("mail3");
    await send(url, { to: standin.address("ada@example.org"), subject: `Order ${number}` });
    const mail = await standin.waitFor("mail.message", { has: "code" });
    expect(mail.payload.subject).toBe(`Order ${number}`);
    expect(await standin.list()).toHaveLength(1);
  });
}

test("what a failed test was sent is attached", async ({ standin }) => {
  test.skip(process.env.FAIL !== "1");
  const { url } = await standin.endpoint("mail3");
  await send(url, { to: standin.address("ada@example.org"), subject: "Attached" });
  await standin.waitFor("sms.message", { timeoutMs: 50 });
});
