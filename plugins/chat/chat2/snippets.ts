import type { Endpoint, Snippet } from "../../../core/plugin.ts";

const HOOK =
  "/webhookb2/11111111-1111-1111-1111-111111111111@22222222-2222-2222-2222-222222222222" +
  "/IncomingWebhook/0123456789abcdef0123456789abcdef/33333333-3333-3333-3333-333333333333";
const WORKFLOW =
  "/workflows/0123456789abcdef0123456789abcdef/triggers/manual/paths/invoke?api-version=2016-06-01" +
  "&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=any";

/** Runnable snippets; any ids in the path work. */
export function snippets(at: Endpoint): readonly Snippet[] {
  return [
    {
      title: "Post an Adaptive Card with curl",
      lang: "sh",
      code: `curl -sS -i '${at.url}${HOOK}' \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"message","attachments":[{"contentType":"application/vnd.microsoft.card.adaptive","content":{"type":"AdaptiveCard","version":"1.4","body":[{"type":"TextBlock","text":"Hello from curl"}]}}]}'`,
    },
    {
      title: "Start a workflow with curl",
      lang: "sh",
      code: `curl -sS -i '${at.url}${WORKFLOW}' \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"message","attachments":[{"contentType":"application/vnd.microsoft.card.adaptive","content":{"type":"AdaptiveCard","version":"1.4","body":[{"type":"TextBlock","text":"Hello from a workflow"}]}}]}'`,
    },
    {
      title: "Post a MessageCard with curl",
      lang: "sh",
      code: `curl -sS '${at.url}${HOOK}' \\
  -H 'Content-Type: application/json' \\
  -d '{"@type":"MessageCard","@context":"https://schema.org/extensions","summary":"Hello","title":"Hello","text":"Hello from curl"}'`,
    },
    {
      title: "Point the Node client here",
      lang: "js",
      code: `import { IncomingWebhook } from "ms-teams-webhook";

const webhook = new IncomingWebhook("${at.url}${HOOK}");
await webhook.send({
  "@type": "MessageCard",
  "@context": "https://schema.org/extensions",
  summary: "Hello",
  text: "Hello from Node",
});`,
    },
  ];
}
