/** Events that their plugin cannot read are shown anyway. */
import { assertEquals, assertMatch } from "@std/assert";
import type { EventText } from "../../core/plugin.ts";
import { startService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

/** Lines that the plugin below cannot read, each for its own reason. */
const UNREADABLE: Readonly<Record<string, () => readonly EventText[]>> = {
  throws: () => {
    throw new Error("No such payload");
  },
  number: () => [{ kind: "plain", text: 5 as unknown as string }],
  nothing: () => [{ kind: "html", text: undefined as unknown as string }],
};

const plugin: typeof toy = {
  ...toy,
  texts: (event) => UNREADABLE[event.summary]?.() ?? toy.texts!(event),
};

Deno.test("an event with unreadable text is in every answer, and logged once", async () => {
  await using service = await startService({ plugins: [plugin] });
  const lines = [...Object.keys(UNREADABLE), "your code is 493201"];
  const sent = await fetch(`${service.ingress.url}/toy/send`, {
    method: "POST",
    body: lines.join("\n"),
  });
  assertEquals(await sent.text(), "ok");
  const list = await service.getJson<{ id: string; summary: string }[]>("/events");
  assertEquals(list.map(({ summary }) => summary), lines.toReversed());
  const codes = await Promise.all(list.map(async ({ id }) => {
    const event = await service.getJson<{ extracted?: { codes: string[] } }>(`/events/${id}`);
    return event.extracted?.codes;
  }));
  assertEquals(codes[0], ["493201"]);
  for (const path of ["/events?has=code", "/events?text=493201", "/toy/messages?has=code"]) {
    const found = await service.getJson<{ summary: string }[]>(path);
    assertEquals(found.map(({ summary }) => summary), lines.slice(-1), path);
  }
  const all = await service.getJson<unknown[]>("/events?include_extracted=true");
  assertEquals(all.length, lines.length);
  const verdict = await fetch(`${service.api.url}/api/v1/expect`, {
    method: "POST",
    body: JSON.stringify({ type: "toy.message", count: 4, text: "" }),
  });
  await verdict.body?.cancel();
  assertEquals(verdict.status < 500, true);
  assertEquals(service.log.length, Object.keys(UNREADABLE).length);
  for (const line of service.log) assertMatch(line, /Cannot read the text of an event/);
});
