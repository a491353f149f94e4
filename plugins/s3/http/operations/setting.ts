/** Settings of a bucket: stored, returned as they were put, and deleted. */
import { parseSetting, type SettingName, writeSetting } from "../../catalog/settings.ts";
import { typeAttributes, type XmlElement, type XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../text_body.ts";
import { empty, xml } from "../reply.ts";
import type { Operation } from "../request.ts";
import { type DocumentName, SETTING_RULES, type SettingRules } from "../setting_rules.ts";
import { tellConfigured } from "../tell_change.ts";

/** `GET /bucket?name`. Without the setting: its own 404, or the default of S3. */
export function getSetting(name: DocumentName): Operation {
  const { missing, root: expected, fallback = [], ...rules } = SETTING_RULES[name];
  return ({ catalog, target }) => {
    const text = catalog.bucket(target.bucket).settings.get(name);
    if (text === undefined) {
      if (missing === undefined) return xml(expected, fallback);
      throw new S3Error(missing, `Cannot find ${name} of bucket "${target.bucket}": put it first`);
    }
    const root = parseSetting(text)!;
    return xml(
      root.name,
      root.children.map(toElement),
      readFields(rules, (field) => root.fields?.[field]),
    );
  };
}

/** Returns the header fields of a setting; those not stated have their default. */
function readFields(
  { fields = {} }: Pick<SettingRules, "fields">,
  stated: (name: string) => string | null | undefined,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, [usual]]) => [name, stated(name) ?? usual]),
  );
}

function toElement({ name, type, text, children }: XmlNode): XmlElement {
  const content = children.length > 0 ? children.map(toElement) : text;
  return type === undefined ? [name, content] : [name, content, typeAttributes(type)];
}

/** `PUT /bucket?name`. Replaces the previous one. */
export function putSetting(name: DocumentName): Operation {
  const { root: expected, maxBytes, check, complete, ...rules } = SETTING_RULES[name];
  return async (request) => {
    const { catalog, target, env, call } = request;
    const bucket = catalog.bucket(target.bucket);
    const root = await readXmlBody(request, { maxBytes });
    if (root?.name !== expected) {
      throw new S3Error("MalformedXML", `Cannot put ${name}: expected a ${expected} document`);
    }
    const fields = readFields(rules, (field) => call.headers.get(field));
    const whole = complete?.(root, () => env.ctx.uuid()) ?? root;
    const document = rules.fields === undefined ? whole : { ...whole, fields };
    const checkRoot = (): void => check(root, { catalog, bucket: catalog.bucket(bucket.name) });
    checkRoot();
    await catalog.configure(bucket, { name, text: writeSetting(document), check: checkRoot });
    if (name === "notification") tellConfigured(request);
    return empty(200, fields);
  };
}

/** `DELETE /bucket?name`; succeeds without the setting, too. */
export function deleteSetting(name: SettingName): Operation {
  return async ({ catalog, target }) => {
    await catalog.configure(catalog.bucket(target.bucket), { name });
    return empty(204);
  };
}
