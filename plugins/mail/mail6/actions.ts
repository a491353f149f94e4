/** Version 1: `POST /` with an `Action`. https://docs.aws.amazon.com/ses/latest/APIReference/API_Operations.html */
import type { IngressCall, MaybePromise } from "../../../core/plugin.ts";
import { attempt, Refused } from "../../../core/result.ts";
import { addIdentity, identitiesOf, isDomain, removeIdentity, sentLastDay } from "./identities.ts";
import { fail } from "./message.ts";
import type { Env } from "./options.ts";
import { type Query, readBulk, readMessage, readQuery } from "./query.ts";
import { REFUSALS, unknownAction, type VendorRefusal } from "./refusals.ts";
import type { Parts } from "./rendering.ts";
import { answerXml, refuse } from "./reply.ts";
import { type Context, send, sendAll } from "./send.ts";
import * as templates from "./templates.ts";
import type { Xml } from "../../../core/codec/query_xml.ts";

/** An action in the context of its call. */
interface Acting extends Context {
  readonly query: Query;
  readonly action: string;
}

type Action = (acting: Acting) => MaybePromise<Xml>;

const ACTIONS: Readonly<Record<string, Action>> = {
  SendEmail: sendOne,
  SendRawEmail: sendOne,
  SendTemplatedEmail: sendOne,
  SendBulkTemplatedEmail: sendMany,
  CreateTemplate: (acting) => {
    const name = acting.query.required("Template.TemplateName");
    templates.create(name, readParts(acting.query), acting);
    return {};
  },
  UpdateTemplate: (acting) => {
    const name = acting.query.required("Template.TemplateName");
    templates.update(name, readParts(acting.query), acting);
    return {};
  },
  GetTemplate: (acting) => {
    const { name, subject, text, html } = templates.find(
      acting.query.required("TemplateName"),
      acting,
    );
    return {
      Template: { TemplateName: name, SubjectPart: subject, TextPart: text, HtmlPart: html },
    };
  },
  // Unlike version 2, version 1 accepts the deletion of a missing template.
  DeleteTemplate: (acting) => {
    const name = acting.query.required("TemplateName");
    try {
      templates.remove(name, acting);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    return {};
  },
  ListTemplates: (acting) => {
    const size = Number(acting.query.text("MaxItems") ?? 10);
    const page = templates.list({ size, token: acting.query.text("NextToken") }, acting);
    const TemplatesMetadata = page.templates.map(({ name, createdAt }) => ({
      Name: name,
      CreatedTimestamp: createdAt.toISOString(),
    }));
    return { TemplatesMetadata, NextToken: page.next };
  },
  TestRenderTemplate: async (acting) => {
    const { query } = acting;
    const name = query.required("TemplateName");
    const data = query.text("TemplateData");
    return { RenderedTemplate: await templates.testRender(name, data, acting) };
  },
  GetSendQuota: ({ env }) => ({
    Max24HourSend: "50000.0",
    MaxSendRate: "14.0",
    SentLast24Hours: sentLastDay(env).toFixed(1),
  }),
  GetSendStatistics: () => ({ SendDataPoints: [] }),
  GetAccountSendingEnabled: () => ({ Enabled: true }),
  ListIdentities: (acting) => {
    const type = acting.query.text("IdentityType");
    const Identities = identitiesOf(acting).filter((name) =>
      type === undefined || isDomain(name) === (type === "Domain")
    );
    return { Identities };
  },
  ListVerifiedEmailAddresses: (acting) => ({
    VerifiedEmailAddresses: identitiesOf(acting).filter((name) => !isDomain(name)),
  }),
  VerifyEmailIdentity: (acting) => verify("EmailAddress", acting),
  VerifyEmailAddress: (acting) => verify("EmailAddress", acting),
  VerifyDomainIdentity: (acting) => ({
    ...verify("Domain", acting),
    VerificationToken: "standin",
  }),
  DeleteIdentity: (acting) => {
    removeIdentity(acting.query.required("Identity"), acting);
    return {};
  },
  GetIdentityVerificationAttributes: (acting) => {
    const known = identitiesOf(acting);
    const found = acting.query.list("Identities").filter((name) => known.includes(name));
    return {
      VerificationAttributes: new Map(
        found.map((name) => [name, { VerificationStatus: "Success" }]),
      ),
    };
  },
};

/** `POST /` */
export async function act(call: IngressCall, env: Env): Promise<Response> {
  const requestId = env.ctx.uuid();
  try {
    const { action, query } = readAction(call);
    const result = await ACTIONS[action]!({ call, env, query, action });
    return answerXml(action, result, requestId);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refuse(error.refusal as VendorRefusal, { call, requestId });
  }
}

/** Returns the action of a call. Throws `Refused`. */
export function readAction(call: IngressCall): { action: string; query: Query } {
  const query = readQuery(call);
  if (!query.ok) fail(query.refusal);
  const action = query.value.text("Action") ?? fail(REFUSALS.noAction);
  if (!Object.hasOwn(ACTIONS, action)) fail(unknownAction(action));
  return { action, query: query.value };
}

async function sendOne({ action, query, ...context }: Acting): Promise<Xml> {
  const sent = await send(readMessage(action, query), context);
  return sent.ok ? { MessageId: sent.value } : fail(sent.refusal);
}

async function sendMany({ query, ...context }: Acting): Promise<Xml> {
  const results = await sendAll(readBulk(query), context);
  return {
    Status: results.map((sent) =>
      sent.ok
        ? { Status: "Success", MessageId: sent.value }
        : { Status: toWords(sent.refusal.bulk ?? "FAILED"), Error: sent.refusal.message }
    ),
  };
}

/** `MESSAGE_REJECTED` as version 1 spells it: `MessageRejected`. */
function toWords(status: string): string {
  if (status === "TEMPLATE_NOT_FOUND") return "TemplateDoesNotExist";
  if (status === "INVALID_PARAMETER") return "InvalidParameterValue";
  return status.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
}

function verify(parameter: string, acting: Acting): { readonly [name: string]: Xml } {
  addIdentity(acting.query.required(parameter), acting);
  return {};
}

function readParts(query: Query): Parts {
  return {
    subject: query.text("Template.SubjectPart") ?? "",
    text: query.text("Template.TextPart") ?? "",
    html: query.text("Template.HtmlPart") ?? "",
  };
}

/** Returns the messages of a call, for the rules of faults. */
export function readMessages(call: IngressCall): readonly ReturnType<typeof readMessage>[] {
  const read = attempt(() => {
    const { action, query } = readAction(call);
    if (action === "SendBulkTemplatedEmail") return readBulk(query);
    return ACTIONS[action] === sendOne ? [readMessage(action, query)] : [];
  });
  return read.ok ? read.value : [];
}
