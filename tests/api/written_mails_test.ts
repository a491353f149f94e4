import { assert, assertEquals } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { startService } from "../support/service.ts";

/** Five million characters, from 50 000. */
const VALUE = "x".repeat(50_000);
const LIST = Array(100).fill(0);
const MESSAGES = 60;

/** A call whose messages render to five million characters each. */
interface Batch {
  readonly name: string;
  /** Preparatory calls, whose responses have the required ids. */
  readonly prepare: readonly {
    path: (ids: readonly string[]) => string;
    body: Record<string, unknown>;
  }[];
  readonly path: string;
  body(ids: readonly string[]): unknown;
}

const to = { email: "b@example.org" };
const BATCHES: readonly Batch[] = [
  {
    name: "versions of a message",
    prepare: [],
    path: "/v3/smtp/email",
    body: () => ({
      sender: { email: "a@example.org" },
      subject: "much",
      htmlContent: "{% for one in params.list %}{{ params.value }}{% endfor %}",
      params: { list: LIST, value: VALUE },
      messageVersions: Array.from({ length: MESSAGES }, () => ({ to: [to] })),
    }),
  },
  {
    name: "personalizations of a dynamic template",
    prepare: [
      { path: () => "/v3/templates", body: { name: "t", generation: "dynamic" } },
      {
        path: ([id]) => `/v3/templates/${id}/versions`,
        body: {
          name: "v",
          subject: "s",
          active: 1,
          generate_plain_content: false,
          html_content: `{{#each list}}${VALUE}{{/each}}`,
        },
      },
    ],
    path: "/v3/mail/send",
    body: ([template_id]) => ({
      from: { email: "a@example.org" },
      template_id,
      personalizations: Array.from({ length: MESSAGES }, () => ({
        to: [to],
        dynamic_template_data: { list: LIST },
      })),
    }),
  },
];

for (const { name, prepare, path, body } of BATCHES) {
  Deno.test(`a call may make messages up to a quarter of memory_limit from a template: ${name}`, async () => {
    await using service = await startService({
      plugins: [mail],
      config: { storage: { memory_limit: "64MB" } },
    });
    const { hostname, port } = service.ingress;
    const post = (to: string, given: unknown) =>
      fetch(`http://${hostname}:${port}${to}`, {
        method: "POST",
        headers: {
          "api-key": "k",
          authorization: "Bearer SG.k",
          "content-type": "application/json",
        },
        body: JSON.stringify(given),
      });
    const ids: string[] = [];
    for (const step of prepare) {
      const answer = await post(step.path(ids), step.body);
      assert(answer.ok, `${answer.status}`);
      ids.push((await answer.json()).id);
    }
    const response = await post(path, body(ids));
    assertEquals(response.status, 413, await response.text());
    const { length } = service.events.list({});
    // Each takes five million bytes of 16 million.
    assertEquals(length, 3);
  });
}
