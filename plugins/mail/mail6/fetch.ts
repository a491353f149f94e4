/** Calls of version 2 besides those that send: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Operations.html */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import type { IngressCall, MaybePromise } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import { addIdentity, identitiesOf, isDomain, removeIdentity, sentLastDay } from "./identities.ts";
import { fail } from "./message.ts";
import type { Env } from "./options.ts";
import { missing, unknownIdentity, type VendorRefusal } from "./refusals.ts";
import type { Parts } from "./rendering.ts";
import { answer, refuse } from "./reply.ts";
import { readBody } from "./request.ts";
import type { Context } from "./send.ts";
import * as templates from "./templates.ts";

type Handler = (call: IngressCall, env: Env) => Promise<Response>;

/** Answers with the result of `work`, or with the refusal that it throws. */
function handler(work: (context: Context, body: JsonFields) => MaybePromise<unknown>): Handler {
  return async (call, env) => {
    const requestId = env.ctx.uuid();
    const body = readBody(call, (at) => at);
    if (!body.ok) return refuse(body.refusal, { call, requestId });
    try {
      return answer(await work({ call, env }, body.value) ?? {}, requestId);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return refuse(error.refusal as VendorRefusal, { call, requestId });
    }
  };
}

/** `POST /v2/email/templates` */
export const createTemplate = handler((context, body) => {
  const name = body.text("TemplateName") ?? fail(missing("templateName"));
  templates.create(name, readParts(body), context);
});

/** `PUT /v2/email/templates/{name}` */
export const updateTemplate = handler((context, body) => {
  templates.update(nameOf(context), readParts(body), context);
});

/** `GET /v2/email/templates/{name}` */
export const getTemplate = handler((context) => {
  const { name, subject, text, html } = templates.find(nameOf(context), context);
  return { TemplateName: name, TemplateContent: { Subject: subject, Text: text, Html: html } };
});

/** `DELETE /v2/email/templates/{name}` */
export const deleteTemplate = handler((context) => templates.remove(nameOf(context), context));

/** `GET /v2/email/templates` */
export const listTemplates = handler((context) => {
  const { query } = context.call;
  const size = Number(query.get("PageSize") ?? 10);
  const page = templates.list({ size, token: query.get("NextToken") ?? undefined }, context);
  return {
    TemplatesMetadata: page.templates.map(({ name, createdAt }) => ({
      TemplateName: name,
      CreatedTimestamp: createdAt.getTime() / 1000,
    })),
    ...(page.next !== undefined && { NextToken: page.next }),
  };
});

/** `POST /v2/email/templates/{name}/render` */
export const renderTemplate = handler(async (context, body) => ({
  RenderedTemplate: await templates.testRender(
    nameOf(context),
    body.text("TemplateData"),
    context,
  ),
}));

/** `GET /v2/email/account` */
export const getAccount = handler(({ env }) => ({
  DedicatedIpAutoWarmupEnabled: false,
  EnforcementStatus: "HEALTHY",
  ProductionAccessEnabled: true,
  SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: sentLastDay(env) },
  SendingEnabled: true,
  SuppressionAttributes: { SuppressedReasons: ["BOUNCE", "COMPLAINT"] },
}));

/** `GET /v2/email/identities`, and `POST /v2/email/list-identities` */
export const listIdentities = handler((context) => ({
  EmailIdentities: identitiesOf(context).map((name) => ({
    IdentityType: typeOf(name),
    IdentityName: name,
    SendingEnabled: true,
    VerificationStatus: "SUCCESS",
  })),
}));

/** `POST /v2/email/identities`: verified at once. */
export const createIdentity = handler((context, body) => {
  const name = body.text("EmailIdentity") ?? fail(missing("emailIdentity"));
  addIdentity(name, context, { isNew: true });
  return {
    IdentityType: typeOf(name),
    VerifiedForSendingStatus: true,
    DkimAttributes: { SigningEnabled: false, Status: "NOT_STARTED", Tokens: [] },
  };
});

/** `GET /v2/email/identities/{name}` */
export const getIdentity = handler((context) => {
  const name = nameOf(context);
  if (!identitiesOf(context).includes(name)) fail(unknownIdentity(name));
  return {
    IdentityType: typeOf(name),
    FeedbackForwardingStatus: true,
    VerifiedForSendingStatus: true,
    VerificationStatus: "SUCCESS",
    DkimAttributes: { SigningEnabled: false, Status: "NOT_STARTED", Tokens: [] },
    MailFromAttributes: { BehaviorOnMxFailure: "USE_DEFAULT_VALUE" },
    Policies: {},
    Tags: [],
  };
});

/** `DELETE /v2/email/identities/{name}` */
export const deleteIdentity = handler((context) => {
  const name = nameOf(context);
  if (!removeIdentity(name, context)) fail(unknownIdentity(name));
});

function typeOf(name: string): string {
  return isDomain(name) ? "DOMAIN" : "EMAIL_ADDRESS";
}

function nameOf({ call: { params } }: Context): string {
  return params.name ?? "";
}

function readParts(body: JsonFields): Parts {
  const content = body.child("TemplateContent") ?? fail(missing("templateContent"));
  return {
    subject: content.text("Subject") ?? "",
    text: content.text("Text") ?? "",
    html: content.text("Html") ?? "",
  };
}
