import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { as2 } from "../../plugins/as2/mod.ts";
import { type As2Entity, compress, encrypt, postAs2, sign, wrap } from "../support/as2.ts";
import { browserTest, type Stage } from "../support/browser.ts";
import type { TestService } from "../support/service.ts";

const EDIFACT = "UNA:+.? 'UNB+UNOC:3+A+B+240101:1200+9'UNH+1+ORDERS:D:01B:UN'" +
  "BGM+220+PO?+128576+9'NAD+BY+4012345000009::9++Böhm ?'n Söhne'UNT+4+1'UNZ+1+9'";
const X12 =
  "ISA*00*          *00*          *ZZ*ACME           *ZZ*STANDIN        *240101*1200*^*00501*" +
  "000000905*0*T*:~\nGS*PO*A*B*20240101*1200*1*X*005010~\nST*850*0001~\nBEG*00*SA*XX-1234~\n" +
  "SE*3*0001~\nGE*1*1~\nIEA*1*000000905~\n";
const SIGNED_RECEIPT = {
  "disposition-notification-options":
    "signed-receipt-protocol=optional, pkcs7-signature; signed-receipt-micalg=optional, sha-256",
};

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const plain = (text = X12): As2Entity => ({ type: "application/edi-x12", body: bytes(text) });
const entity = (text: string): Uint8Array<ArrayBuffer> =>
  bytes(
    `Content-Type: application/edifact\r\nContent-Disposition: attachment; filename=orders.edi\r\n\r\n${text}`,
  );

/** A message that is compressed, signed and encrypted. */
async function sendAll(service: TestService, name = "Ada Lovelace Ltd"): Promise<string> {
  const pem = await (await fetch(`${service.ingress.url}/as2/certificate`)).text();
  const signed = await sign(wrap(compress(entity(EDIFACT))), { name });
  const { id } = await postAs2(service, await encrypt(wrap(signed), pem), {
    ...SIGNED_RECEIPT,
    subject: "Order 128576",
  });
  return id;
}

async function sendPlain(service: TestService, subject: string, text?: string): Promise<string> {
  return (await postAs2(service, plain(text), { subject })).id;
}

const titles = async ({ page }: Stage): Promise<string[]> =>
  await page.locator(".row .row-title").allInnerTexts();

for (const scheme of ["light", "dark"] as const) {
  browserTest(
    `AS2 messages are listed with their protection and outcome, live, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open, until } = stage;
      await sendPlain(service, "First order");
      await open("/ui/as2/");
      await page.locator(".row").first().waitFor();
      assertEquals(await titles(stage), ["First order"]);
      const row = await page.locator(".row").first().innerText();
      for (const text of ["partner → standin", "x12", "plain", "processed"]) {
        assertStringIncludes(row, text);
      }
      // Live, without a reload.
      await sendAll(service);
      await until(`document.querySelectorAll(".row").length === 2`);
      const newest = await page.locator(".row").first().innerText();
      for (const text of ["Order 128576", "edifact", "signed", "encrypted", "compressed"]) {
        assertStringIncludes(newest, text);
      }
      const cut = { type: "application/pkcs7-mime", body: bytes("no CMS") };
      await postAs2(service, cut);
      await until(`document.querySelectorAll(".row .as2-outcome.bad").length === 1`);
      assertEquals(
        await page.locator(".row .as2-outcome.bad").first().innerText(),
        "unexpected-processing-error",
      );
      assertEquals(stage.foreign, []);
    },
    { plugins: [as2], scheme },
  );

  browserTest(
    `a message is unwrapped layer by layer, with its certificates and its receipt, in ${scheme} colours`,
    async (stage) => {
      const { page, service, open } = stage;
      await open(`/ui/as2/?id=${await sendAll(service)}`);
      await page.click('[data-tab="layers"]');
      await page.locator(".as2-layer").first().waitFor();
      const layers = await page.locator(".as2-layer").allInnerTexts();
      assertEquals(layers.map((text) => text.split(/\s/)[0]), [
        "HTTP",
        "Encrypted",
        "Signed",
        "Compressed",
        "Document",
      ]);
      assertStringIncludes(layers[1]!, "AES-256-CBC, RSAES-OAEP");
      assertStringIncludes(layers[2]!, "RSA-SHA256");
      assertStringIncludes(layers[2]!, "O=standin, CN=Ada Lovelace Ltd");
      assertStringIncludes(layers[3]!, "zlib");
      assertStringIncludes(layers[3]!, `${entity(EDIFACT).length} bytes`);
      assertStringIncludes(layers[4]!, "orders.edi");
      await page.click('[data-tab="certificates"]');
      const certificate = await page.locator(".as2-certificate").first().innerText();
      for (const text of ["RSA 2048", "self-signed", "CN=Ada Lovelace Ltd", "Valid to"]) {
        assertStringIncludes(certificate, text);
      }
      assertMatch(certificate, /([0-9A-F]{2}:){31}[0-9A-F]{2}/);
      await page.click('[data-tab="receipt"]');
      await page.locator("pre.plain").first().waitFor();
      const receipt = await page.locator('[role="tabpanel"]').innerText();
      for (
        const text of ["signed content", "in the receipt", "MDN-sent-automatically; processed"]
      ) {
        assertStringIncludes(receipt, text);
      }
      const sent = await page.locator("pre.plain").first().innerText();
      assertMatch(sent, /Received-Content-MIC: [^\n]+, sha-256/);
      assertStringIncludes(sent, "application/pkcs7-signature");
      assertEquals(stage.foreign, []);
    },
    { plugins: [as2], scheme },
  );
}

browserTest(
  "EDIFACT is a tree of named segments beside its text, and both point at each other",
  async (stage) => {
    const { page, service, open } = stage;
    await open(`/ui/as2/?id=${await sendAll(service)}`);
    await page.locator(".as2-segment").first().waitFor();
    assertEquals(
      await page.locator(".as2-segment-head code").allInnerTexts(),
      ["UNA", "UNB", "UNH", "BGM", "NAD", "UNT", "UNZ"],
    );
    const nad = await page.locator(".as2-segment").nth(4).innerText();
    for (const text of ["Name and address", "NAD+2.1", "4012345000009", "Böhm 'n Söhne"]) {
      assertStringIncludes(nad, text);
    }
    assertStringIncludes(await page.locator(".as2-segment").nth(3).innerText(), "PO+128576");
    assertStringIncludes(await page.locator(".as2-separators").innerText(), "release ?");
    await page.locator(".as2-segment-head").nth(4).click();
    assertEquals(
      (await page.locator(".as2-text .picked").first().innerText()).trim(),
      "NAD+BY+4012345000009::9++Böhm ?'n Söhne'",
    );
    await page.locator(".as2-text > span").nth(3).click();
    const picked = page.locator(".as2-segment.picked");
    assertEquals([await picked.count(), await picked.locator("code").first().innerText()], [
      1,
      "BGM",
    ]);
  },
  { plugins: [as2] },
);

browserTest("a certificate chain leads from the signer to its issuer", async (stage) => {
  const { page, service, open } = stage;
  const authorities = ["Middle", "Root"];
  const past = new Date("2000-01-01T00:00:00Z");
  const signed = await sign(entity(EDIFACT), { name: "Old Partner", now: past, authorities });
  const { id } = await postAs2(service, signed);
  await open(`/ui/as2/?id=${id}`);
  await page.click('[data-tab="certificates"]');
  await page.locator(".as2-certificate").first().waitFor();
  const cards = await page.locator(".as2-certificate").allInnerTexts();
  const subjects = cards.map((card) => [/^\w+/.exec(card)![0], /CN=(.*)/.exec(card)![1]]);
  assertEquals(subjects, [["Signer", "Old Partner"], ["Issuer", "Middle"], ["Issuer", "Root"]]);
  assertStringIncludes(cards[0]!, "expired");
  assertEquals(cards.map((card) => card.includes("self-signed")), [false, false, true]);
  const facts = await page.locator('[role="tabpanel"] .as2-facts').first().innerText();
  assertStringIncludes(facts, "The content matches the signature");
  assertStringIncludes(facts, "no partner certificate is configured");
}, { plugins: [as2] });

browserTest("X12 is nested by envelope, with its own separators", async (stage) => {
  const { page, service, open } = stage;
  await open(`/ui/as2/?id=${await sendPlain(service, "An order")}`);
  await page.locator(".as2-segment").first().waitFor();
  assertEquals(await page.locator(".as2-segment.depth-3 code").first().innerText(), "BEG");
  assertEquals(await page.locator(".as2-segment.depth-2 .as2-segment-head code").allInnerTexts(), [
    "ST",
    "SE",
  ]);
  const beg = await page.locator(".as2-segment.depth-3").first().innerText();
  for (const text of ["Beginning of purchase order", "BEG03", "XX-1234", "Order number"]) {
    assertStringIncludes(beg, text);
  }
  assertStringIncludes(await page.locator(".as2-separators").innerText(), "repetition ^");
}, { plugins: [as2] });

browserTest("the sender's digest is compared with every reading", async (stage) => {
  const { page, service, open } = stage;
  const id = await sendPlain(service, "An order");
  const { message } = await service.getJson<
    { message: { alternate_mics: { digest: string }[] } }
  >(`/as2/messages/${id}`);
  await open(`/ui/as2/?id=${id}`);
  await page.click('[data-tab="receipt"]');
  await page.locator(".as2-mics").waitFor();
  assertEquals(await page.locator(".as2-mics tbody tr").count(), 2);
  await page.fill("#as2-theirs", `${message.alternate_mics[0]!.digest}, sha256`);
  await page.getByText("The same: headers and content").waitFor();
  assertEquals(await page.locator(".as2-mics tr.match").count(), 1);
  await page.fill("#as2-theirs", "AAAA");
  await page.getByText("None of these").waitFor();
}, { plugins: [as2] });

browserTest("AS2 filters narrow the list and are kept in the URL", async (stage) => {
  const { page, service, open, until } = stage;
  await sendAll(service);
  await sendPlain(service, "An order");
  await open("/ui/as2/?security=signed,encrypted&format=edifact");
  await page.locator(".row").first().waitFor();
  assertEquals(await titles(stage), ["Order 128576"]);
  await page.click("text=Clear filters");
  await until(`document.querySelectorAll(".row").length === 2`);
  await page.fill('[aria-label="Search messages"]', "an order");
  await until(`document.querySelectorAll(".row").length === 1`);
  assertEquals(await titles(stage), ["An order"]);
  await page.fill('[aria-label="Search messages"]', "nothing like it");
  await page.getByText("No message matches").waitFor();
}, { plugins: [as2] });

browserTest("the AS2 tab supports keys, deletes after asking, and clears", async (stage) => {
  const { page, service, open, until } = stage;
  await sendPlain(service, "One");
  await sendPlain(service, "Two");
  await open("/ui/as2/");
  await page.locator(".row").first().waitFor();
  await page.keyboard.press("j");
  await until(`document.querySelector(".item-head h2")?.innerText === "Two"`);
  await page.keyboard.press("j");
  await until(`document.querySelector(".item-head h2")?.innerText === "One"`);
  await page.keyboard.press("#");
  await page.click("dialog .button.danger");
  await until(`document.querySelectorAll(".row").length === 1`);
  assertEquals(service.events.count("as2"), 1);
  await page.click('[aria-label="Clear all messages"]');
  await page.click("dialog .button.danger");
  await page.getByText("No AS2 messages yet").waitFor();
  assertEquals(service.events.count("as2"), 0);
}, { plugins: [as2] });

browserTest("an empty AS2 tab says how to send, and offers the certificate", async (stage) => {
  const { page, service, open } = stage;
  await open("/ui/as2/");
  await page.getByText("No AS2 messages yet").waitFor();
  assertStringIncludes(
    await page.locator(".howto pre").innerText(),
    `curl -sS ${service.ingress.url}/as2`,
  );
  const link = page.locator('.as2-identity a:has-text("Download the certificate")');
  await link.waitFor();
  const href = await link.getAttribute("href");
  const pem = await (await fetch(`${service.api.url}${href}`)).text();
  assertStringIncludes(pem, "BEGIN CERTIFICATE");
  await page.click("text=Copy as PEM");
  await page.getByText("Copied").waitFor();
  assertEquals(await page.evaluate<string>("navigator.clipboard.readText()"), pem);
  assertStringIncludes(await page.locator(".as2-certificate").innerText(), "CN=standin AS2");
}, { plugins: [as2] });

browserTest("hostile AS2 messages stay text, and huge ones are truncated", async (stage) => {
  const { page, service, open } = stage;
  const hostile = "<img src=https://evil.example/x onerror=alert(1)>";
  const document = `UNA:+.? 'UNB+UNOC:3+${hostile}\u202e+B'UNH+1+${"x".repeat(5000)}'` +
    `${hostile}+1'${"FTX+1'".repeat(500)}`;
  const signed = await sign(
    bytes(`Content-Type: application/edifact; name="${hostile}"\r\n\r\n${document}`),
    { name: `${hostile}\u202e` },
  );
  const { id } = await postAs2(service, signed, {
    ...SIGNED_RECEIPT,
    "as2-from": hostile,
    "message-id": `<${hostile}>`,
    subject: hostile,
    "user-agent": hostile,
    "receipt-delivery-option": "https://evil.example/receipt",
  });
  await open(`/ui/as2/?id=${id}`);
  await page.locator(".as2-segment").first().waitFor();
  const shown = await page.locator(".as2-segment").nth(1).innerText();
  assertStringIncludes(shown, "<img src=");
  assertStringIncludes(shown, "U+202E");
  assertEquals(await page.locator(".as2-segment").count(), 200);
  assertStringIncludes(await page.locator(".as2-facts").first().innerText(), "never contacted");
  for (const tab of ["layers", "certificates", "receipt", "raw", "json"]) {
    await page.click(`[data-tab="${tab}"]`);
    await page.locator(`[data-tab="${tab}"][aria-selected="true"]`).waitFor();
    if (tab !== "layers") await page.getByText("evil.example").first().waitFor();
    assertEquals(await page.locator(".as2-detail img, .row img").count(), 0);
  }
  assertEquals(stage.foreign, []);
}, { plugins: [as2] });

browserTest("at 400 pixels the AS2 tab shows either the list or the message", async (stage) => {
  const { page, service, open } = stage;
  await sendAll(service);
  await open("/ui/as2/");
  await page.click(".row .row-button");
  await page.locator(".as2-segment").first().waitFor();
  for (const tab of ["document", "layers", "certificates", "receipt", "raw"]) {
    await page.click(`[data-tab="${tab}"]`);
    await page.locator(`[data-tab="${tab}"][aria-selected="true"]`).waitFor();
    const wide = await page.evaluate<boolean>(
      `document.documentElement.scrollWidth > document.documentElement.clientWidth`,
    );
    assertEquals([tab, wide], [tab, false]);
  }
  await page.click('[aria-label="Back to the list"]');
  await page.locator(".row .row-title").first().waitFor();
}, { plugins: [as2], width: 400, height: 800 });
