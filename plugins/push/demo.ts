/** Pushes of a shop's app: shown, silent, and to many at once. */
import { compact } from "../../core/compact.ts";
import { jsonRequest, settingOr } from "../../core/demo.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";
import { unsignedToken } from "./push2/jwt.ts";
import { encryptAes128gcm } from "./push3/encryption.ts";
import { DEMO_TOKEN } from "./push3/snippets.ts";
import { decodeToken, makeKeys } from "./push3/subscription.ts";

const APP = "example.lovelace-books.app";
const DEVICE = "8f6b1c0de2a94c7a9d0b5e3f7a1c2d4e8f6b1c0de2a94c7a9d0b5e3f7a1c2d4e";

const MESSAGES: readonly { readonly what: string; readonly message: unknown }[] = [
  {
    what: "A notification to one device, with settings for Android",
    message: {
      token: "dQw4w9WgXcQ:demo-device-token",
      notification: { title: "Your parcel is here", body: "The courier is at your door" },
      android: {
        priority: "high",
        notification: { channel_id: "orders", color: "#1f4e79", sound: "default" },
      },
      data: { order: "2026-0417" },
    },
  },
  {
    what: "A notification to the subscribers of a topic",
    message: {
      topic: "new-books",
      notification: { title: "New in spring", body: "Mechanism of the Heavens" },
      apns: { payload: { aps: { badge: 3, sound: "chime.caf" } } },
    },
  },
  {
    what: "A data message to devices that match a condition",
    message: {
      condition: "'beta' in topics && !('quiet' in topics)",
      data: { refresh: "catalogue", revision: "881" },
    },
  },
];

const DELIVERIES: readonly {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: unknown;
}[] = [
  {
    what: "An alert with title, badge, sound and a category",
    headers: {
      "apns-push-type": "alert",
      "apns-priority": "10",
      "apns-collapse-id": "order-2026-0417",
    },
    payload: {
      aps: {
        alert: {
          title: "Your parcel is here",
          subtitle: "Order 2026-0417",
          body: "The courier is at your door",
        },
        badge: 1,
        sound: "default",
        category: "ORDER",
        "thread-id": "orders",
        "interruption-level": "time-sensitive",
      },
      order: "2026-0417",
    },
  },
  {
    what: "A background push",
    headers: { "apns-push-type": "background", "apns-priority": "5" },
    payload: { aps: { "content-available": 1 }, refresh: "catalogue" },
  },
];

/** Payloads for service workers. */
const WORKER_PUSHES: readonly {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: unknown;
}[] = [
  { what: "A web push without a payload, to wake the service worker", headers: {} },
  {
    what: "A web push with title, text and a link, encrypted, with a topic",
    headers: { urgency: "high", topic: "order-2026-0417" },
    payload: {
      title: "Your parcel is here",
      body: "The courier is at your door",
      url: "https://lovelace-books.example/orders/2026-0417",
    },
  },
];

/** For every gateway. */
export const SAMPLES: readonly DemoSample[] = [
  ...MESSAGES.map(({ what, message }): DemoSample => ({
    provider: "push1",
    what,
    async send(to) {
      const authorization = `Bearer ${settingOr(to, "bearer_token", "demo")}`;
      await to.request(
        "/v1/projects/lovelace-books/messages:send",
        jsonRequest({ message }, { authorization }),
      );
    },
  })),
  ...DELIVERIES.map(({ what, headers, payload }): DemoSample => ({
    provider: "push2",
    what,
    async send(to) {
      await to.request(`/3/device/${DEVICE}`, {
        http2: true,
        headers: {
          authorization: `bearer ${providerToken(to)}`,
          "apns-topic": settingOr(to, "topic", APP),
          ...headers,
        },
        body: JSON.stringify(payload),
      });
    },
  })),
  ...WORKER_PUSHES.map(({ what, headers, payload }): DemoSample => ({
    provider: "push3",
    what,
    async send(to) {
      const keys = decodeToken(DEMO_TOKEN);
      if (typeof keys === "string") throw new TypeError("The demo token is invalid");
      const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));
      const body = payload === undefined ? undefined : encryptAes128gcm(
        new TextEncoder().encode(JSON.stringify(payload)),
        keys,
        { privateKey: makeKeys(random).privateKey, salt: random().subarray(0, 16) },
      );
      await to.request(`/wpush/v1/${DEMO_TOKEN}`, {
        method: "POST",
        headers: {
          ttl: "3600",
          ...(body && { "content-encoding": "aes128gcm" }),
          ...headers,
        },
        ...compact({ body }),
      });
    },
  })),
];

function providerToken(to: DemoTarget): string {
  const kid = settingOr(to, "key_id", "DEMO123456");
  const iat = Math.floor(to.now.getTime() / 1000);
  return unsignedToken(kid, { iss: "TEAM123456", iat });
}
