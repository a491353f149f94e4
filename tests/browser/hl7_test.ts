import { assertEquals, assertStringIncludes } from "@std/assert";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { browserTest, type Stage } from "../support/browser.ts";
import { MllpClient } from "../support/mllp.ts";
import type { TestService } from "../support/service.ts";

const ADT = "MSH|^~\\&|ADM|HOSP|LAB|CLINIC|20240101||ADT^A01^ADT_A01|MSG1|P|2.5.1\r" +
  "PID|1||4711^^^HOSP~0815||Lovelace^Ada&Byron\rOBX|1|TX|note||one\\.br\\two\rZPI|x\r";
const PLAIN = "MSH|^~\\&|APP|F|SYS|G|1||ORU^R01||P|2.3\r";

/** Sends one message and returns its event id. */
async function send(service: TestService, message: string): Promise<string> {
  using client = await MllpClient.open(service.endpoint("mllp"));
  await client.sendMessage(message);
  await client.answer();
  return service.events.list({ plugin: "hl7" })[0]!.id;
}

const titles = async ({ page }: Stage): Promise<string[]> =>
  await page.locator(".row .row-title").allInnerTexts();

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `messages are listed with how they were answered, live, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open, until } = stage;
      await send(service, ADT);
      await open("/ui/hl7/");
      await page.locator(".row").first().waitFor();
      assertEquals(await titles(stage), ["ADT^A01"]);
      const row = await page.locator(".row").first().innerText();
      for (const text of ["4711 Lovelace Ada", "ADM → LAB", "MSG1", "AA"]) {
        assertStringIncludes(row, text);
      }
      // Live, without a reload.
      await send(service, PLAIN);
      await until(`document.querySelectorAll(".row").length === 2`);
      assertEquals(await titles(stage), ["ORU^R01", "ADT^A01"]);
      assertEquals(await page.locator(".row .hl7-ack").allInnerTexts(), ["AE", "AA"]);
      assertEquals(await page.locator(".row .hl7-problem").count(), 1);
      assertEquals(stage.foreign, []);
    },
    { plugins: [hl7], scheme },
  );
}

browserTest("a message is a tree of named segments and fields", async (stage) => {
  const { page, service, open } = stage;
  const id = await send(service, ADT);
  await open(`/ui/hl7/?id=${id}`);
  await page.locator(".hl7-segment").first().waitFor();
  assertEquals(await page.locator(".hl7-segment summary .hl7-id").allInnerTexts(), [
    "MSH",
    "PID",
    "OBX",
    "ZPI",
  ]);
  const pid = await page.locator(".hl7-segment").nth(1).innerText();
  for (
    const text of [
      "Patient",
      "Patient identifiers",
      "PID-3[1].1",
      "4711",
      "PID-3[2].1",
      "0815",
      "PID-5.1",
      "Lovelace",
      "PID-5.2.2",
      "Byron",
    ]
  ) assertStringIncludes(pid, text);
  assertStringIncludes(await page.locator(".hl7-segment").nth(2).innerText(), "one\ntwo");
  assertStringIncludes(await page.locator(".hl7-segment").nth(3).innerText(), "Site-defined");
  const facts = await page.locator(".hl7-facts").innerText();
  for (const text of ["ADM · HOSP", "LAB · CLINIC", "MSG1", "2.5.1", "ascii"]) {
    assertStringIncludes(facts, text);
  }
}, { plugins: [hl7] });

browserTest("raw and acknowledgement show their separators and segment ends", async (stage) => {
  const { page, service, open } = stage;
  const id = await send(service, ADT);
  await open(`/ui/hl7/?id=${id}`);
  await page.click('[role="tab"]:has-text("Raw")');
  await page.locator(".hl7-raw").waitFor();
  assertEquals(await page.locator(".hl7-line").count(), 4);
  assertEquals(await page.locator(".hl7-line").first().innerText(), `${ADT.split("\r")[0]}␍`);
  assertEquals(await page.locator(".hl7-line").nth(1).locator(".hl7-bar").count(), 5);
  await page.click('[role="tab"]:has-text("Acknowledgement")');
  await page.getByText("MSA").waitFor();
  assertEquals(await page.locator(".hl7-line").nth(1).innerText(), "MSA|AA|MSG1␍");
}, { plugins: [hl7] });

browserTest("problems of a message are listed above it", async (stage) => {
  const { page, service, open } = stage;
  const id = await send(service, PLAIN);
  await open(`/ui/hl7/?id=${id}`);
  await page.locator(".issues").waitFor();
  const issues = await page.locator(".issues").innerText();
  assertStringIncludes(issues, "no-control-id");
  assertStringIncludes(issues, "MSH-10 is empty");
}, { plugins: [hl7] });

browserTest("filters narrow the list and are kept in the URL", async (stage) => {
  const { page, service, open, until } = stage;
  await send(service, ADT);
  await send(service, PLAIN);
  await open("/ui/hl7/?path=PID-3.1&value=0815");
  await page.locator(".row").first().waitFor();
  assertEquals(await titles(stage), ["ADT^A01"]);
  await page.click("text=Clear filters");
  await until(`document.querySelectorAll(".row").length === 2`);
  await page.fill('[aria-label="Search messages"]', "oru");
  await until(`document.querySelectorAll(".row").length === 1`);
  assertEquals(await titles(stage), ["ORU^R01"]);
  await page.fill('[aria-label="Search messages"]', "nothing like it");
  await page.getByText("No message matches").waitFor();
}, { plugins: [hl7] });

browserTest("a message is deleted after asking, and all are cleared", async (stage) => {
  const { page, service, open, until } = stage;
  const id = await send(service, ADT);
  await send(service, PLAIN);
  await open(`/ui/hl7/?id=${id}`);
  await page.click(".item-actions .button.danger");
  await page.click("dialog .button.danger");
  await until(`document.querySelectorAll(".row").length === 1`);
  assertEquals(service.events.count("hl7"), 1);
  await page.click('[aria-label="Clear all messages"]');
  await page.click("dialog .button.danger");
  await page.getByText("No HL7 messages yet").waitFor();
  assertEquals(service.events.count("hl7"), 0);
  assertStringIncludes(await page.locator(".howto").innerText(), "mllp_send");
}, { plugins: [hl7] });

browserTest("hostile text stays text, and huge text is truncated", async (stage) => {
  const { page, service, open } = stage;
  const hostile = "<img src=https://evil.example/x onerror=alert(1)>\u202e";
  const id = await send(
    service,
    `MSH|^~\\&|${hostile}|B|${hostile}|D|1||${hostile}^A01|${hostile}|P|2.5\r` +
      `PID|1||${hostile}||${hostile}^${"x".repeat(5000)}\r${hostile}|1\r${"NTE|1\r".repeat(500)}`,
  );
  await open(`/ui/hl7/?id=${id}`);
  await page.locator(".hl7-segment").first().waitFor();
  assertStringIncludes(await page.locator(".hl7-segment").nth(1).innerText(), "<img src=");
  assertStringIncludes(await page.locator(".hl7-segment").nth(1).innerText(), "U+202E");
  assertStringIncludes(await page.locator(".hl7-segment").nth(1).innerText(), "5,000 characters");
  assertEquals(await page.locator(".hl7-segment").count(), 100);
  assertEquals(await page.locator(".hl7-detail img").count(), 0);
  await page.click('[role="tab"]:has-text("Raw")');
  await page.locator(".hl7-raw").waitFor();
  assertEquals(await page.locator(".hl7-detail img").count(), 0);
  assertEquals(stage.foreign, []);
}, { plugins: [hl7] });

browserTest("a narrow screen shows either the list or the message", async (stage) => {
  const { page, service, open } = stage;
  await send(service, ADT);
  await open("/ui/hl7/");
  await page.click(".row .row-button");
  await page.locator(".hl7-segment").first().waitFor();
  const wide = await page.evaluate<boolean>(
    `document.documentElement.scrollWidth > document.documentElement.clientWidth`,
  );
  assertEquals(wide, false);
  await page.click('[aria-label="Back to the list"]');
  await page.locator(".row .row-title").first().waitFor();
}, { plugins: [hl7], width: 390, height: 780 });
