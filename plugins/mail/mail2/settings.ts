/**
 * Settings of a Mail Send request (SendGrid v3). They go into `meta` as sent. Rules and messages:
 * https://www.twilio.com/docs/sendgrid/api-reference/mail-send/errors
 */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { isAddress } from "../address_list.ts";
import { readTexts } from "./fields.ts";

/** Maximum number of categories. */
const MAX_CATEGORIES = 10;
const MAX_CATEGORY = 255;
const MAX_GROUPS = 25;
/**
 * Characters of the name of an IP pool:
 * https://github.com/twilio/sendgrid-oai/blob/main/spec/yaml/tsg_mail_v3.yaml
 */
const POOL_NAME = { min: 2, max: 64 };

/** Boolean switches by path, with the vendor's error message. */
const SWITCHES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mail_settings: {
    "bcc.enable": "The bcc enable param should be a boolean value.",
    "bypass_list_management.enable":
      "The bypass list management enable param should be a boolean value.",
    "bypass_spam_management.enable":
      "The bypass spam management enable param should be a boolean value.",
    "bypass_bounce_management.enable":
      "The bypass bounce management enable param should be a boolean value.",
    "bypass_unsubscribe_management.enable":
      "The bypass unsubscribe management enable param should be a boolean value.",
    "footer.enable": "The footer enable param should be a boolean value.",
    "sandbox_mode.enable": "The sandbox mode enable param should be a boolean value.",
    "spam_check.enable": "The spam check enable param should be a boolean value.",
  },
  tracking_settings: {
    "click_tracking.enable": "The click tracking enable param should be a boolean value.",
    "click_tracking.enable_text": "The click tracking enable text must be a boolean value.",
    "open_tracking.enable": "The open tracking enable param should be a boolean value.",
    "subscription_tracking.enable":
      "The subscription tracking enable param should be a boolean value.",
    "ganalytics.enable": "The Google Analytics enable param must be a boolean value.",
  },
};

/** Texts by path, likewise. */
const TEXTS: typeof SWITCHES = {
  mail_settings: {
    "footer.text": "The text/plain version of your footer should be a string.",
    "footer.html": "The text/html version of your footer should be a string.",
    "spam_check.post_to_url": "The spam check url must be a string.",
  },
  tracking_settings: {
    "open_tracking.substitution_tag": "The open tracking substitution tag must be a string.",
    "subscription_tracking.text":
      "The subscription tracking unsubscribe content for text/plain messages must be a string.",
    "subscription_tracking.html":
      "The subscription tracking unsubscribe content for text/html messages must be a string.",
    "subscription_tracking.substitution_tag":
      "The subscription tracking substitution tag must be a string value.",
    "ganalytics.utm_source": "The Google Analytics utm_source must be a string value.",
    "ganalytics.utm_medium": "The Google Analytics utm_medium must be a string value.",
    "ganalytics.utm_term": "The Google Analytics utm_term must be a string value.",
    "ganalytics.utm_content": "The Google Analytics utm_content must be a string value.",
    "ganalytics.utm_campaign": "The Google Analytics utm_campaign must be a string value.",
  },
};

/** Returns the settings for `meta` of every message, by the vendor's names. */
export function readSettings(request: JsonFields): Readonly<Record<string, unknown>> {
  const templateId = request.text("template_id", "The template ID must be a string.");
  return {
    categories: readCategories(request),
    batch_id: request.text("batch_id", "The batch_id must be a string."),
    asm: readGroups(request),
    ip_pool_name: readPoolName(request),
    template_id: templateId,
    sections: readTexts(request, "sections", "The section values must be strings."),
    mail_settings: readSwitches(request, "mail_settings"),
    tracking_settings: readSwitches(request, "tracking_settings"),
  };
}

/** Returns whether the settings request only a check. */
export function isSandbox(settings: Readonly<Record<string, unknown>>): boolean {
  const mail = settings.mail_settings as
    | Readonly<Record<string, Readonly<Record<string, unknown>> | null | undefined>>
    | undefined;
  return mail?.sandbox_mode?.enable === true;
}

function readPoolName(request: JsonFields): string | undefined {
  const name = request.text("ip_pool_name", "The name of your IP pool must be a string.");
  if (name !== undefined && (name.length < POOL_NAME.min || name.length > POOL_NAME.max)) {
    request.report(
      "ip_pool_name",
      `The IP Pool name must be a valid pool name for your account. You provided ${
        name.slice(0, POOL_NAME.max)
      }.`,
    );
  }
  return name;
}

function readCategories(request: JsonFields): readonly unknown[] | undefined {
  const sentence = "Categories must be an array of strings.";
  const categories = request.array("categories", sentence);
  if (categories === undefined) return undefined;
  if (categories.length > MAX_CATEGORIES) {
    request.report(
      "categories",
      `There is a limit of ${MAX_CATEGORIES} categories for each email that is sent. You provided ${categories.length} categories.`,
    );
    return undefined;
  }
  const seen = new Set<string>();
  for (const category of categories) {
    if (typeof category !== "string") {
      request.report("categories", sentence);
      return undefined;
    }
    if (category.length > MAX_CATEGORY) {
      request.report(
        "categories",
        `Each category must not be longer than ${MAX_CATEGORY} characters. ${
          category.slice(0, MAX_CATEGORY)
        } exceeds this limit.`,
      );
    }
    if (/\P{ASCII}/u.test(category)) {
      request.report("categories", "Categories can not contain non-ASCII characters.");
    }
    if (seen.has(category)) {
      request.report(
        "categories",
        `The categories must be a unique list, and you have included ${
          category.slice(0, MAX_CATEGORY)
        } more than once.`,
      );
    }
    seen.add(category);
  }
  return categories;
}

function readGroups(request: JsonFields): Readonly<Record<string, unknown>> | undefined {
  const asm = request.child("asm");
  if (asm === undefined) return undefined;
  const sentence = "The ASM group ID must be an integer.";
  if (asm.value("group_id") === undefined) asm.report("group_id", sentence);
  asm.integer("group_id", sentence);
  const notIntegers = "The ASM Group IDs to display must be an array of integers.";
  const groups = asm.array("groups_to_display", notIntegers);
  if (groups?.some((group) => !Number.isInteger(group))) {
    asm.report("groups_to_display", notIntegers);
  }
  if (groups !== undefined && groups.length > MAX_GROUPS) {
    asm.report(
      "groups_to_display",
      `There is a limit of ${MAX_GROUPS} unsubscribe groups that can be displayed to a user at a time.`,
    );
  }
  return request.object("asm");
}

function readSwitches(
  request: JsonFields,
  name: "mail_settings" | "tracking_settings",
): Readonly<Record<string, unknown>> | undefined {
  const settings = request.child(name);
  if (settings === undefined) return undefined;
  const sections = new Map<string, JsonFields | undefined>();
  const open = (path: string): readonly [JsonFields | undefined, string] => {
    const [section = "", member = ""] = path.split(".");
    if (!sections.has(section)) sections.set(section, settings.child(section));
    return [sections.get(section), member];
  };
  for (const [path, sentence] of Object.entries(SWITCHES[name] ?? {})) {
    const [section, member] = open(path);
    section?.boolean(member, sentence);
  }
  for (const [path, sentence] of Object.entries(TEXTS[name] ?? {})) {
    const [section, member] = open(path);
    section?.text(member, sentence);
  }
  noteBcc(sections.get("bcc"));
  noteSpamCheck(sections.get("spam_check"));
  return request.object(name);
}

function noteBcc(bcc: JsonFields | undefined): void {
  if (bcc?.value("enable") !== true) return;
  const email = bcc.value("email");
  if (email === undefined) {
    bcc.report("email", "You must include a recipient object when using the bcc mail setting.");
  } else if (typeof email !== "string" || !isAddress(email)) {
    bcc.report(
      "email",
      'The bcc email recipient object must at least have an email address and may also contain a name. e.g. {"email": "example@example.com"} or {"email": "example@example.com", "name": "Example Recipient"}.',
    );
  }
}

function noteSpamCheck(check: JsonFields | undefined): void {
  if (check?.value("enable") !== true) return;
  const [url, threshold] = [check.value("post_to_url"), check.value("threshold")];
  if (url === undefined) {
    check.report(
      "post_to_url",
      "You must include the url to post to when using the spam check mail setting.",
    );
  } else if (typeof url === "string" && !/^https?:\/\//i.test(url)) {
    check.report("post_to_url", "The post_to_url parameter must start with http:// or https://.");
  }
  if (threshold === undefined) {
    check.report(
      "threshold",
      "You must include the spam check threshold when using the spam check mail setting.",
    );
  } else if (typeof threshold !== "number" || threshold < 1 || threshold > 10) {
    check.report(
      "threshold",
      "The spam check threshold is between 1 and 10, with the lower numbers being the most strict filtering.",
    );
  }
}
