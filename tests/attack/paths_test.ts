/**
 * Deceptive paths, to every listener with paths: each is answered, and never with an internal
 * error.
 */
import { assertEquals } from "@std/assert";
import { startService } from "../support/service.ts";

const ODD: readonly string[] = [
  ...["%2f", "%2F..%2f", "..", "%2e%2e", "%252e%252e%252f", "%00", "%5c", "\\", ".", "...", "a."],
  ...["a%20", "CON", "%ff", "%", "%zz", "%u0041", "__proto__", "constructor", "é", "%c3%28"],
  ...[
    "{name}",
    ";x=y",
    "?",
    "??",
    "#a",
    "//",
    "..;",
    "*",
    "~",
    "%0d%0aX: y",
    "a:b",
    "@",
    "%E2%80%AE",
  ],
  ...["a".repeat(5000), "a/".repeat(2000), "%2e/".repeat(1000)],
];
const BASES = {
  ui: [
    ...["/", "/ui/", "/ui/events/", "/ui/mail/", "/metrics/", "/mcp/"],
    ...["", "events/", "blobs/", "mail/messages/", "files/tree/", "s3/", "webhook/answers/"]
      .map((path) => `/api/v1/${path}`),
  ],
  ingress: [
    ...["/", "/hook/", "/hook/a/", "/v3/mail/", "/v3/REST/contact/", "/bot1:a/", "/api/", "/as2/"],
    ...[
      "/services/",
      "/3/device/",
      "/wpush/v1/",
      "/templates/",
      "/emails/",
      "/api/v10/channels/1/",
    ],
  ],
  s3: ["/", "/box/", "/box/a/"],
};
const ABREAST = 40;

/** Sends a raw request, and returns the status; `undefined` without a response. */
async function statusOf(port: number, method: string, target: string): Promise<number> {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const request = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
    "Authorization: Bearer x\r\nContent-Length: 0\r\n\r\n";
  await conn.write(new TextEncoder().encode(request));
  let text = "";
  const buffer = new Uint8Array(65_536);
  try {
    for (let count; (count = await conn.read(buffer)) !== null;) {
      if (text.length < 100) text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
    }
  } catch (error) {
    // The listener may end the connection before it has read everything.
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
  }
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}

Deno.test("no path makes a listener fail", async (t) => {
  await using service = await startService();
  const ports = {
    ui: Number(new URL(service.ui.url).port),
    ingress: Number(new URL(service.ingress.url).port),
    s3: service.endpoint("s3").port,
  };
  for (const [listener, bases] of Object.entries(BASES)) {
    await t.step(listener, async () => {
      const requests = bases.flatMap((base) =>
        ODD.flatMap((odd) => [["GET", base + odd], ["PUT", `${base}${odd}/x`]] as const)
      );
      const faults: string[] = [];
      await Promise.all(Array.from({ length: ABREAST }, async () => {
        for (let next; (next = requests.pop()) !== undefined;) {
          const [method, target] = next;
          const status = await statusOf(ports[listener as keyof typeof ports], method, target);
          if (status === 0 || status >= 500) faults.push(`${status} ${method} ${target}`);
        }
      }));
      assertEquals(faults, []);
    });
  }
  assertEquals(service.log, []);
});
