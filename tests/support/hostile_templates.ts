/**
 * Templates that are short or cheap to send and once were expensive to parse or render.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { HostileInput } from "./hostile_inputs.ts";
import type { Target } from "./under_attack.ts";

const MIB = 1024 ** 2;

/** Posts JSON, and returns the parsed response, if any. */
async function post(
  { urls }: Target,
  path: string,
  { authorization, body }: { authorization: string; body: unknown },
) {
  const response = await fetch(`${urls.ingress}${path}`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assertEquals(response.ok, true, `${path}: ${text.slice(0, 500)}`);
  return text === "" ? {} : JSON.parse(text);
}

/** A message of Mailjet whose body is a template. */
function mailjet(name: string, HTMLPart: string, Variables: object = {}): HostileInput {
  const authorization = `Basic ${btoa("key:secret")}`;
  return {
    name,
    async prepare(target) {
      const create = { authorization, body: { Name: "hostile" } };
      const { Data: [{ ID }] } = await post(target, "/v3/REST/template", create);
      await post(target, `/v3/REST/template/${ID}/detailcontent`, { authorization, body: {} });
      const message = {
        From: { Email: "a@example.org" },
        To: [{ Email: "b@example.org" }],
        Subject: "x",
        HTMLPart,
        TemplateID: ID,
        TemplateLanguage: true,
        Variables,
      };
      const body = { Messages: [message] };
      return async () => void await post(target, "/v3.1/send", { authorization, body });
    },
  };
}

/** Very many messages of SendGrid of one template. */
function sendGrid(name: string, html_content: string, data: object): HostileInput {
  const authorization = "Bearer SG.x";
  return {
    name,
    async prepare(target) {
      const create = { authorization, body: { name: "hostile", generation: "dynamic" } };
      const { id } = await post(target, "/v3/templates", create);
      const version = { name: "hostile", subject: "x", html_content, active: 1 };
      await post(target, `/v3/templates/${id}/versions`, { authorization, body: version });
      const body = {
        from: { email: "a@example.org" },
        template_id: id,
        dynamic_template_data: data,
        personalizations: Array(60).fill({ to: [{ email: "b@example.org" }] }),
      };
      return async () => void await post(target, "/v3/mail/send", { authorization, body });
    },
  };
}

/** A message of SendGrid with unused substitutions, in a legacy template. */
function legacy(name: string, { tags, length }: { tags: number; length: number }): HostileInput {
  const authorization = "Bearer SG.x";
  return {
    name,
    async prepare(target) {
      const create = { authorization, body: { name: "older" } };
      const { id } = await post(target, "/v3/templates", create);
      const version = {
        name: "older",
        subject: "<%subject%>",
        html_content: "<%body%>",
        active: 1,
      };
      await post(target, `/v3/templates/${id}/versions`, { authorization, body: version });
      const substitutions = Object.fromEntries(
        Array.from({ length: tags }, (_, i) => [`-${i}-`, "x"]),
      );
      const body = {
        from: { email: "a@example.org" },
        subject: "x",
        template_id: id,
        personalizations: [{ to: [{ email: "b@example.org" }], substitutions }],
        content: [{ type: "text/html", value: "a".repeat(length) }],
      };
      return async () => void await post(target, "/v3/mail/send", { authorization, body });
    },
  };
}

/** Every such template. */
export const HOSTILE_TEMPLATES: readonly HostileInput[] = [
  mailjet(
    "a loop changes a long text and writes nothing",
    '{% for one in var:list %}{% if Upper(var:text) == "A" %}{% endif %}{% endfor %}',
    { list: Array(50_000).fill(0), text: "a".repeat(2 * MIB) },
  ),
  mailjet("a template is made of values", "{{a}}".repeat(2 * MIB)),
  mailjet("a statement does not end", `{%${"a".repeat(20 * MIB)}`),
  mailjet("a condition has very many words", `{{${"a and ".repeat(MIB)}a}}`),
  sendGrid("messages have a loop over nothing", "{{#each list}}{{/each}}", {
    list: Array(190_000).fill(0),
  }),
  legacy("a long message has very many substitutions", { tags: 5000, length: 8 * MIB }),
];
