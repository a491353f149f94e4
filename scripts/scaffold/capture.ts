import { capitalize, type Capture, type Import } from "./names.ts";

function own(name: string, draftType: string): Import {
  return { names: [name, `type ${draftType}`], from: "../capture.ts" };
}

const ADDRESSES = { from: "hello@example.com", to: "ada@example.com" };
const SUBJECT: Import = { names: ["toFaultSubject"], from: "../capture.ts" };
const NUMBERS = { from: "+15550100", to: "+15550101" };

/** Plugins with a capture function of another form. */
const CAPTURES: Readonly<Record<string, Capture>> = {
  mail: {
    name: "captureMail",
    isAsync: true,
    eventType: "mail.message",
    draftType: "MailDraft",
    imports: [own("captureMail", "MailDraft"), {
      names: ["toAddress"],
      from: "../address_list.ts",
    }],
    draft: ({ from, to, text }) =>
      `{ from: toAddress(${from}), to: [toAddress(${to})], cc: [], bcc: [], reply_to: [], ` +
      `subject: "", text: ${text}, html: "", headers: [], attachments: [] }`,
    about: ', whenFull: "reject"',
    subject: { names: ["toFaultSubject"], from: "../fault_subject.ts" },
    textPath: "text",
    example: ADDRESSES,
  },
  sms: {
    name: "captureSms",
    isAsync: true,
    eventType: "sms.message",
    draftType: "SmsDraft",
    imports: [own("captureSms", "SmsDraft")],
    draft: ({ from, to, text }) => `{ from: ${from}, to: ${to}, body: ${text}, media: [] }`,
    about: "",
    subject: SUBJECT,
    textPath: "body",
    example: NUMBERS,
  },
  chat: {
    name: "captureChat",
    isAsync: false,
    eventType: "chat.message",
    draftType: "ChatDraft",
    imports: [own("captureChat", "ChatDraft")],
    draft: ({ from, to, text }) =>
      `{ channel: { id: ${to} }, author: { name: ${from}, bot: true }, text: ${text}, contents: [] }`,
    about: "",
    subject: SUBJECT,
    textPath: "text",
    example: NUMBERS,
  },
  push: {
    name: "capturePush",
    isAsync: false,
    eventType: "push.message",
    draftType: "PushDraft",
    imports: [own("capturePush", "PushDraft")],
    draft: ({ from, to, text }) =>
      `{ app: ${from}, target: { kind: "device", value: ${to}, source: "token" }, ` +
      `alert: { body: ${text} }, wakes: false, carries: false, delivery: {}, payloads: [] }`,
    about: "",
    subject: { names: ["toSubject"], from: "../capture.ts" },
    textPath: "alert.body",
    example: NUMBERS,
  },
};

/** Returns the capture function of a known plugin, or of one that \`deno task new plugin\` wrote. */
export function captureOf(plugin: string): Capture {
  const known = CAPTURES[plugin];
  if (known !== undefined) return known;
  const name = capitalize(plugin);
  return {
    name: `capture${name}`,
    isAsync: false,
    eventType: `${plugin}.message`,
    draftType: `${name}Draft`,
    imports: [own(`capture${name}`, `${name}Draft`)],
    draft: ({ from, to, text }) => `{ from: ${from}, to: ${to}, text: ${text} }`,
    about: "",
    subject: SUBJECT,
    textPath: "text",
    example: NUMBERS,
  };
}

/** Returns code that captures \`text\`; \`raw\` must be in scope. */
export function captureText(capture: Capture, env: string): string {
  const draft = capture.draft({ from: '"sender"', to: '"recipient"', text: "text" });
  return `${capture.name}(${env}, ${draft}, { raw, meta: {}${capture.about} })`;
}

/** Returns import statements, merged by file, without some of the names. */
export function importsOf(imports: readonly Import[], without: readonly string[] = []): string {
  const files = new Map<string, Set<string>>();
  for (const { names, from } of imports) {
    const held = files.get(from) ?? new Set();
    files.set(from, held);
    for (const name of names) if (!without.includes(name)) held.add(name);
  }
  return [...files].filter(([, names]) => names.size > 0)
    .toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([from, names]) => {
      const bare = (name: string): string => name.replace(/^type /, "");
      const sorted = [...names].toSorted((a, b) => bare(a).localeCompare(bare(b)));
      if (!sorted.every((name) => name.startsWith("type "))) {
        return `import { ${sorted.join(", ")} } from "${from}";\n`;
      }
      return `import type { ${sorted.map(bare).join(", ")} } from "${from}";\n`;
    }).join("");
}
