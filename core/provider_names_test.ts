import { assertEquals } from "@std/assert";
import {
  aliasesOf,
  aliasProblems,
  placesNamed,
  providerPlaces,
  shownPlace,
  shownProvider,
} from "./provider_names.ts";

const PLUGINS = [
  {
    id: "mail",
    providers: [
      { id: "mail2", title: "SendGrid v3 Mail Send", shortTitle: "SendGrid", aliases: ["twilio"] },
      { id: "smtp", title: "SMTP" },
    ],
  },
  { id: "s3", providers: [{ id: "http", title: "Amazon S3", shortTitle: "S3" }] },
  { id: "as2", providers: [{ id: "http", title: "AS2" }] },
];

Deno.test("a provider is shown by vendor, with the id unless they are the same", () => {
  const [mail, s3] = PLUGINS;
  assertEquals(mail!.providers.map(shownProvider), ["SendGrid (mail2)", "SMTP"]);
  assertEquals(s3!.providers.map(shownProvider), ["S3 (http)"]);
  assertEquals(shownPlace("mail/mail2", PLUGINS), "SendGrid (mail2)");
  assertEquals(["mail", "mail/x", "x/y"].map((on) => shownPlace(on, PLUGINS)), [
    "mail",
    "mail/x",
    "x/y",
  ]);
});

Deno.test("aliases are in lower case with hyphens, each once and never the id", () => {
  const provider = { id: "ses", title: "Amazon SES", aliases: ["Amazon SES", "SES", " AWS: ses "] };
  assertEquals(aliasesOf(provider), ["amazon-ses", "aws-ses"]);
});

Deno.test("a name matches providers by id, else one by alias", () => {
  const places = providerPlaces(PLUGINS);
  const named = (word: string) =>
    placesNamed(word, places).map(({ plugin, id }) => `${plugin}/${id}`);
  for (const word of ["mail2", "mail/mail2", "SendGrid", "SENDGRID", "mail/sendgrid", "twilio"]) {
    assertEquals(named(word), ["mail/mail2"], word);
  }
  assertEquals(named("http"), ["s3/http", "as2/http"]);
  assertEquals(named("s3"), ["s3/http"]);
  for (const word of ["", "/", "mail/", "sms/sendgrid", "MAIL2", "send grid", "mail"]) {
    assertEquals(named(word), [], word);
  }
});

Deno.test("an ambiguous alias is reported", () => {
  assertEquals([...aliasProblems(PLUGINS)], []);
  const other = (id: string, title: string, alias: string) => ({
    id,
    providers: [{ id: `${id}1`, title, aliases: [alias] }, { id: `${id}2`, title: `${title} 2` }],
  });
  const clashes = [...PLUGINS, other("sms", "Acme", "SendGrid"), other("chat", "Slack", "smtp")];
  assertEquals([...aliasProblems(clashes)], [
    'Cannot use alias "sendgrid" of provider "sms/sms1": "mail/mail2" has it, too',
    'Cannot use alias "smtp" of provider "chat/chat1": it is the id of "mail/smtp"',
  ]);
  assertEquals([...aliasProblems([...PLUGINS, other("fax", "Mail", "fax")])], [
    'Cannot use alias "mail" of provider "fax/fax1": it is the id of a plugin',
    'Cannot use alias "fax" of provider "fax/fax1": it is the id of a plugin',
  ]);
});
