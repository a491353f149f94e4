import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import type { PushMessage } from "../model.ts";
import { CHECKS } from "./mod.ts";

const push = (fields: Partial<PushMessage>, provider = "push2"): CheckedItem => ({
  provider,
  payload: {
    kind: "notification",
    push_type: "alert",
    app: "com.example.app",
    target: { kind: "device", value: "1" },
    delivery: {},
    alert: { title: "Hello" },
    ...fields,
  } satisfies PushMessage,
});

const ofSize = (bytes: number): Partial<PushMessage> => ({
  payloads: [{ format: "push2.payload", data: new Uint8Array(bytes).toBase64() }],
});
const fcm = (title: string): Partial<PushMessage> => ({
  payloads: [{
    format: "push1.v1.message",
    data: "",
    json: { message: { notification: { title } } },
  }],
});

/** A push to Apple devices with this `aps`. */
const aps = (aps: object): CheckedItem =>
  push({ payloads: [{ format: "push2.payload", data: "", json: { aps } }] });
const ofFcm = (message: object, more: Partial<PushMessage> = {}): CheckedItem =>
  push(
    { payloads: [{ format: "push1.v1.message", data: "", json: { message } }], ...more },
    "push1",
  );

const fcmTtl = (seconds: number): PushMessage["delivery"] => ({
  expiry: { ttl_seconds: seconds, immediate: false, raw: `${seconds}s` },
});
/** A web push of a sender with this subject. */
const web = (
  fields: Partial<PushMessage> = {},
  vapid: unknown = { sub: "mailto:ada@example.org" },
): CheckedItem => ({ ...push(fields, "push3"), meta: { subscription: "x", vapid } });
/** A body of one or more records of this size. */
const encrypted = (size: number, content: number, encoding = "aes128gcm"): CheckedItem => {
  const bytes = new Uint8Array(86 + content);
  new DataView(bytes.buffer).setUint32(16, size);
  bytes[20] = 65;
  const item = web({ payloads: [{ format: "push3.body", data: bytes.toBase64() }] });
  return { ...item, meta: { ...item.meta, encoding } };
};
const kept = (raw: string) => web({ delivery: { expiry: { immediate: raw === "0", raw } } });
const sent = { format: "push3.body", data: "" } as const;

testTwins(CHECKS, {
  "push.vapid": { bad: web({}, null), good: web() },
  "push.vapid_subject": {
    bad: web({}, { sub: "mailto: <ada@example.org>" }),
    good: web({}, { sub: "https://example.org/contact" }),
    says: "mailto: <ada@example.org>",
  },
  "push.undecryptable": {
    bad: web({ payloads: [sent] }),
    good: web({ payloads: [sent, { format: "push3.payload", data: "" }] }),
  },
  "push.urgency": {
    bad: web({ delivery: { priority_raw: "urgent" } }),
    good: web({ delivery: { priority: "high", priority_raw: "high" } }),
    says: '"urgent"',
  },
  "push.records": {
    bad: encrypted(100, 120),
    good: encrypted(4096, 120),
    says: "Records of 100 bytes, and 120 bytes of content",
  },
  "push.encoding": { bad: encrypted(1, 1, "aesgcm"), good: encrypted(1, 1) },
  "push.ttl of nothing": { bad: kept("0"), good: kept("60") },
  "push.ttl": {
    bad: kept("2419201"),
    good: kept("2419200"),
    says: "keeps a push for at most 2419200",
  },
  "push.size": {
    bad: push(ofSize(4084)),
    good: push(ofSize(3000)),
    says: "4084 of 4096 bytes; 12 are left",
  },
  "push.size of a call": {
    bad: push({ ...ofSize(5000), push_type: "voip" }),
    good: push(ofSize(10)),
  },
  "push.size of FCM": { bad: push(fcm("é".repeat(2000)), "push1"), good: push(fcm("Hi"), "push1") },
  "push.background_priority": {
    bad: push({ push_type: "background", delivery: { priority_raw: "10" } }),
    good: push({ push_type: "background", delivery: { priority_raw: "5" } }),
  },
  "push.background_alert": {
    bad: push({ push_type: "background", alert: { sound: "ping" } }),
    good: push({ push_type: "background", kind: "silent", alert: {} }),
    says: "sound",
  },
  "push.alert_missing": { bad: push({ kind: "silent" }), good: push({}) },
  "push.push_type": {
    bad: { ...push({}), payload: { ...push({}).payload as object, push_type: undefined } },
    good: push({}),
  },
  "push.topic": {
    bad: push({ push_type: "voip" }),
    good: push({ push_type: "voip", app: "com.example.app.voip" }),
  },
  "push.expired": {
    bad: push({ delivery: { expiry: { at: "2026-01-31T11:00:00Z", immediate: false } } }),
    good: push({ delivery: { expiry: { at: "2026-01-31T13:00:00Z", immediate: false } } }),
  },
  "push.provider_token": {
    bad: { ...push({}), meta: { jwt: { stale: true, issued_at: "2026-01-31T10:00:00Z" } } },
    good: { ...push({}), meta: { jwt: { stale: false } } },
    says: "issued at 2026-01-31T10:00:00Z",
  },
  "push.empty": { bad: push({ kind: "empty" }), good: push({}) },
  "push.long_text": {
    bad: push({ alert: { title: "a".repeat(66) } }),
    good: push({ alert: { title: "a".repeat(65), body: "b".repeat(240) } }),
  },
  "push.image": {
    bad: push({ alert: { image: "http://example.org/a.png" } }, "push1"),
    good: push({ alert: { image: "https://example.org/a.png" } }, "push1"),
  },
  "push.localization": {
    bad: push({ alert: { localization: { body_args: ["Ada"] } } }),
    good: push({ alert: { localization: { body_args: ["Ada"], body_key: "HELLO" } } }),
  },
  "push.deprecated": {
    bad: push({
      payloads: [{
        format: "push2.payload",
        data: "",
        json: { aps: { alert: { title: "Hi", "summary-arg": "Ada" } } },
      }],
    }),
    good: push({
      payloads: [{
        format: "push2.payload",
        data: "",
        json: { aps: { alert: { title: "Hi", "loc-key": "HI" } } },
      }],
    }),
    says: "summary-arg is ignored",
  },
  "push.deprecated in the apns part": {
    bad: push({
      payloads: [{
        format: "push1.v1.message",
        data: "",
        json: { message: { apns: { payload: { aps: { alert: { "summary-arg-count": 2 } } } } } },
      }],
    }, "push1"),
    good: push(fcm("Hi"), "push1"),
  },
  "push.aps_value": {
    bad: aps({ alert: "Hi", badge: "1" }),
    good: aps({ alert: "Hi", badge: 1, sound: { name: "a", critical: 1, volume: 1 } }),
    says: 'badge is "1"; expected a whole number',
  },
  "push.aps_value of a word": {
    bad: aps({ alert: "Hi", "interruption-level": "urgent" }),
    good: aps({ alert: "Hi", "interruption-level": "time-sensitive" }),
    says: "expected passive, active, time-sensitive, critical",
  },
  "push.aps_value in an alert": {
    bad: aps({ alert: { title: "Hi", "loc-args": "Ada" } }),
    good: aps({ alert: { title: "Hi", "loc-args": ["Ada"], "loc-key": "HI" } }),
    says: 'loc-args is "Ada"; expected a list',
  },
  "push.aps_value in an FCM message": {
    bad: ofFcm({ apns: { payload: { aps: { "content-available": "1" } } } }),
    good: ofFcm({ apns: { payload: { aps: { "content-available": 1 } } } }),
    says: 'content-available is "1"',
  },
  "push.aps_member": {
    bad: aps({ alert: "Hi", order: 7 }),
    good: push({
      payloads: [{ format: "push2.payload", data: "", json: { aps: { alert: "Hi" }, order: 7 } }],
    }),
    says: "the app's own keys belong next to aps",
  },
  "push.aps_member that is misspelt": {
    bad: aps({ alert: "Hi", "mutable-contents": 1 }),
    good: aps({ alert: "Hi", "mutable-content": 1 }),
    says: "did you mean mutable-content?",
  },
  "push.critical_volume": {
    bad: aps({ alert: "Hi", sound: { name: "a", critical: 1, volume: 2 } }),
    good: aps({ alert: "Hi", sound: { name: "a", critical: 1, volume: 0.5 } }),
  },
  "push.background_priority of FCM": {
    bad: ofFcm({ apns: { headers: { "apns-push-type": "background", "apns-priority": "10" } } }),
    good: ofFcm({ apns: { headers: { "apns-push-type": "background", "apns-priority": "5" } } }),
  },
  "push.background_alert of FCM": {
    bad: ofFcm({
      notification: { title: "Hi" },
      apns: { headers: { "Apns-Push-Type": "background" } },
    }),
    good: ofFcm({
      notification: { title: "Hi" },
      apns: { headers: { "apns-push-type": "alert" } },
    }),
    says: "A background push with title",
  },
  "push.alert_missing of FCM": {
    bad: ofFcm({ data: { a: "1" }, apns: { headers: { "apns-push-type": "alert" } } }),
    good: ofFcm({
      notification: { title: "Hi" },
      apns: { headers: { "apns-push-type": "alert" } },
    }),
  },
  "push.image_apple": {
    bad: ofFcm({ apns: { fcm_options: { image: "https://example.org/a.png" } } }),
    good: ofFcm({
      apns: {
        fcm_options: { image: "https://example.org/a.png" },
        payload: { aps: { "mutable-content": 1 } },
      },
    }),
  },
  "push.web_link": {
    bad: ofFcm({ webpush: { fcm_options: { link: "http://example.org" } } }),
    good: ofFcm({ webpush: { fcm_options: { link: "https://example.org" } } }),
  },
  "push.unknown_field": {
    bad: ofFcm({ android: { notification: { titel: "Hi" } } }),
    good: ofFcm({ android: { notification: { title: "Hi", clickAction: "x", channel_id: "y" } } }),
    says: 'FCM has no "titel" in message.android.notification',
  },
  "push.data_key": {
    bad: ofFcm({ data: { order: "1", "google.x": "1" } }),
    good: ofFcm({ data: { order: "1", google: "1" } }),
    says: '"google.x" is reserved',
  },
  "push.data_key for Android": {
    bad: ofFcm({ android: { data: { message_type: "1" } } }),
    good: ofFcm({ android: { data: { type: "1" } } }),
  },
  "push.ttl_fcm": {
    bad: ofFcm({ android: { ttl: "2419201s" } }, { delivery: fcmTtl(2_419_201) }),
    good: ofFcm({ android: { ttl: "2419200s" } }, { delivery: fcmTtl(2_419_200) }),
    says: "keeps a message for at most 2419200",
  },
  "push.android_data": {
    bad: ofFcm({ data: { a: "1" } }, { kind: "silent" }),
    good: ofFcm({ data: { a: "1" } }, { kind: "silent", delivery: { priority: "high" } }),
  },
  "push.placeholder": {
    bad: push({ alert: { body: "Hi {{name}}" } }),
    good: push({ alert: { body: "Hi Ada" } }),
    marks: "{{name}}",
  },
  "push.private_link": {
    bad: push({ alert: { body: "See http://localhost/x" } }),
    good: push({ alert: { body: "See https://example.org/x" } }),
  },
});
