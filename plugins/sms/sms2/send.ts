/** The actions of Amazon SNS. */
import { signingScope } from "../../../core/http/aws.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { Result } from "../../../core/result.ts";
import { failure, success } from "../../../core/result.ts";
import type { FormFields } from "../../../core/codec/form.ts";
import type { Xml } from "../../../core/codec/query_xml.ts";
import { captureSms } from "../capture.ts";
import type { Env } from "./options.ts";
import { optedOut } from "./refusals.ts";
import { answer, refuse, type VendorRefusal } from "./reply.ts";
import {
  type Action,
  type Publication,
  readAction,
  readBatch,
  readNumber,
  readPublish,
  readTopicName,
} from "./request.ts";

interface Acting {
  readonly call: IngressCall;
  readonly env: Env;
  readonly form: FormFields;
}

/** The account of every topic. */
const ACCOUNT = "000000000000";

const HANDLERS: Readonly<
  Record<Action, (acting: Acting) => Promise<Result<Xml, VendorRefusal>>>
> = {
  Publish: publish,
  PublishBatch: publishBatch,
  // A topic exists once it is named; its messages are captured whether or not there are
  // subscribers.
  CreateTopic({ call, form }) {
    const name = readTopicName(form);
    const region = signingScope(call.headers)?.region ?? "us-east-1";
    const arn = (name: string) => `arn:aws:sns:${region}:${ACCOUNT}:${name}`;
    return Promise.resolve(name.ok ? success({ TopicArn: arn(name.value) }) : name);
  },
  CheckIfPhoneNumberIsOptedOut({ env, form }) {
    const number = readNumber(form);
    if (!number.ok) return Promise.resolve(number);
    return Promise.resolve(success({ isOptedOut: env.values.opted_out.includes(number.value) }));
  },
};

/** `POST /` */
export async function act(call: IngressCall, env: Env): Promise<Response> {
  const requestId = env.ctx.uuid();
  const asked = readAction(call.body);
  if (!asked.ok) return refuse(asked.refusal, requestId);
  const { action, form } = asked.value;
  const result = await HANDLERS[action]({ call, env, form });
  return result.ok ? answer(action, result.value, requestId) : refuse(result.refusal, requestId);
}

async function publish({ call, env, form }: Acting): Promise<Result<Xml, VendorRefusal>> {
  const publication = readPublish(form);
  return publication.ok ? await capture(publication.value, { call, env }) : publication;
}

async function publishBatch({ call, env, form }: Acting): Promise<Result<Xml, VendorRefusal>> {
  const entries = readBatch(form);
  if (!entries.ok) return entries;
  const Successful: Xml[] = [];
  const Failed: Xml[] = [];
  for (const { id: Id, publication } of entries.value) {
    const sent = publication.ok ? await capture(publication.value, { call, env }) : publication;
    if (sent.ok) {
      Successful.push({ Id, ...sent.value });
      continue;
    }
    const { code: Code, message: Message, status } = sent.refusal;
    Failed.push({ Id, Code, Message, SenderFault: status < 500 });
  }
  return success({ Successful, Failed });
}

async function capture(
  { draft, meta, fifo }: Publication,
  { call, env }: { call: IngressCall; env: Env },
): Promise<Result<{ readonly [name: string]: Xml }, VendorRefusal>> {
  if (env.values.opted_out.includes(draft.to)) return failure(optedOut(draft.to));
  const MessageId = env.ctx.uuid();
  const scope = signingScope(call.headers);
  await captureSms(env, draft, {
    raw: call.raw,
    meta: {
      ...meta,
      message_id: MessageId,
      ...(scope && { access_key: scope.accessKey, region: scope.region }),
    },
  });
  // Increases with time, like the vendor's numbers; 20 digits.
  const number = 10n ** 19n + BigInt(env.ctx.now().getTime()) * 1000n;
  return success({ MessageId, ...(fifo && { SequenceNumber: String(number) }) });
}
