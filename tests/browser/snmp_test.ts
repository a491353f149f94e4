import { assertEquals, assertStringIncludes } from "@std/assert";
import { snmp } from "../../plugins/snmp/mod.ts";
import { browserTest } from "../support/browser.ts";
import type { TestService } from "../support/service.ts";

/** A linkDown trap of version 2c with ifIndex.2, an ifDescr.2 that is markup, and a float wrapped in an Opaque. */
const TRAP = Uint8Array.fromHex(
  "30819002010104067075626c6963a781820201010201000201003077300e06082b0601020101" +
    "0300430201003017060a2b06010603010104010006092b0601060301010503300f060a2b0601" +
    "02010202010102020102302a060a2b060102010202010202041c3c696d67207372633d78206f" +
    "6e6572726f723d616c6572742831293e300f06042b06010944079f780440500000",
);

async function send(service: TestService, bytes: Uint8Array): Promise<string> {
  const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
  const { port } = service.endpoint("trap");
  await socket.send(bytes, { hostname: "127.0.0.1", port, transport: "udp" });
  socket.close();
  return (await service.waitFor("snmp.trap")).id;
}

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `traps are in the generic list, with names beside the numbers, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open } = stage;
      await open("/ui/snmp/");
      const id = await send(service, TRAP);
      await page.locator(".row").first().waitFor();
      const row = await page.locator(".row").first().innerText();
      for (const text of ["linkDown", "127.0.0.1:", "ifIndex.2 = 2"]) {
        assertStringIncludes(row, text);
      }
      await open(`/ui/events/${id}`);
      // The name of the trap is the title, and the bindings come first.
      await page.locator(".varbinds").waitFor();
      assertEquals(await page.locator(".event-head h2").innerText(), "linkDown");
      const facts = await page.locator(".event .facts").innerText();
      assertEquals(facts.match(/127\.0\.0\.1:\d+/g)?.length, 1);
      for (const text of ["Version", "2c", "Community", "public"]) {
        assertStringIncludes(facts, text);
      }
      const rows = await page.locator(".varbinds tbody tr").allInnerTexts();
      assertEquals(rows.length, 5);
      const expected = [
        ["sysUpTime.0", "1.3.6.1.2.1.1.3.0", "TimeTicks", "256"],
        ["snmpTrapOID.0", "1.3.6.1.6.3.1.1.5.3", "linkDown"],
        ["ifIndex.2", "Integer", "2"],
        ["ifDescr.2", "OctetString", "<img src=x onerror=alert(1)>"],
        ["1.3.6.1.9", "Opaque (hex)", "9f780440500000", "Float 3.25"],
      ];
      for (const [at, texts] of expected.entries()) {
        for (const text of texts) assertStringIncludes(rows[at]!, text);
      }
      assertEquals(await page.locator(".event img").count(), 0);
      await page.click('[role="tab"]:has-text("Raw")');
      await page.getByText("30 81").first().waitFor();
      assertEquals(stage.foreign, []);
    },
    { plugins: [snmp], scheme },
  );
}

browserTest("a datagram other than a trap shows the reason and its octets", async (stage) => {
  const { page, service, open } = stage;
  const id = await send(service, new TextEncoder().encode("hello"));
  await open(`/ui/events/${id}`);
  await page.getByText("undecodable datagram (5 bytes)").first().waitFor();
  const payload = await page.locator(".event-view").innerText();
  assertStringIncludes(payload, "expected tag 0x30, got 0x68");
  assertEquals(await page.locator('[role="tab"]:has-text("Varbinds")').count(), 0);
}, { plugins: [snmp] });

browserTest(
  "events without a tab are stepped through, pinned, and marked as unread",
  async (stage) => {
    const { page, service, open, until } = stage;
    for (let sent = 0; sent < 3; sent++) await send(service, TRAP);
    await until(() => service.events.list({ plugin: "snmp" }).length === 3);
    const [newest, middle, oldest] = service.events.list({ plugin: "snmp" }).map(({ id }) => id);
    await open("/ui/snmp/");
    await page.locator(".row").nth(2).waitFor();
    await page.click(`.row[data-id="${newest}"] .row-button`);
    await page.locator('.item-bar [aria-label="Previous (k)"][disabled]').waitFor();
    await page.click('.item-bar [aria-label="Next (j)"]');
    await until(`new URLSearchParams(location.search).get("id") === "${middle}"`);
    await page.locator(".varbinds").waitFor();
    await page.click('.item-bar [aria-label="Mark as unread (u)"]');
    await page.locator(`.row[data-id="${middle}"] .unread`).waitFor();
    await page.keyboard.press("j");
    await until(`new URLSearchParams(location.search).get("id") === "${oldest}"`);
    await page.locator('.item-bar [aria-label="Next (j)"][disabled]').waitFor();
    await page.keyboard.press("p");
    await until(`document.querySelector(".row").dataset.id === "${oldest}"`);
    await page.locator(`.row[data-id="${oldest}"] .row-pin`).waitFor();
    // Deleting one shows the next.
    await page.click(".item-bar .danger");
    await page.click("dialog .danger");
    await until(`new URLSearchParams(location.search).get("id") === "${newest}"`);
    await until(`document.querySelectorAll(".row").length === 2`);
    // Both that are left are ticked, then deleted.
    await page.keyboard.press("X");
    await page.getByText("2 selected").waitFor();
    await page.click('.chosen-bar [aria-label="Delete 2 events"]');
    await page.click("dialog .danger");
    await page.getByText("Nothing captured yet").waitFor();
    assertEquals(service.events.list({ plugin: "snmp" }).length, 0);
  },
  { plugins: [snmp] },
);

browserTest("at 900 pixels the actions of an event are one line", async (stage) => {
  const { page, service, open } = stage;
  await open(`/ui/snmp/?id=${await send(service, TRAP)}`);
  await page.locator(".varbinds").waitFor();
  const tops = await page.evaluate<number[]>(
    `[...document.querySelectorAll(".item-bar button:not(.back), .item-bar a")].map((action) =>
      Math.round(action.getBoundingClientRect().top))`,
  );
  assertEquals(tops.length, 7);
  assertEquals(new Set(tops).size, 1);
}, { plugins: [snmp], width: 900, height: 900 });
