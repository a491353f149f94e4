/**
 * Bodies over the limit of the ingress, sent by clients that read the response only after sending
 * everything.
 */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client } from "npm:@sendgrid/client@8.1.6";
import { MailService } from "npm:@sendgrid/mail@8.1.6";
import { mail } from "../../plugins/mail/mod.ts";
import { clientTest, requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

/** More than the buffers of a connection hold. */
const LONG_BYTES = 80 * 1024 * 1024;
const ANSWER = '{"errors":[{"message":"payload too large","field":null,"help":null}]}';

interface About {
  readonly service: TestService;
  readonly url: string;
  /** File with a body that is too long. */
  readonly file: string;
}

/** Runs clients against a service, and looks for a record of each refusal. */
async function withLongBody(
  refusals: number,
  run: (about: About) => Promise<void>,
): Promise<void> {
  const file = await Deno.makeTempFile();
  try {
    await Deno.truncate(file, LONG_BYTES);
    await using service = await startService({ plugins: [mail] });
    await run({ service, url: `${service.ingress.url}/v3/mail/send`, file });
    const records = await service.getJson<{ status: number; path: string }[]>("/rejected");
    assertEquals(
      records.map(({ status, path }) => [status, path]),
      Array(refusals).fill([413, "/v3/mail/send"]),
    );
    assertEquals(service.log, []);
  } finally {
    await Deno.remove(file);
  }
}

clientTest("curl reads why a body is too long", ["curl"], async ({ curl }) => {
  const ways = [[], ["-H", "Expect:"], ["-H", "Transfer-Encoding: chunked"], [
    "--http2-prior-knowledge",
  ]];
  await withLongBody(ways.length, async ({ url, file }) => {
    for (const way of ways) {
      const args = ["--silent", "--show-error", ...way, "--data-binary", `@${file}`, url];
      const { stdout } = await runOk(curl, [...args, "-w", " %{http_code}"]);
      assertEquals(stdout, `${ANSWER} 413`, way.join(" "));
    }
  });
});

clientTest("Node reads why a body is too long", ["node"], async ({ node }) => {
  const script = `
    const { request } = require("node:http");
    const sent = request(process.argv[1], { method: "POST" }, (response) => {
      response.setEncoding("utf8");
      response.on("data", (text) => process.stdout.write(response.statusCode + " " + text));
    });
    sent.end(Buffer.alloc(${LONG_BYTES}));`;
  await withLongBody(1, async ({ url }) => {
    assertEquals((await runOk(node, ["-e", script, url])).stdout, `413 ${ANSWER}`);
  });
});

Deno.test("requests reads why a body is too long", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  const script = `
import requests, sys
answer = requests.post(sys.argv[1], data=bytes(${LONG_BYTES}))
print(answer.status_code, answer.text, end="")`;
  await withLongBody(1, async ({ url }) => {
    const { stdout } = await runOk(python, ["-c", script, url], { env: { NO_PROXY: "*" } });
    assertEquals(stdout, `413 ${ANSWER}`);
  });
});

Deno.test("the vendor's SDK reads why a mail is too long", async () => {
  await withLongBody(1, async ({ service }) => {
    const client = new Client();
    const sendgrid = new MailService();
    sendgrid.setClient(client);
    sendgrid.setApiKey("SG.key");
    client.setDefaultRequest("baseUrl", service.ingress.url);
    const error = await assertRejects(() =>
      sendgrid.send({
        to: "a@example.com",
        from: "s@example.com",
        subject: "Long",
        text: "x".repeat(LONG_BYTES),
      })
    );
    assertStringIncludes(JSON.stringify(error), "payload too large");
  });
});
