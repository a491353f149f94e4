import { assertEquals } from "@std/assert";
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

Deno.test("values that are not ids, times or ports of this machine stay", () => {
  for (
    const text of ["2026", "10.0.0.1:25", "deadbeef", "0123456789abcdef0123456789abcdef", "12:30"]
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
