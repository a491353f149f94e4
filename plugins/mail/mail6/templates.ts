/**
 * Template operations of both APIs:
 * https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-api.html
 */
import { StoreFullError } from "../../../core/errors.ts";
import { composeEml } from "../eml.ts";
import { accountOf } from "./account.ts";
import { fail, readTemplateData } from "./message.ts";
import {
  exists,
  invalidTemplate,
  missing,
  tooLarge,
  unknownTemplate,
  type VendorRefusal,
} from "./refusals.ts";
import { checkTemplate, type Parts, renderContent } from "./rendering.ts";
import type { Context } from "./send.ts";
import type { Template } from "./store.ts";

/** Largest template in characters, and most of them: https://docs.aws.amazon.com/ses/latest/dg/quotas.html */
const [MAX_CHARS, MAX_TEMPLATES] = [500 * 1024, 20_000];
const NAME = /^[\w-]{1,64}$/;

/** Adds a template. Throws `Refused`. */
export function create(name: string, parts: Parts, context: Context): void {
  const { call, env } = context;
  const account = accountOf(call);
  if (!NAME.test(name)) fail(invalidTemplate(`The template name '${name}' is not valid.`));
  if (env.store.template(account, name) !== undefined) fail(exists(`Template ${name}`));
  if (env.store.templates(account).length >= MAX_TEMPLATES) {
    fail(limitExceeded(`Cannot have more than ${MAX_TEMPLATES} templates.`));
  }
  save({ ...parts, name, createdAt: env.ctx.now() }, context);
}

/** Replaces a template. Throws `Refused`. */
export function update(name: string, parts: Parts, context: Context): void {
  save({ ...parts, name, createdAt: find(name, context).createdAt }, context);
}

/** Returns a template. Throws `Refused`. */
export function find(name: string, { call, env }: Context): Template {
  if (name === "") fail(missing("templateName"));
  return env.store.template(accountOf(call), name) ?? fail(unknownTemplate(name));
}

/** Removes a template. Throws `Refused` if it does not exist. */
export function remove(name: string, context: Context): void {
  find(name, context);
  context.env.store.removeTemplate(accountOf(context.call), name);
}

/** A page of templates, newest first; the token counts those before it. */
export function list(
  { size, token }: { size: number; token: string | undefined },
  { call, env }: Context,
): { readonly templates: readonly Template[]; readonly next?: string } {
  const all = env.store.templates(accountOf(call)).toReversed();
  const from = token === undefined ? 0 : Number(token);
  if (!Number.isInteger(from) || from < 0) {
    fail({
      v1: ["InvalidParameterValue", 400],
      v2: ["InvalidNextTokenException", 400],
      message: "The NextToken is not valid.",
    });
  }
  const to = from + Math.min(Math.max(size, 1), 100);
  return { templates: all.slice(from, to), ...(to < all.length && { next: String(to) }) };
}

/**
 * Returns a template rendered with its data, as a message. Throws `Refused`, also for incomplete
 * data.
 */
export async function testRender(
  name: string,
  data: string | undefined,
  context: Context,
): Promise<string> {
  const template = find(name, context);
  const { rendered, missing } = renderContent(template, readTemplateData(data));
  if (missing !== undefined) {
    fail({
      v1: ["MissingRenderingAttribute", 400],
      v2: ["BadRequestException", 400],
      message: `Attribute '${missing}' is not present in the rendering data.`,
    });
  }
  const bytes = await composeEml({ from: { email: "" }, ...rendered }, {
    id: context.env.ctx.uuid(),
    receivedAt: context.env.ctx.now(),
    attachments: [],
  });
  return new TextDecoder().decode(bytes);
}

function limitExceeded(message: string): VendorRefusal {
  return { v1: ["LimitExceeded", 400], v2: ["LimitExceededException", 400], message };
}

function save(template: Template, { call, env }: Context): void {
  const { subject, text, html } = template;
  if (subject === "" && text === "" && html === "") {
    fail(invalidTemplate("The template must have a subject, a text or an HTML part."));
  }
  if (subject.length + text.length + html.length > MAX_CHARS) {
    fail(limitExceeded("The template exceeds the maximum size of 500 KB."));
  }
  checkTemplate(template);
  try {
    env.store.saveTemplate(accountOf(call), template);
  } catch (error) {
    if (error instanceof StoreFullError) fail(tooLarge(error.message));
    throw error;
  }
}
