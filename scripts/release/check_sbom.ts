// Required by the validator below.
import "npm:ajv@8.20.0";
import "npm:ajv-formats@3.0.1";
import "npm:ajv-formats-draft2019@1.6.1";
import { Version } from "npm:@cyclonedx/cyclonedx-library@10.3.0/Spec";
import { JsonStrictValidator } from "npm:@cyclonedx/cyclonedx-library@10.3.0/Validation";

/**
 * Returns the violations of the official CycloneDX 1.6 schema in a bill of materials; empty for a
 * valid one.
 */
export async function sbomFaults(text: string): Promise<readonly string[]> {
  const faults = await new JsonStrictValidator(Version.v1dot6).validate(text);
  if (faults === null) return [];
  return Array.isArray(faults)
    ? faults.map(({ instancePath, message }) => `${instancePath} ${message}`)
    : [String(faults)];
}
