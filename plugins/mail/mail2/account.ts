/** Calls about the account, or about an address. */
import type { IngressCall } from "../../../core/plugin.ts";
import { isAddress } from "../address_list.ts";
import type { Env } from "./options.ts";
import { refuse } from "./reply.ts";
import { answerJson, readObject } from "./resources.ts";

/** Local parts of groups: https://www.rfc-editor.org/rfc/rfc2142 */
const ROLES: ReadonlySet<string> = new Set(
  ("abuse admin billing contact help hostmaster hr info marketing noc noreply postmaster sales security support " +
    "webmaster").split(" "),
);

/** `POST /v3/validations/email`: checks only the syntax, and queries no name server. */
export function validateEmail(call: IngressCall, _env: Env): Response {
  const read = readObject(call, (at) => {
    const email = at.text("email");
    if (!email) at.report("email", "email is required");
    return { email: email ?? "", source: at.text("source") };
  });
  if (!read.ok) return refuse(read.refusal);
  const { email, source } = read.value;
  const at = email.lastIndexOf("@");
  const isValid = isAddress(email, { publicDomain: true });
  const local = at < 0 ? email : email.slice(0, at);
  return answerJson({
    result: {
      email,
      verdict: isValid ? "Valid" : "Invalid",
      score: isValid ? 0.9 : 0,
      local,
      host: at < 0 ? "" : email.slice(at + 1),
      checks: {
        domain: {
          has_valid_address_syntax: isValid,
          has_mx_or_a_record: isValid,
          is_suspected_disposable_address: false,
        },
        local_part: { is_suspected_role_address: ROLES.has(local.toLowerCase()) },
        additional: { has_known_bounces: false, has_suspected_bounces: false },
      },
      ...(source !== undefined && { source }),
      ip_address: "127.0.0.1",
    },
  });
}

/** `GET /v3/user/profile`: https://www.twilio.com/docs/sendgrid/api-reference/users-api/get-a-users-profile */
export function getProfile(): Response {
  return answerJson({
    address: "",
    address2: "",
    city: "",
    company: "Standin",
    country: "",
    first_name: "Stand",
    last_name: "In",
    phone: "",
    state: "",
    website: "",
    zip: "",
  });
}

/** `GET /v3/scopes`: the permissions of a key. */
export function getScopes(): Response {
  const all = (name: string) =>
    ["create", "delete", "read", "update"].map((may) => `${name}.${may}`);
  return answerJson({
    scopes: [
      "mail.send",
      "mail.batch.create",
      "mail.batch.read",
      ...all("marketing"),
      ...all("templates"),
      ...all("templates.versions"),
      "templates.versions.activate.create",
      "user.profile.read",
      ...all("user.scheduled_sends"),
      "user.scopes.read",
      "validations.email.create",
    ],
  });
}
