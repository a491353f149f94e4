/** Settings of a bucket: put, got back as they were put, and deleted. */
import { parseSetting, type SettingName, writeSetting } from "../../catalog/settings.ts";
import type { XmlElement, XmlNode } from "../../codec/xml.ts";
import { type S3Code, S3Error } from "../../errors.ts";
import { readXmlBody } from "../body.ts";
import { empty, xml } from "../reply.ts";
import type { Operation } from "../request.ts";
import { type DocumentName, SETTING_RULES } from "../setting_rules.ts";

/** `GET /bucket?name` of what every bucket has as S3 makes it, and cannot be changed here. */
export function answerDefault(root: string, content: readonly XmlElement[] = []): Operation {
  return ({ catalog, target }) => {
    catalog.bucket(target.bucket);
    return xml(root, content);
  };
}

/** `GET /bucket?name` of what no bucket has here. */
export function answerMissing(name: string, code: S3Code): Operation {
  return ({ catalog, target }) => {
    const bucket = catalog.bucket(target.bucket);
    throw new S3Error(code, `Cannot find ${name} of bucket "${bucket.name}": it is left out here`);
  };
}

/** `GET /bucket?name`. Without the setting its own 404, or an empty document. */
export function getSetting(name: DocumentName): Operation {
  const { missing, root: expected } = SETTING_RULES[name];
  return ({ catalog, target }) => {
    const text = catalog.bucket(target.bucket).settings.get(name);
    if (text === undefined) {
      if (missing === undefined) return xml(expected, []);
      throw new S3Error(missing, `Cannot find ${name} of bucket "${target.bucket}": put it first`);
    }
    const root = parseSetting(text)!;
    return xml(root.name, root.children.map(toElement));
  };
}

function toElement({ name, text, children }: XmlNode): XmlElement {
  return [name, children.length > 0 ? children.map(toElement) : text];
}

/** `PUT /bucket?name`. It takes the place of the one before. */
export function putSetting(name: DocumentName): Operation {
  const { root: expected, maxBytes, check } = SETTING_RULES[name];
  return async (request) => {
    const { catalog, target } = request;
    const bucket = catalog.bucket(target.bucket);
    const root = await readXmlBody(request, { maxBytes });
    if (root?.name !== expected) {
      throw new S3Error("MalformedXML", `Cannot put ${name}: expected a ${expected} document`);
    }
    check(root);
    await catalog.configure(bucket, name, writeSetting(root));
    return empty(200);
  };
}

/** `DELETE /bucket?name`, whether it was there or not. */
export function deleteSetting(name: SettingName): Operation {
  return async ({ catalog, target }) => {
    await catalog.configure(catalog.bucket(target.bucket), name, undefined);
    return empty(204);
  };
}
