/** Settings of a bucket: stored, returned as they were put, and deleted. */
import { parseSetting, type SettingName, writeSetting } from "../../catalog/settings.ts";
import type { XmlElement, XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../body.ts";
import { empty, xml } from "../reply.ts";
import type { Operation } from "../request.ts";
import { type DocumentName, SETTING_RULES } from "../setting_rules.ts";
import { tellConfigured } from "../tell_change.ts";

/** `GET /bucket?name`. Without the setting: its own 404, or the default of S3. */
export function getSetting(name: DocumentName): Operation {
  const { missing, root: expected, fallback = [] } = SETTING_RULES[name];
  return ({ catalog, target }) => {
    const text = catalog.bucket(target.bucket).settings.get(name);
    if (text === undefined) {
      if (missing === undefined) return xml(expected, fallback);
      throw new S3Error(missing, `Cannot find ${name} of bucket "${target.bucket}": put it first`);
    }
    const root = parseSetting(text)!;
    return xml(root.name, root.children.map(toElement));
  };
}

function toElement({ name, text, children }: XmlNode): XmlElement {
  return [name, children.length > 0 ? children.map(toElement) : text];
}

/** `PUT /bucket?name`. Replaces the previous one. */
export function putSetting(name: DocumentName): Operation {
  const { root: expected, maxBytes, check, complete } = SETTING_RULES[name];
  return async (request) => {
    const { catalog, target, env } = request;
    const bucket = catalog.bucket(target.bucket);
    const root = await readXmlBody(request, { maxBytes });
    if (root?.name !== expected) {
      throw new S3Error("MalformedXML", `Cannot put ${name}: expected a ${expected} document`);
    }
    const text = (): string => writeSetting(complete?.(root, () => env.ctx.uuid()) ?? root);
    const checkRoot = (): void => check(root, { catalog, bucket: catalog.bucket(bucket.name) });
    checkRoot();
    await catalog.configure(bucket, { name, text: text(), check: checkRoot });
    if (name === "notification") tellConfigured(request);
    return empty(200);
  };
}

/** `DELETE /bucket?name`; succeeds without the setting, too. */
export function deleteSetting(name: SettingName): Operation {
  return async ({ catalog, target }) => {
    await catalog.configure(catalog.bucket(target.bucket), { name });
    return empty(204);
  };
}
