import { assertEquals } from "@std/assert";
import { placeOf } from "./place.ts";

const payloads = (json: unknown) => ({
  payloads: [{ format: "push1.v1.message", data: "", json } as const],
});

Deno.test("a text is found in the payload, outer ones first", () => {
  const json = {
    message: {
      android: { notification: { image: "http://a.example/" } },
      notification: { image: "http://a.example/" },
      apns: { payload: { aps: { alert: { "title-loc-args": ["a", "b"] } } } },
    },
  };
  assertEquals(placeOf(payloads(json), "http://a.example/"), {
    part: "payload",
    path: "message.notification.image",
  });
  assertEquals(
    placeOf(payloads(json), ["a", "b"])?.path,
    "message.apns.payload.aps.alert.title-loc-args",
  );
  assertEquals(placeOf(payloads(json), "b")?.path?.endsWith("title-loc-args[1]"), true);
});

Deno.test("a text that the payload does not have has no place", () => {
  assertEquals(placeOf(payloads({ message: { name: "b" } }), "a"), undefined);
  assertEquals(placeOf({}, "a"), undefined);
  assertEquals(placeOf(payloads(undefined), undefined), undefined);
});
