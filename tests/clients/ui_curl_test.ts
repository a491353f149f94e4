/** Runs "Copy as curl": the command sends exactly the captured bytes. */
import { assertEquals } from "@std/assert";
import { toCurl } from "../../ui/static/lib/curl.js";
import { toHeaderMap } from "../../core/events/view.ts";
import { clientTest, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const BODIES: readonly (readonly [name: string, body: Uint8Array<ArrayBuffer>])[] = [
  ["JSON", encode(`{"a": "it's", "b": "$HOME \`id\` \\\\ !!"}`)],
  ["the name of a file", encode("@/etc/hostname")],
  ["what could end a here-document", encode("BODY\nEOF\n'\n")],
  ["line ends and tabs", encode("a\r\nb\tc\n\n")],
  ["other scripts", encode("日本語 🎉 \u202e")],
  ["a byte order mark", encode("\ufeffx")],
  ["every byte", Uint8Array.from({ length: 60_000 }, (_, i) => (i * 7) & 255)],
  ["nothing", new Uint8Array()],
];

for (const [name, body] of BODIES) {
  clientTest(
    `a copied curl command sends ${name} again`,
    ["curl", "base64", "sh"],
    async ({ sh }) => {
      await using service = await startService();
      const path = `/nowhere/it's?q=[1]{2}&x=%20$HOME`;
      const response = await fetch(service.ingress.url + path, {
        method: "POST",
        body,
        headers: { "x-quote": `a'b"c $HOME`, "content-type": "application/x-thing" },
      });
      await response.body?.cancel();
      const first = newest(service);
      const command = toCurl({
        transport: "http",
        text: false,
        method: first.method!,
        path: first.path!,
        headers: toHeaderMap(first.headers!),
      }, { origin: service.ingress.url, body: first.raw });
      await runOk(sh, ["-c", command]);
      const second = newest(service);
      assertEquals(service.rejected.count, 2);
      assertEquals(second.raw, first.raw);
      assertEquals([second.method, second.path], [first.method, first.path]);
      const header = (record: typeof first, name: string) => {
        const pair = record.headers!.find(([field]) => field.toLowerCase() === name);
        return pair?.[1];
      };
      for (const field of ["x-quote", "content-type", "user-agent"]) {
        assertEquals(header(second, field), header(first, field), field);
      }
    },
  );
}

function newest(service: TestService) {
  return service.rejected.list({ limit: 1 })[0]!;
}
