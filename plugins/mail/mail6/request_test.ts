import { assertEquals } from "@std/assert";
import { attempt } from "../../../core/result.ts";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { signerOf } from "./account.ts";
import { Query, readBulk as readBulkQuery, readMessage, readQuery } from "./query.ts";
import { readBody, readBulk, readEmail } from "./request.ts";
import { toXml } from "../../../core/codec/query_xml.ts";

function call(body: string) {
  return { body: new TextEncoder().encode(body), headers: new Headers() };
}

Deno.test("readEmail() refuses a missing or mistyped member, with its path", () => {
  const messages = [
    {},
    { Content: { Simple: { Body: { Text: { Data: "x" } } } } },
    { Content: { Simple: { Subject: { Data: "x" }, Body: {} } } },
    { Content: { Simple: 1 } },
    { Content: { Raw: { Data: "?" } } },
    { Content: { Template: {} } },
    { Content: { Template: { TemplateName: "x", TemplateData: "1" } } },
    { Content: { Raw: { Data: "" } }, Destination: { ToAddresses: [1] } },
  ].map((body) => {
    const read = readBody(call(JSON.stringify(body)), readEmail);
    return read.ok ? "taken" : read.refusal.message.replace(/^1 validation.*Value null at /, "");
  });
  const rest = " failed to satisfy constraint: Member must not be null";
  assertEquals(messages, [
    `'content'${rest}`,
    `'content.simple.subject'${rest}`,
    `'content.simple.body.text'${rest}`,
    "Expected a value of type object (at Content.Simple)",
    "Content.Raw.Data is not base64",
    `'content.template.templateName'${rest}`,
    "Template data is not a valid JSON object.",
    "Expected a value of type string (at Destination.ToAddresses)",
  ]);
});

Deno.test("lists of version 1 are numbered from 1, and end at the first gap", () => {
  const query = new Query([
    ["Source", "a@example.com"],
    ["Destination.ToAddresses.member.1", "b@example.com"],
    ["Destination.ToAddresses.member.2", "c@example.com"],
    ["Destination.ToAddresses.member.4", "d@example.com"],
    ["Message.Subject.Data", "s"],
    ["Message.Body.Text.Data", "t"],
  ]);
  const { destination, from } = readMessage("SendEmail", query);
  assertEquals([destination.to, from], [["b@example.com", "c@example.com"], "a@example.com"]);
});

Deno.test("the signer is read from both kinds of signatures", () => {
  const scope = "AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/ses/aws4_request, Signature=0";
  const signers = [
    { authorization: scope },
    { "x-amzn-authorization": "AWS3-HTTPS AWSAccessKeyId=AKIB,Algorithm=HmacSHA256,Signature=0" },
    { authorization: "Bearer x" },
  ].map((headers) => signerOf({ headers: new Headers(headers as Record<string, string>) }));
  assertEquals(signers, [
    { accessKey: "AKIA", region: "eu-west-1" },
    { accessKey: "AKIB", region: "us-east-1" },
    { accessKey: "", region: "us-east-1" },
  ]);
});

Deno.test("XML escapes markup, replaces what it cannot hold, and writes lists and maps", () => {
  assertEquals(
    toXml({ A: ["<1>", 2], B: new Map([["k", { C: true }]]), D: undefined, E: "a\0\ud800" }),
    "<A><member>&#60;1&#62;</member><member>2</member></A>" +
      "<B><entry><key>k</key><value><C>true</C></value></entry></B><E>a\ufffd\ufffd</E>",
  );
});

Deno.test("the readers of both versions accept or refuse anything", () => {
  const key = fc.constantFrom(
    "Content",
    "Simple",
    "Raw",
    "Template",
    "Destination",
    "BulkEmailEntries",
    "DefaultContent",
    "Data",
    "Body",
    "ToAddresses",
    "TemplateData",
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.dictionary(key, tie("tree")),
      fc.array(tie("tree"), { maxLength: 2 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (body) => {
      readBody(call(JSON.stringify(body)), readEmail);
      readBody(call(JSON.stringify(body)), readBulk);
    }),
    fuzzed(300),
  );
  const name = fc.constantFrom(
    "Source",
    "RawMessage.Data",
    "Template",
    "TemplateData",
    "Destinations.member.1",
    "Destinations.member.1.Destination.ToAddresses.member.1",
    "Message.Body.Text.Data",
    "Message.Subject.Data",
    "Tags.member.1.Name",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string())), fc.string(), (pairs, text) => {
      const query = new Query(pairs);
      for (const action of ["SendEmail", "SendRawEmail", "SendTemplatedEmail"]) {
        attempt(() => readMessage(action, query));
      }
      attempt(() => readBulkQuery(query));
      readQuery(call(text));
    }),
    fuzzed(300),
  );
});
