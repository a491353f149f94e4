import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { readSend, type SendRequest } from "./request.ts";

const encoder = new TextEncoder();

function good(body: string): SendRequest {
  const request = readSend(encoder.encode(body), "application/json");
  if (!request.ok) throw new Error(JSON.stringify(request.refusal));
  return request.value;
}

function messages(body: string | Uint8Array): string[] {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const request = readSend(bytes, null);
  if (request.ok) return [];
  const [badRequest] = request.refusal.details ?? [];
  const violations = badRequest?.fieldViolations as readonly { description: string }[];
  return violations.map((item) => item.description);
}

function push(message: unknown): SendRequest["draft"] {
  return good(JSON.stringify({ message })).draft;
}

Deno.test("the android notification overrides the common one key by key", () => {
  const { alert } = push({
    token: "t",
    notification: { title: "T", body: "B", image: "https://example.com/i.png" },
    android: {
      notification: {
        title: "A",
        sound: "ping",
        notification_count: 3,
        body_loc_key: "K",
        bodyLocArgs: ["x"],
      },
    },
  });
  assertEquals(alert, {
    title: "A",
    body: "B",
    image: "https://example.com/i.png",
    sound: "ping",
    badge: 3,
    localization: { body_key: "K", body_args: ["x"] },
  });
});

Deno.test("a section for one platform counts when nothing else would be shown", () => {
  const apple = push({
    token: "t",
    data: { a: "b" },
    apns: { payload: { aps: { alert: { title: "T", subtitle: "S" }, badge: 1 } } },
  });
  assertEquals([apple.alert, apple.alertSection], [
    { title: "T", subtitle: "S", badge: 1 },
    "apns",
  ]);
  const web = push({ token: "t", webpush: { notification: { title: "W", badge: "/b.png" } } });
  assertEquals([web.alert, web.alertSection], [{ title: "W" }, "webpush"]);
  const both = push({
    token: "t",
    notification: { title: "T" },
    apns: { payload: { aps: { alert: "other" } } },
  });
  assertEquals([both.alert, both.alertSection], [{ title: "T" }, undefined]);
  const bare = push({
    token: "t",
    notification: { image: "https://example.com/i.png" },
    android: { notification: { title_loc_args: ["x"], click_action: "c" } },
    apns: { payload: { aps: { alert: "seen" } } },
  });
  assertEquals([bare.alert, bare.alertSection], [{ body: "seen" }, "apns"]);
});

Deno.test("content-available and keys of the app's own in the apns section wake the app", () => {
  const woken = push({ token: "t", apns: { payload: { aps: { "content-available": 1 } } } });
  assertEquals([woken.wakes, woken.carries, woken.alert], [true, false, undefined]);
  const carried = push({ token: "t", apns: { payload: { aps: {}, own: 1 } } });
  assertEquals([carried.wakes, carried.carries], [false, true]);
});

Deno.test("data comes from android, else webpush, else the message, as sent", () => {
  const text = (body: string) => good(body).draft.data?.text;
  assertEquals(
    text('{"message":{"token":"t","data":{"a":"1"},"android":{"data":{ "b" : "2" }}}}'),
    '{ "b" : "2" }',
  );
  assertEquals(
    text('{"message":{"token":"t","data":{"a":"1"},"webpush":{"data":{"c":"\\u0033"}}}}'),
    '{"c":"\\u0033"}',
  );
  assertEquals(
    text('{"message":{"token":"t","data":{"a":"1"},"android":{"data":{}}}}'),
    '{"a":"1"}',
  );
  assertEquals(text('{"message":{"token":"t","data":{}}}'), undefined);
  assertEquals(
    text('{"message":{"data":{"old":"1"},"token":"t","data":{"new":"2"}}}'),
    '{"new":"2"}',
  );
});

Deno.test("the body and its sections are stored byte for byte", () => {
  const apns = '{"payload": {"aps": {"badge": 1.0}, "big": 12345678901234567890, "é": "\\u00e9"}}';
  const body = `{ "message":{"apns": ${apns} ,"webpush":{},"token":"t"} }`;
  const { payloads } = good(body).draft;
  assertEquals(payloads.map(({ format, bytes }) => [format, new TextDecoder().decode(bytes)]), [
    ["push1.v1.message", body],
    ["push1.v1.apns", apns],
    ["push1.v1.webpush", "{}"],
  ]);
});

Deno.test("a time to live is whole seconds, and zero means now or never", () => {
  const expiry = (ttl: string) => push({ token: "t", android: { ttl } }).delivery.expiry;
  assertEquals(expiry("3600s"), { ttl_seconds: 3600, immediate: false, raw: "3600s" });
  assertEquals(expiry("3.5s"), { ttl_seconds: 3, immediate: false, raw: "3.5s" });
  assertEquals(expiry("0.5s"), { ttl_seconds: 0, immediate: false, raw: "0.5s" });
  assertEquals(expiry("0s"), { ttl_seconds: 0, immediate: true, raw: "0s" });
});

Deno.test("priority is normalised, and stored as sent; the collapse key has both spellings", () => {
  assertEquals(push({ token: "t", android: { priority: "high", collapse_key: "k" } }).delivery, {
    priority: "high",
    priority_raw: "high",
    collapse_key: "k",
  });
  assertEquals(push({ token: "t", android: { priority: "NORMAL", collapseKey: "k" } }).delivery, {
    priority: "normal",
    priority_raw: "NORMAL",
    collapse_key: "k",
  });
  const display = { notification: { notification_priority: "PRIORITY_MAX" } };
  assertEquals(push({ token: "t", android: display }).delivery, {});
});

Deno.test("documented fields without a place in the model go to meta", () => {
  const { meta, validateOnly } = good(JSON.stringify({
    validateOnly: true,
    message: {
      token: "t",
      fcmOptions: { analyticsLabel: "l" },
      android: {
        ttl: "5s",
        directBootOk: true,
        notification: { title: "T", channelId: "c", titleLocKey: "k" },
      },
    },
  }));
  assertEquals(validateOnly, true);
  assertEquals(JSON.parse(JSON.stringify(meta)), {
    fcm_options: { analytics_label: "l" },
    android: { direct_boot_ok: true },
    android_notification: { channel_id: "c" },
  });
});

Deno.test("broken JSON is reported with the text around the fault", () => {
  const opening = "Invalid JSON payload received. Unexpected token.";
  assertEquals(messages('{"message": {broken'), [
    `${opening}\n{"message": {broken\n             ^`,
  ]);
  assertEquals(messages(`{"message":{"token":"${"a".repeat(60)}",}}`), [
    `${opening}\n${"a".repeat(18)}",}}\n${" ".repeat(20)}^`,
  ]);
  assertEquals(messages(""), [`${opening}\n\n^`]);
  assertEquals(messages(Uint8Array.of(0xff, 0x00, 0x80)), [opening]);
  assertEquals(messages("[".repeat(100_000)).length, 1);
  assertEquals(messages("5"), [
    'Invalid JSON payload received. Unknown name "": Root element must be a message.',
  ]);
});

Deno.test("a message of a wrong type is reported once", () => {
  assertEquals(messages('{"message":"x"}'), [
    `Invalid value at 'message' (type.googleapis.com/google.firebase.fcm.v1.Message), "x"`,
  ]);
  assertEquals(messages('{"message":null}'), ["Recipient of the message is not set."]);
});

Deno.test("notification and data may have 4096 bytes of UTF-8 together", () => {
  const large = ["Message is too large. The maximum is 4K (4096 bytes)."];
  const send = (message: unknown) => messages(JSON.stringify({ message }));
  assertEquals(send({ token: "t", data: { k: "x".repeat(4095) } }), []);
  assertEquals(send({ token: "t", data: { k: "x".repeat(4096) } }), large);
  assertEquals(send({ token: "t", notification: { body: "é".repeat(2047) } }), large);
  assertEquals(send({ token: "t", android: { data: { k: "x".repeat(4096) } } }), large);
  assertEquals(send({ token: "t", apns: { payload: { k: "x".repeat(4096) } } }), []);
});

Deno.test("a key of data that the vendor reserves is refused", () => {
  const send = (message: unknown) => messages(JSON.stringify({ message }));
  const refused = ["Invalid data payload key: from"];
  assertEquals(send({ token: "t", data: { from: "x" } }), refused);
  assertEquals(send({ token: "t", android: { data: { from: "x" } } }), refused);
  assertEquals(send({ token: "t", data: { From: "x", from_: "y", notification: "z" } }), []);
});

Deno.test("any bytes are read or refused, without an error", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array(), fc.json().map((text) => encoder.encode(text))),
      (body) => {
        readSend(body, null);
        readSend(encoder.encode(`{"message":${new TextDecoder().decode(body)}}`), null);
      },
    ),
    fuzzed(300),
  );
});
