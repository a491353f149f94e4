/** Shared by the calls for resources. */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, Refused } from "../../../core/result.ts";
import { fail, readFields } from "./fields.ts";
import { isUuid } from "./ids.ts";
import { cutList } from "./paging.ts";
import {
  answer,
  missingField,
  REFUSALS,
  refuse,
  type VendorRefusal,
  vendorRefusal,
} from "./reply.ts";
import { readBody, readListQuery } from "./request.ts";
import type { Collection, Resource } from "./resources.ts";

/** Answers with a page of a list. */
export function answerList<T extends Resource>(
  call: IngressCall,
  items: readonly T[],
  toItem: (item: T) => unknown,
): Response {
  const request = readListQuery(call.query);
  if (!request.ok) return refuse(request.refusal);
  const place = (id: string) => {
    const index = items.findIndex((item) => item.id === id);
    return index < 0 ? undefined : index;
  };
  const cut = cutList(items, request.value, {
    before: place,
    after(id) {
      const index = place(id);
      return index === undefined ? undefined : index + 1;
    },
  });
  if (!cut.ok) return refuse(cut.refusal);
  return answer({ object: "list", has_more: cut.value.more, data: cut.value.items.map(toItem) });
}

/** Parses a body and answers with the result of `work`, or with the refusal that it throws. */
export function withBody(call: IngressCall, work: (at: JsonFields) => Response): Response {
  return saveOrRefuse(() => {
    const result = readBody(call, (body) => attempt(() => work(readFields(body))));
    return result.ok ? result.value : refuse(result.refusal);
  });
}

/** Returns what `save` returns, or a refusal if there is no room. */
export function saveOrRefuse(save: () => Response): Response {
  try {
    return save();
  } catch (error) {
    if (error instanceof StoreFullError) {
      return refuse(vendorRefusal(422, "validation_error", error.message));
    }
    throw error;
  }
}

/** The same for asynchronous work, which may throw `Refused`. */
export async function saveOrRetryLater(save: () => Promise<Response>): Promise<Response> {
  try {
    return await save();
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal as VendorRefusal);
    if (error instanceof StoreFullError) {
      return refuse(vendorRefusal(422, "validation_error", error.message));
    }
    throw error;
  }
}

/** Answers with the result of `work` for the resource that a call names by id. */
export function withResource<T extends Resource>(
  call: IngressCall,
  { from, unknown }: { readonly from: Collection<T>; readonly unknown: VendorRefusal },
  work: (resource: T) => Response,
): Response {
  const id = call.params.id ?? "";
  if (!isUuid(id)) return refuse(REFUSALS.badId);
  const resource = from.get(id);
  return resource === undefined ? refuse(unknown) : saveOrRefuse(() => work(resource));
}

/** Reads a text that must not be empty. */
export function required(at: JsonFields, name: string): string {
  return at.text(name) || fail(missingField(name));
}
