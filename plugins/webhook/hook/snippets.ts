import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Runnable snippets. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "Send any request with curl",
      lang: "sh",
      code: `curl -sS -i ${at.url}/hook/orders \\
  -H 'Content-Type: application/json' \\
  -d '{"event":"order.paid","id":42}'`,
    },
    {
      title: "Send a file with curl",
      lang: "sh",
      code: `printf 'id,total\\n42,9.90\\n' |
  curl -sS -i ${at.url}/hook/orders/report -F kind=report -F 'file=@-;filename=report.csv'`,
    },
    {
      title: "Script the response in standin.toml",
      lang: "toml",
      code: `[[plugins.webhook.providers.hook.answers]]
name = "orders"
status = 202
json = { accepted = true }
delay = "250ms"`,
    },
  ];
}
