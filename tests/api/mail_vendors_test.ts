/** Mail vendors share one port, and some share path prefixes: none answers another's requests. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { IngressProvider, PluginState } from "../../core/plugin.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { RawClient } from "../support/raw_http.ts";
import { startService, type TestService } from "../support/service.ts";

type Vendor = IngressProvider<OptionSet, PluginState>;

const VENDORS = mail.providers.filter(({ kind }) => kind === "ingress") as unknown as Vendor[];

/** The credential that a vendor's own clients send. */
const SENT: Readonly<Record<string, string>> = {
  mail1: "Authorization: Basic YTpi",
  mail2: "Authorization: Bearer SG.x",
  mail3: "Authorization: Bearer re_x",
  mail4: "X-Postmark-Server-Token: x",
  mail5: "Authorization: Basic YXBpOng=",
  mail6: "Authorization: AWS4-HMAC-SHA256 Credential=x/20260101/eu-west-1/ses/aws4_request",
  mail7: "api-key: x",
};

/** Answers to the calls that need no body; any other call is refused without one. */
const NEEDS_NO_BODY: Readonly<Record<string, RegExp>> = {
  "/v3/mail/batch": /^\{"batch_id":"\w{32}"\}$/,
};

async function post(
  { ingress }: TestService,
  path: string,
  headers: readonly string[],
): Promise<string> {
  using client = await RawClient.connect(ingress.port);
  const lines = [`POST ${path} HTTP/1.1`, "Content-Length: 0", "Connection: close", ...headers];
  await client.send(`${lines.join("\r\n")}\r\n\r\n`);
  return (await client.answer()).body;
}

Deno.test("each mail vendor answers its own calls, under its own host and under localhost", async () => {
  await using service = await startService({ plugins: STANDARD_PLUGINS });
  assertEquals(Object.keys(SENT), VENDORS.map(({ id }) => id));
  for (const { id, routes, vendorHosts = [] } of VENDORS) {
    const calls = routes.filter(({ method, unlisted }) => method === "POST" && !unlisted);
    assert(calls.length > 0, id);
    for (const { path } of calls) {
      const target = path.replace("{domain}", "mg.example.com").replaceAll(/\{\w+\}/g, "x");
      for (const host of ["localhost", vendorHosts[0]!]) {
        const body = await post(service, target, [`Host: ${host}`, SENT[id]!]);
        if (Object.hasOwn(NEEDS_NO_BODY, path)) {
          assertMatch(body, NEEDS_NO_BODY[path]!);
          continue;
        }
        const [latest] = service.rejected.list({});
        assertEquals([latest!.path, latest!.provider], [target, id], `${host}: ${body}`);
      }
    }
  }
});

Deno.test("the host decides when several vendors have the path", async () => {
  await using service = await startService({ plugins: STANDARD_PLUGINS });
  // A Mailgun domain may have any name.
  const form = "Content-Type: application/x-www-form-urlencoded";
  const mailgun = await post(service, "/v3/smtp/messages", ["Host: api.mailgun.net", form]);
  assertEquals(mailgun, '{"message":"from parameter is missing"}');
  const brevo = await post(service, "/v3/smtp/messages", ["Host: api.brevo.com", form]);
  assert(brevo.includes("no enabled provider accepts it"));
  const ses = await post(service, "/", ["Host: email.eu-west-1.amazonaws.com", form]);
  assert(ses.includes("<Code>MissingAction</Code>"));
  const root = await post(service, "/", ["Host: api.sendgrid.com"]);
  assert(root.includes("no enabled provider accepts it"));
});
