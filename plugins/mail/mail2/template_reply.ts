/** Templates and their versions in responses. */
import { compact } from "../../../core/compact.ts";
import { faultOf } from "./rendering.ts";
import { toTimestamp } from "./resources.ts";
import type { Template, TemplateVersion } from "./store.ts";

/** Lists omit the contents. */
export function toTemplate(
  { id, name, generation, updatedAt, versions }: Template,
  isWhole = false,
) {
  return {
    id,
    name,
    generation,
    updated_at: toTimestamp(updatedAt),
    versions: versions.map((version) => {
      const { html_content, plain_content, test_data, warnings, ...lean } = toVersion(version, {
        id,
        generation,
      });
      return isWhole
        ? { ...lean, html_content, plain_content, ...compact({ test_data, warnings }) }
        : lean;
    }),
  };
}

/** With a warning if it cannot be rendered. */
export function toVersion(version: TemplateVersion, template: Pick<Template, "id" | "generation">) {
  const fault = template.generation === "dynamic" ? faultOf(version) : undefined;
  return {
    id: version.id,
    template_id: template.id,
    active: version.isActive ? 1 : 0,
    name: version.name,
    html_content: version.html,
    plain_content: version.plain,
    generate_plain_content: version.generatesPlain,
    subject: version.subject,
    updated_at: toTimestamp(version.updatedAt),
    editor: version.editor,
    ...compact({
      test_data: version.testData,
      warnings: fault === undefined ? undefined : [{ message: fault }],
    }),
  };
}
