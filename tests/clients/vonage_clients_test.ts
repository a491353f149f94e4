import { assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { sms } from "../../plugins/sms/mod.ts";
import type { SmsMessage } from "../../plugins/sms/model.ts";
import { requireMaven, requirePython, runOk } from "../support/clients.ts";
import { javaCalls, proxyOptions } from "../support/java.ts";
import { startTrusted, type TrustedService } from "../support/tls.ts";

const TO = "447700900123";
const PINNED = { api_key: "key", api_secret: "secret" };

async function start(): Promise<TrustedService> {
  return await startTrusted({
    plugins: [sms],
    config: { plugins: { sms: { providers: { sms3: PINNED } } } },
  });
}

/** Writes the private key of an application, which the packages use to sign their tokens. */
async function privateKey({ folder }: TrustedService): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  ) as CryptoKeyPair;
  const bytes = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
  const lines = bytes.toBase64().match(/.{1,64}/g)!.join("\n");
  const path = `${folder}/private.key`;
  await Deno.writeTextFile(
    path,
    `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
  );
  return path;
}

/** Returns the captures, oldest first. */
function captured({ service }: TrustedService): CapturedEvent<SmsMessage>[] {
  return (service.events.list({ provider: "sms3" }) as CapturedEvent<SmsMessage>[]).reverse();
}

function refusals({ service }: TrustedService): readonly (number | undefined)[] {
  return service.rejected.list({ provider: "sms3" }).map(({ status }) => status).sort();
}

Deno.test("the vonage package for Python, configured with only a proxy and a CA, sends over both APIs", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using trusted = await start();
  const script = new URL("python/vonage_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, await privateKey(trusted)], {
    env: trusted.proxied,
  });
  const { long: [count, parts], ...seen } = JSON.parse(stdout);
  const [long, signed, byJwt, byKey, ...others] = captured(trusted);
  assertEquals(others, []);
  assertEquals([count, parts.length, parts[0]], ["2", 2, [TO, long!.meta.message_id, "0"]]);
  assertEquals(seen, {
    signed: signed!.meta.message_id,
    jwt: byJwt!.meta.message_id,
    key: byKey!.meta.message_id,
    wrong: "Sms.send_message method failed with error code 4: Bad Credentials",
    wrong_message: [401, "Unauthorized"],
    nobody: "Sms.send_message method failed with error code 3: to address is not numeric",
  });
  assertEquals([long!.payload.from, long!.payload.to], ["LOVELACE", TO]);
  assertMatch(long!.payload.body, /^Grüße aus Python & €: 👋\.+$/);
  const { type, client_ref, ttl, basic_auth } = long!.meta;
  assertEquals({ type, client_ref, ttl, basic_auth }, {
    type: "unicode",
    client_ref: "order-7",
    ttl: "60000",
    basic_auth: { username: "key", password: "secret" },
  });
  assertEquals([signed!.payload.body, signed!.meta.api_key], ["signed", "key"]);
  assertEquals([byJwt!.payload.body, byJwt!.meta.channel], ["Hello & bye", "sms"]);
  assertEquals(byJwt!.meta.client_ref, "order-8");
  const [failover] = byKey!.meta.failover as { text: string }[];
  assertEquals([byKey!.payload.body, failover!.text], ["by key", "again"]);
  assertEquals(refusals(trusted), [200, 200, 401]);
});

Deno.test("the server-sdk for Java, configured with only a proxy and a CA, sends over both APIs", async (t) => {
  const project = await requireMaven(t, "vonage");
  if (project === undefined) return;
  await using trusted = await start();
  const options = await proxyOptions(project, trusted);
  const seen = await javaCalls<Readonly<Record<string, unknown>> & { long: [number, string[]] }>(
    project,
    [await privateKey(trusted)],
    options,
  );
  const [message, long, binary, ...others] = captured(trusted);
  assertEquals(others, []);
  const { long: [count, parts], ...rest } = seen;
  assertEquals([count, parts.length, parts[0]], [2, 2, `OK ${long!.meta.message_id}`]);
  assertEquals(rest, {
    jwt: message!.meta.message_id,
    binary: [1, [`OK ${binary!.meta.message_id}`]],
    wrong: [1, ["INVALID_CREDENTIALS Bad Credentials"]],
    wrong_message: [401, "Unauthorized"],
  });
  assertEquals([message!.payload.body, message!.meta.client_ref], ["Hello & bye", "order-8"]);
  assertMatch(long!.payload.body, /^Grüße aus Java & €: 👋\.+$/);
  assertEquals([long!.meta.type, long!.meta.client_ref], ["unicode", "order-7"]);
  const { type, udh } = binary!.meta;
  assertEquals([binary!.payload.body.toLowerCase(), type, udh], ["01ab", "binary", "0605"]);
  assertEquals(refusals(trusted), [200, 401]);
});
