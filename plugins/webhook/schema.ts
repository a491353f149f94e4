/** JSON shapes of captured items. `deno task docs` generates `model.ts` from them. */
import { Type } from "../../core/shape_type.ts";
import { text, whole } from "../../core/shapes.ts";

const values = (description: string) =>
  Type.Record(Type.String(), Type.Array(Type.String()), { description });

export const WebhookPartShape = Type.Object({
  name: Type.Optional(text("Name of the form field; hostile text")),
  filename: Type.Optional(text("As stated by the sender; hostile text")),
  content_type: text("Media type in lower case"),
  size: whole("Bytes, with the transfer encoding decoded"),
  text: Type.Optional(text("The part as text; absent for files and for parts above 64 KiB")),
}, { $id: "webhook.Part", description: "One part of a multipart body" });

export const WebhookRequestShape = Type.Object({
  name: text("Name after /hook/"),
  method: text("HTTP method as sent"),
  path: text("Path and query as sent"),
  rest: Type.Optional(text("What follows the name in the path, decoded")),
  query: values("Decoded query parameters, with all values of each name"),
  headers: Type.Record(Type.String(), Type.String(), {
    description: "Header fields by name in lower case; repeated fields are joined with a comma",
  }),
  content_type: Type.Optional(text("Media type of the body, without parameters, in lower case")),
  size: whole("Bytes of the body, with its content coding decoded"),
  text: Type.Optional(
    text(
      "The body as text; absent if it is not text, or is larger than 1 MiB: then only the raw body has it",
    ),
  ),
  json: Type.Optional(Type.Unknown({ description: "The body, parsed, if it is JSON" })),
  form: Type.Optional(values("Fields of a form, urlencoded or multipart; files are parts")),
  parts: Type.Optional(
    Type.Array(WebhookPartShape, { description: "Parts of a multipart body, in order" }),
  ),
  status: whole("Status of the response"),
}, {
  $id: "webhook.Request",
  description: "Any HTTP request. Empty optional properties are absent",
});

export const WebhookAnswerShape = Type.Object({
  name: text("Name that it answers; * for every name"),
  method: Type.Optional(text("Method that it answers; by default every method")),
  status: whole("Status, 200 to 599"),
  headers: Type.Record(Type.String(), Type.String(), { description: "Header fields by name" }),
  body: text("Body"),
  delay_ms: whole("Milliseconds until it is sent"),
  times: Type.Optional(whole("Number of requests that it still answers; absent if it answers all")),
}, { $id: "webhook.Answer", description: "A scripted response" });
