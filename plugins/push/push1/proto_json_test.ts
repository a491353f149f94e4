import { assertEquals } from "@std/assert";
import { Violations } from "../../../core/codec/json_fields.ts";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { SEND_REQUEST } from "../fcm_fields.ts";
import { camelCase, openFields, readMessage, spellingIn } from "./proto_json.ts";

const V1 = "type.googleapis.com/google.firebase.fcm.v1.";
const DURATION = "Illegal duration format; duration must end with 's'";

function read(value: Record<string, unknown>) {
  const violations = new Violations(50);
  const fields = readMessage(openFields(value, violations), SEND_REQUEST);
  // Through JSON, because parsed objects have no prototype.
  return { fields: JSON.parse(JSON.stringify(fields)), violations: violations.found };
}

Deno.test("both spellings of known fields read as one, and camel case wins", () => {
  const { fields, violations } = read({
    validateOnly: true,
    message: {
      fcmOptions: { analyticsLabel: "a" },
      android: {
        collapse_key: "snake",
        collapseKey: "camel",
        restrictedPackageName: "p",
        notification: { clickAction: "c", channel_id: "d", titleLocArgs: ["x"] },
        unknownField: 1,
      },
    },
  });
  assertEquals(violations, []);
  assertEquals(fields, {
    validate_only: true,
    message: {
      fcm_options: { analytics_label: "a" },
      android: {
        collapse_key: "camel",
        restricted_package_name: "p",
        notification: { click_action: "c", channel_id: "d", title_loc_args: ["x"] },
      },
    },
  });
});

Deno.test("null counts as absent, also beside the other spelling", () => {
  const { fields } = read({ message: { android: { collapseKey: null, collapse_key: "k" } } });
  assertEquals(fields, { message: { android: { collapse_key: "k" } } });
});

Deno.test("keys that the caller owns keep their spelling", () => {
  const own = { collapseKey: "a", collapse_key: "b", validateOnly: "c" };
  const sent = {
    data: own,
    webpush: { headers: own, data: own, notification: { requireInteraction: true, ...own } },
    apns: { headers: own, payload: { aps: {}, ...own } },
  };
  assertEquals(read({ message: sent }).fields.message, sent);
});

Deno.test("values of a wrong type are reported in the vendor's words", () => {
  const table: readonly (readonly [Record<string, unknown>, string, string])[] = [
    [{ data: { a: "x", b: 1 } }, "message.data[1].value", "(TYPE_STRING), 1"],
    [{ data: { b: null } }, "message.data[0].value", "(TYPE_STRING), null"],
    [{ data: { b: {} } }, "message.data[0].value", "(TYPE_STRING), {}"],
    [{ data: "x" }, "message.data", `(${V1}Message.DataEntry), "x"`],
    [{ token: 5 }, "message.token", "(TYPE_STRING), 5"],
    [{ notification: "x" }, "message.notification", `(${V1}Notification), "x"`],
    [{ notification: { title: true } }, "message.notification.title", "(TYPE_STRING), true"],
    [
      { android: { priority: "urgent" } },
      "message.android.priority",
      `(${V1}AndroidMessagePriority), "urgent"`,
    ],
    [{ android: { directBootOk: 1 } }, "message.android.direct_boot_ok", "(TYPE_BOOL), 1"],
    [
      { android: { notification: { notificationCount: 1.5 } } },
      "message.android.notification.notification_count",
      "(TYPE_INT32), 1.5",
    ],
    [
      { apns: { payload: "x" } },
      "message.apns.payload",
      '(type.googleapis.com/google.protobuf.Struct), "x"',
    ],
    [
      { android: { ttl: "5" } },
      "message.android.ttl",
      `(type.googleapis.com/google.protobuf.Duration), Field 'ttl', ${DURATION}`,
    ],
    [
      { android: { notification: { vibrateTimings: ["1s", 2] } } },
      "message.android.notification.vibrate_timings[1]",
      `(type.googleapis.com/google.protobuf.Duration), Field 'vibrate_timings', ${DURATION}`,
    ],
  ];
  for (const [message, field, rest] of table) {
    assertEquals(read({ message }).violations, [
      { field, message: `Invalid value at '${field}' ${rest}` },
    ]);
  }
});

Deno.test("lists and objects in place of a text are reported by their content", () => {
  assertEquals(read({ message: { data: { a: { b: 1, c: 2 } } } }).violations, [
    {
      field: "message.data[0].value",
      message:
        "Invalid JSON payload received. Unknown name \"b\" at 'message.data[0].value': Cannot find field.",
    },
    {
      field: "message.data[0].value",
      message:
        "Invalid JSON payload received. Unknown name \"c\" at 'message.data[0].value': Cannot find field.",
    },
  ]);
  assertEquals(read({ message: [] }).violations, [{
    field: "message",
    message:
      'Invalid JSON payload received. Unknown name "message": Proto field is not repeating, cannot start list.',
  }]);
});

Deno.test("text is accepted for numbers and flags, numbers for enum words, and one item for a list", () => {
  const { fields, violations } = read({
    validate_only: "true",
    message: {
      android: {
        priority: 1,
        ttl: "0.5s",
        notification: { notification_count: "3", visibility: "public", vibrate_timings: "1s" },
      },
    },
  });
  assertEquals(violations, []);
  assertEquals(fields, {
    validate_only: true,
    message: {
      android: {
        priority: "HIGH",
        ttl: "0.5s",
        notification: { notification_count: 3, visibility: "public", vibrate_timings: ["1s"] },
      },
    },
  });
});

Deno.test("a thousand wrong values are reported in fifty lines", () => {
  const data = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]));
  assertEquals(read({ message: { data } }).violations.length, 50);
});

Deno.test("a long wrong value is quoted by its beginning", () => {
  const [violation] = read({ message: { notification: "x".repeat(10_000) } }).violations;
  assertEquals(violation!.message.length < 400, true);
});

Deno.test("names of built-in members are not fields", () => {
  assertEquals(spellingIn({}, "constructor"), undefined);
  assertEquals(spellingIn({ titleLocKey: 1 }, "title_loc_key"), "titleLocKey");
  assertEquals(camelCase("bandwidth_constrained_ok"), "bandwidthConstrainedOk");
});

Deno.test("any JSON is read without an error", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      read({ message: value });
      read({ message: { android: value, data: value, apns: { payload: value } } });
    }),
    fuzzed(300),
  );
});
