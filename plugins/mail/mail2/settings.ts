/**
 * Settings of a Mail Send request (SendGrid v3). They go into `meta` as sent.
 */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { readTexts } from "./fields.ts";

/** Maximum number of categories. */
const MAX_CATEGORIES = 10;
const MAX_CATEGORY = 255;
const MAX_GROUPS = 25;

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

/** Returns the settings for `meta` of every message, by the vendor's names. */
export function readSettings(request: JsonFields): Readonly<Record<string, unknown>> {
  const templateId = request.text("template_id", "The template ID must be a string.");
  return {
    categories: readCategories(request),
    batch_id: request.text("batch_id", "The batch_id must be a string."),
    asm: readGroups(request),
    ip_pool_name: request.text("ip_pool_name", "The name of your IP pool must be a string."),
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
  for (const [path, sentence] of Object.entries(SWITCHES[name] ?? {})) {
    const [section = "", member = ""] = path.split(".");
    if (!sections.has(section)) sections.set(section, settings.child(section));
    sections.get(section)?.boolean(member, sentence);
  }
  return request.object(name);
}
