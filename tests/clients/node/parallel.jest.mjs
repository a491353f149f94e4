/** Eight tests that ask for the same thing of the same recipient, and see only their own. */
import "@standin/client/jest";
import { connect } from "@standin/client";
import { expect, test } from "@jest/globals";
import { send } from "./send.mjs";

const service = connect(process.env.STANDIN_URL);
const { url } = await service.endpoint("mail3");

test.each([1, 2, 3, 4, 5, 6, 7, 8])("order %i", async (number) => {
  const standin = service.namespace(`t${number}-${crypto.randomUUID().slice(0, 8)}`);
  await send(url, { to: standin.address("ada@example.org"), subject: `Order ${number}` });
  await expect(standin).toHaveReceived({
    type: "mail.message",
    match: { subject: `Order ${number}` },
    count: 1,
  });
  expect(await standin.list()).toHaveLength(1);
  await standin.clear();
  await expect(standin).not.toHaveReceived({ type: "mail.message" });
});
