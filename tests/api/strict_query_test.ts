/** Every route refuses an unknown query parameter by name, and does nothing. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
}

interface Description {
  readonly paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
}

async function post(service: TestService, lines: string): Promise<void> {
  const answer = await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body: lines });
  assertEquals(await answer.text(), "ok");
}

async function refused(
  service: TestService,
  path: string,
  method = "GET",
): Promise<string> {
  const response = await fetch(`${service.api.url}${path}`, { method });
  const text = await response.text();
  assertEquals([response.status, path], [400, path], text);
  const { error } = JSON.parse(text);
  return error;
}

for (const plugin of [undefined, ...STANDARD_PLUGINS.map(({ id }) => id)]) {
  if (STANDARD_PLUGINS.find(({ id }) => id === plugin)?.routes.length === 0) continue;

  Deno.test(`every route of ${plugin ?? "the service"} refuses unknown and duplicate parameters`, async () => {
    await using service = await startService({ plugins: [toy, ...STANDARD_PLUGINS] });
    await post(service, "kept");
    const at = plugin === undefined ? "/openapi.json" : `/${plugin}/openapi.json`;
    const { paths } = await service.getJson<Description>(at);
    for (const [template, methods] of Object.entries(paths)) {
      const path = template.replaceAll("{plugin}", "toy").replaceAll(/\{\w+\}/g, "0");
      for (const [method, { parameters = [] }] of Object.entries(methods)) {
        const ask = (search: string) => refused(service, path + search, method.toUpperCase());
        assertMatch(await ask("?nonsense=1"), /^unknown parameter "nonsense"; /);
        assertMatch(await ask("?a%22%0ab=1"), /^unknown parameter "a\\"\\nb"; /);
        // A plugin's filters exist when it is named.
        const known = parameters.find((one) =>
          one.in === "query" && !one.description?.startsWith("With plugin")
        )?.name;
        if (known === undefined) continue;
        assertStringIncludes(await ask(`?${known}x=1`), `did you mean "${known}"? known are `);
        assertEquals(
          await ask(`?${known}=&${known}=`),
          `parameter "${known}" is given twice`,
        );
      }
    }
    assertEquals(service.events.count(), 1);
  });
}

Deno.test("the UI stream accepts a namespace and nothing else", async () => {
  await using service = await startService({ plugins: [toy] });
  assertEquals(
    await refused(service, "/ui/stream?namspace=a"),
    'unknown parameter "namspace"; did you mean "namespace"? known are namespace',
  );
  const stream = await fetch(`${service.ui.url}/ui/stream?namespace=a`);
  assertEquals(stream.status, 200);
  await stream.body?.cancel();
});
