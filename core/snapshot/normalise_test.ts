import { assertEquals, assertStringIncludes } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { normalise } from "./normalise.ts";

Deno.test("values that change from run to run are named, and equal ids get equal names", () => {
  const [first, second] = ["01a1ff0d7a0e000080fc468d", "01a1ff0d7a0f0000a1b2c3d4"];
  assertEquals(
    normalise([
      {
        id: first,
        received_at: "2026-01-31T12:00:00.123Z",
        url: `http://localhost:8811/x/${first}`,
      },
      { id: second, meta: { after: first, "x-id": "0B0F6A4E-1C2D-4E3F-8A9B-0C1D2E3F4A5B" } },
      {
        raw: { peer_addr: "127.0.0.1:53012", headers: { Date: ["Sat, 31 Jan 2026 12:00:00 GMT"] } },
      },
      { timestamp: 1769860800, size: 24 },
    ]),
    [
      { id: "<id 1>", received_at: "<time>", url: "http://localhost:<port>/x/<id 1>" },
      { id: "<id 2>", meta: { after: "<id 1>", "x-id": "<uuid 1>" } },
      { raw: { peer_addr: "127.0.0.1:<port>", headers: { Date: ["<time>"] } } },
      { timestamp: "<time>", size: 24 },
    ].map((one) => Object.assign(Object.create(null), one)),
  );
});

Deno.test("ids in the form of a vendor or protocol get names, wherever they occur", () => {
  const run = (unique: number) => [
    {
      id: `01a1ff0d7a0e00008000000${unique}`,
      meta: { sid: `SM01a1ff0d7a0e00008000000${unique}57a4d1e5` },
    },
    { meta: { message_ids: [112672379978340 + unique, 2] } },
    { payload: { ts: `179586014${unique}.808000` } },
    { payload: { ts: "1795860170.000100", thread_ts: `179586014${unique}.808000` } },
    { meta: { upload_id: `1622845f603c44e28fb0eb515aa6417${unique}`, connection: unique } },
    { raw: { path: `/box/key?uploadId=1622845f603c44e28fb0eb515aa6417${unique}` } },
    {
      meta: { message_id: `<2026013112000${unique}.01a1ff0d7a0e00008000000${unique}@example.org>` },
    },
    {
      payload: { ack: { control_id: `MX08RMTY000${unique}`, text: `ACK|MX08RMTY000${unique}|P` } },
    },
    { payload: { value: `2026013112000${unique}+0000` }, size: 24 },
    { headers: { "Content-Type": [`multipart/mixed; boundary="--_Np-${unique}-Part_1"; x=y`] } },
  ];
  const [one, two] = [normalise(run(1)), normalise(run(2))];
  assertEquals(JSON.stringify(two), JSON.stringify(one));
  const text = JSON.stringify(one);
  assertStringIncludes(
    text,
    '"payload":{"ts":"<id 5>"}},{"payload":{"ts":"<id 6>","thread_ts":"<id 5>"}}',
  );
  assertStringIncludes(text, '"/box/key?uploadId=<id 7>"');
  assertStringIncludes(text, '"control_id":"<id 10>","text":"ACK|<id 10>|P"');
  assertStringIncludes(text, '"value":"<time>"');
  assertEquals(JSON.stringify(normalise(one)), text);
});

Deno.test("values that are not ids, times or ports of this machine stay", () => {
  for (
    const text of [
      "2026",
      "10.0.0.1:25",
      "deadbeef",
      "0123456789abcdef0123456789abcdef",
      "12:30",
      "20261399000000",
    ]
  ) {
    assertEquals(normalise(text), text);
  }
});

Deno.test("any value is accepted, and normalising twice changes nothing", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const once = normalise(value);
    assertEquals(JSON.stringify(normalise(once)), JSON.stringify(once));
  }));
});
