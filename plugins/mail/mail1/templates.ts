/** Calls that manage templates: https://dev.mailjet.com/email/reference/templates/ */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";
import { refuseRest } from "./reply.ts";
import {
  answerData,
  answerNothing,
  answerPage,
  keyOf,
  saveOrRefuse,
  type Shape,
  textOf,
  toTimestamp,
  withBody,
} from "./rest.ts";
import type { Content, Template } from "./store.ts";

const TEMPLATE: Shape = {
  Author: "string",
  Categories: "any",
  Copyright: "string",
  Description: "string",
  EditMode: "any",
  IsStarred: "any",
  IsTextPartGenerationEnabled: "any",
  Locale: "string",
  Name: "string",
  OwnerType: "string",
  Presets: "any",
  Purposes: "any",
};
const CONTENT: Shape = {
  Headers: "any",
  "Html-part": "string",
  MJMLContent: "any",
  "Text-part": "string",
};

/** `POST /v3/REST/template` */
export function createTemplate(call: IngressCall, env: Env): Response {
  return withBody(call, TEMPLATE, (members) => {
    const Name = textOf(members, "Name");
    if (!Name) return refuseRest(400, "The Name property is mandatory.");
    const templates = env.store.templates(keyOf(call));
    if (templates.list().some((one) => one.Name === Name)) return refuseRest(400, nameTaken(Name));
    const now = toTimestamp(env.ctx.now());
    const template: Template = {
      Author: "",
      Categories: [],
      Copyright: "",
      CreatedAt: now,
      Description: "",
      EditMode: 4,
      ID: env.store.nextId(),
      IsStarred: false,
      IsTextPartGenerationEnabled: true,
      LastUpdatedAt: now,
      Locale: "en_US",
      OwnerId: 1,
      OwnerType: "user",
      Presets: "",
      Previews: [],
      Purposes: ["transactional"],
      ...members,
      Name,
    };
    templates.save(template);
    return answerData([template], 201);
  });
}

/** `GET /v3/REST/template` */
export function listTemplates(call: IngressCall, env: Env): Response {
  return answerPage(call, env.store.templates(keyOf(call)).list());
}

/** `GET /v3/REST/template/{id}` */
export function getTemplate(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, (template) => answerData([template]));
}

/** `PUT /v3/REST/template/{id}` */
export function updateTemplate(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, (template) =>
    withBody(call, TEMPLATE, (members) => {
      const templates = env.store.templates(keyOf(call));
      const Name = textOf(members, "Name") || template.Name;
      const isTaken = templates.list().some((one) => one.Name === Name && one.ID !== template.ID);
      if (isTaken) return refuseRest(400, nameTaken(Name));
      const LastUpdatedAt = toTimestamp(env.ctx.now());
      const changed: Template = { ...template, ...members, Name, LastUpdatedAt };
      templates.save(changed);
      return answerData([changed]);
    }));
}

/** `DELETE /v3/REST/template/{id}` */
export function deleteTemplate(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, ({ ID }) => {
    env.store.templates(keyOf(call)).remove(ID);
    env.store.removeContent(keyOf(call), ID);
    return answerNothing();
  });
}

/** `GET /v3/REST/template/{id}/detailcontent` */
export function getContent(call: IngressCall, env: Env): Response {
  return withTemplate(call, env, ({ ID }) => {
    const content = env.store.content(keyOf(call), ID);
    return answerData(content === undefined ? [] : [toContent(content)]);
  });
}

/** `POST /v3/REST/template/{id}/detailcontent`: omitted members become empty. */
export function setContent(call: IngressCall, env: Env): Response {
  return keepContent(call, env, { status: 201, keeps: false });
}

/** `PUT /v3/REST/template/{id}/detailcontent`: omitted members stay unchanged. */
export function changeContent(call: IngressCall, env: Env): Response {
  return keepContent(call, env, { status: 200, keeps: true });
}

function keepContent(
  call: IngressCall,
  env: Env,
  { status, keeps }: { status: number; keeps: boolean },
): Response {
  return withTemplate(call, env, ({ ID }) =>
    withBody(call, CONTENT, (members) => {
      const before = keeps ? env.store.content(keyOf(call), ID) : undefined;
      const headers = members.Headers || undefined;
      if (headers !== undefined && !isJsonObject(headers)) {
        return refuseRest(400, 'Invalid type for property "Headers".');
      }
      const mjml = members.MJMLContent;
      const content: Content = {
        headers: headers ?? before?.headers ?? {},
        html: textOf(members, "Html-part") ?? before?.html ?? "",
        text: textOf(members, "Text-part") ?? before?.text ?? "",
        mjml: mjml ?? before?.mjml ?? null,
      };
      env.store.saveContent(keyOf(call), ID, content);
      return answerData([toContent(content)], status);
    }));
}

function withTemplate(
  call: IngressCall,
  env: Env,
  work: (template: Template) => Response,
): Response {
  const template = env.store.templates(keyOf(call)).get(call.params.id ?? "");
  return template === undefined
    ? refuseRest(404, "Object not found")
    : saveOrRefuse(() => work(template));
}

function nameTaken(name: string): string {
  return `A template with the name "${name}" already exists.`;
}

function toContent({ headers, html, text, mjml }: Content): JsonObject {
  return { Headers: headers, "Html-part": html, MJMLContent: mjml, "Text-part": text };
}
