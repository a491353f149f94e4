/**
 * The page of faults: rules are listed with their hits, added with a form, and linked from the
 * affected items.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SENDERS } from "../support/event_senders.ts";
import { browserTest, sendMail, type Stage } from "../support/browser.ts";

/** Sends a mail to the SendGrid provider; returns the status of the response. */
async function send({ service }: Stage, to = "ada@example.org"): Promise<number> {
  const response = await fetch(`${service.ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { authorization: "Bearer SG.key", "content-type": "application/json" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: to }] }],
      from: { email: "shop@example.com" },
      subject: "Invoice",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
  });
  await response.body?.cancel();
  return response.status;
}

async function addFault({ service }: Stage, rule: unknown): Promise<{ readonly id: string }> {
  const response = await fetch(`${service.api.url}/api/v1/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(rule),
  });
  assertEquals(response.status, 201, await response.clone().text());
  return await response.json();
}

/** Selects the field under a label of the form. */
const field = (label: string) =>
  `.field:has(label:text-is("${label}")) input, .field:has(label:text-is("${label}")) select`;

browserTest(
  "the form adds a fault, which counts its hits and is linked from a refusal",
  async (stage) => {
    const { page, service, open, until } = stage;
    await open("/ui/");
    await page.click('.nav-item[href="/ui/faults/"]');
    await page.getByText("Every provider answers as usual").waitFor();
    await page.selectOption(field("Provider"), "mail/mail2");
    await page.selectOption(field("Outcome"), "rate_limit");
    await page.fill(field("retry_after"), "7");
    await page.click("text=Add an outcome for the next hit");
    await page.selectOption(field("Outcome of hit 2"), "server_error");
    await page.click("text=Add a condition");
    await page.fill('[aria-label="Path"]', "to[*].email");
    await page.fill('[aria-label="Value"]', "ada@example.org");
    await page.fill(field("Name"), "busy <b>then</b> broken");
    await page.click("text=Add fault");
    await page.locator(".fault-count").waitFor();
    const { faults: [fault] } = await service.getJson<{ faults: Record<string, unknown>[] }>(
      "/faults",
    );
    assertEquals(fault?.outcome, ["rate_limit", "server_error"]);
    assertEquals(fault?.with, { retry_after: 7 });
    assertEquals(fault?.match, { "to[*].email": "ada@example.org" });
    assertEquals(await send(stage, "bob@example.org"), 202);
    assertEquals(await send(stage), 429);
    await until(`document.querySelector(".fault-count").innerText === "1 hit of 1 match"`);
    assertEquals(await page.locator(".row .fault-hits").innerText(), "1 hit");
    assertEquals(await send(stage), 500);
    assertEquals(await send(stage), 202);
    await until(`document.querySelector(".row").innerText.includes("spent")`);
    await page.click('.nav-item[href="/ui/rejected/"]');
    await page.click(".row-button");
    assertStringIncludes(await page.locator(".fault-chip").innerText(), "busy <b>then</b> broken");
    await page.click(".fault-chip");
    await until(`document.querySelector(".fault-count")?.innerText === "2 hits of 2 matches"`);
    await page.click('.item-actions [aria-label="Delete"]');
    await page.click("dialog .danger");
    await page.getByText("Every provider answers as usual").waitFor();
  },
);

browserTest("an event that was captured and failed links to its fault", async (stage) => {
  const { page, service, open } = stage;
  const { id } = await addFault(stage, { on: "mail/mail2", outcome: "reset", after: true });
  await send(stage).catch(() => {});
  const [event] = await service.getJson<{ id: string }[]>("/events");
  await open(`/ui/events/${event!.id}`);
  await page.click(".event-facts .fault-chip");
  await page.locator(".fault-count").waitFor();
  assertEquals(await page.locator(".row.selected").getAttribute("data-id"), id);
  assertStringIncludes(await page.locator(".row.selected").innerText(), "SendGrid (mail2)");
  await open(`/ui/mail/?id=${event!.id}`);
  await page.locator(".mail-head .fault-chip").waitFor();
  const plain = await sendMail(service);
  await open(`/ui/events/${plain}`);
  await page.locator(".event-item").waitFor();
  assertEquals(await page.locator(".fault-chip").count(), 0);
});

browserTest("the service's errors appear beside the form", async (stage) => {
  const { page, service, open } = stage;
  await open("/ui/faults/?new=yes");
  await page.fill(field("Delay"), "soon");
  await page.click("text=Add fault");
  await page.locator(".form-problem").waitFor();
  assertStringIncludes(await page.locator(".form-problem").innerText(), "Cannot use delay");
  await page.fill(field("Delay"), "");
  await page.click("text=Add a condition");
  await page.fill('[aria-label="Path"]', "to");
  await page.selectOption('[aria-label="How"]', "json");
  await page.fill('[aria-label="Value"]', '{"contain":1}');
  await page.click("text=Add fault");
  const problem = page.getByText("did you mean contains?");
  await problem.waitFor();
  await page.fill('[aria-label="Value"]', "{");
  await page.locator(".fault-code :text('expected JSON')").waitFor();
  await page.fill('[aria-label="Value"]', '{"contains":1}');
  await page.click("text=Add fault");
  await page.locator(".fault-count").waitFor();
  assertEquals((await service.getJson<{ count: number }>("/faults")).count, 1);
}, { expected: /status of 400/ });

browserTest("the service accepts every example rule", async (stage) => {
  const { page, service, open } = stage;
  await open("/ui/faults/");
  await page.locator(".fault-example").first().waitFor();
  const examples = page.locator(".fault-example code");
  const texts = await examples.allInnerTexts();
  assert(texts.some((text) => text.startsWith("SendGrid (mail2) ")), texts.join());
  const places: string[] = [];
  for (let at = 0; at < texts.length; at++) {
    places.push(await examples.nth(at).getAttribute("title") ?? "");
  }
  const { outcomes } = await service.getJson<{ outcomes: { on: string }[] }>("/faults/outcomes");
  const pluginOf = (on: string) => on.split("/")[0];
  assertEquals(
    new Set(places.map(pluginOf)),
    new Set(outcomes.map(({ on }) => pluginOf(on))),
  );
  for (let at = 0; at < places.length; at++) {
    await page.locator(".fault-example").nth(at).click();
    await page.locator(".fault-code pre").waitFor();
    await page.click("text=Add fault");
    await page.locator(".fault-count").waitFor();
    const { faults: [fault] } = await service.getJson<{ faults: { on: string }[] }>("/faults");
    assertEquals(fault!.on, places[at]);
    await stage.settle();
    await fetch(`${service.api.url}/api/v1/faults`, { method: "DELETE" });
    await page.locator(".fault-example").first().waitFor();
  }
});

browserTest(
  "a rule is copied as TOML, curl and TypeScript, and the copies make the same rule",
  async (stage) => {
    const { page, service, open } = stage;
    const rule = {
      on: "mail/mail2",
      outcome: ["rate_limit"],
      match: { subject: { contains: 'it\'s "here"' } },
      with: { retry_after: 2 },
    };
    const { id } = await addFault(stage, rule);
    await open(`/ui/faults/?id=${id}`);
    const copied = async (language: string) => {
      await page.click(`[data-tab=${language}]`);
      await page.click('.snippet [aria-label="Copy"]');
      return await page.evaluate<string>("navigator.clipboard.readText()");
    };
    assertEquals(
      await copied("TOML"),
      String.raw`[[faults]]
on = "mail/mail2"
outcome = ["rate_limit"]
match = { subject = { contains = "it's \"here\"" } }
with = { retry_after = 2 }`,
    );
    const script = await copied("TypeScript");
    assertStringIncludes(script, `connect("${service.ui.url}")`);
    assertStringIncludes(script, `match: { subject: { contains: "it's \\"here\\"" } },`);
    const curl = await copied("curl");
    await page.reload();
    await page.locator(".fault-count").waitFor();
    const { success } = await new Deno.Command("sh", { args: ["-c", curl], stdout: "null" })
      .output();
    assert(success);
    const { faults } = await service.getJson<{ faults: Record<string, unknown>[] }>("/faults");
    const { id: _, ...second } = faults[1]!;
    const { id: __, ...first } = faults[0]!;
    assertEquals(second, first);
  },
);

browserTest(
  "rules from the file survive clearing, and j, k, n, # and Escape work",
  async (stage) => {
    const { page, service, open, until } = stage;
    await addFault(stage, {
      on: "mail/smtp",
      outcome: "spam",
      name: "<img src=x onerror=alert(1)>\u202egpj",
    });
    await open("/ui/faults/");
    await page.locator(".row").nth(1).waitFor();
    assertStringIncludes(await page.locator(".row").nth(0).innerText(), "file");
    assertEquals(await page.locator(".list img").count(), 0);
    await page.locator(".row .unseen").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await until(`document.querySelector(".row.selected .unseen") !== null`);
    await page.keyboard.press("n");
    await until(`document.activeElement.tagName === "SELECT"`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await page.keyboard.press("#");
    await page.locator(".toast").waitFor();
    assertEquals((await service.getJson<{ count: number }>("/faults")).count, 2);
    await page.click('[aria-label="Clear"]');
    assertStringIncludes(await page.locator("dialog").innerText(), "Clear 1 fault?");
    await page.click("dialog .danger");
    await until(`document.querySelectorAll(".row").length === 1`);
    assertEquals(await page.getByText("of the file").count() > 0, true);
  },
  {
    config: {
      faults: [{ on: "mail", outcome: "server_error", name: "of the file", chance: 0.001 }],
    },
  },
);

browserTest("every tab marks items that met a fault", async (stage) => {
  const { page, service, open } = stage;
  for (
    const [on, outcome, sender] of [
      ["sms/sms1", "server_error", "sms1"],
      ["chat/chat1", "server_error", "chat1"],
      ["s3/http", "slow_down", "s3"],
      ["files/tftp", "io_error", "tftp"],
      ["snmp/trap", "no_access", "trap"],
    ] as const
  ) {
    await addFault(stage, { on, outcome, after: true, name: "late" });
    const where = { ingress: service.ingress.url, endpoint: (id: string) => service.endpoint(id) };
    const { send, close } = await SENDERS[sender]!(where);
    await send("hello", () => {}).catch(() => {});
    await close?.();
  }
  for (const tab of ["sms", "chat", "s3", "files", "snmp"]) {
    await open(`/ui/${tab}/`);
    if (tab === "sms" || tab === "chat") await page.locator(".row-button").first().click();
    const mark = page.locator(".fault-chip, .fault-mark").first();
    await mark.waitFor();
    assertStringIncludes(await mark.textContent() ?? "", "late", tab);
  }
});

browserTest("a rule named after its outcome shows its limits instead", async (stage) => {
  const { page, open } = stage;
  const on = "mail/mail2";
  await addFault(stage, { on, outcome: "rate_limit", name: "busy" });
  await addFault(stage, { on, outcome: "rate_limit" });
  const match = { subject: "Invoice" };
  await addFault(stage, { on, outcome: "rate_limit", skip: 1, times: 2, match });
  await addFault(stage, { on: "mail/smtp", outcome: "no_mailbox", phase: "rcpt", ttl: "5m" });
  await open("/ui/faults/");
  await page.locator(".row .row-snippet").first().waitFor();
  assertEquals(await page.locator(".row .row-snippet").allInnerTexts(), [
    "rate_limit",
    "every match",
    "after 1 match · at most 2 hits · subject is Invoice",
    "phase rcpt · ends after 5m",
  ]);
});
