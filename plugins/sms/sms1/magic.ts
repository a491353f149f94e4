/** Numbers for tests: https://www.twilio.com/docs/iam/test-credentials#magic-input */
import { ownValue } from "../../../core/own.ts";
import type { VendorRefusal } from "./reply.ts";

/** Passes all checks of the vendor, as a sender and as a recipient. */
export const VALID_EVERYWHERE = "+15005550006";

type Refusing = (number: string) => Omit<VendorRefusal, "status">;

const SENDERS: Readonly<Record<string, Refusing>> = {
  "+15005550001": (number) => ({
    code: 21212,
    message:
      `The 'From' number ${number} is not a valid phone number, shortcode, or alphanumeric sender ID.`,
  }),
  "+15005550007": (number) => ({
    code: 21606,
    message:
      `The From phone number ${number} is not a valid, SMS-capable inbound phone number or short code for ` +
      "your account.",
  }),
  "+15005550008": (number) => ({
    code: 21611,
    message: `This 'From' number ${number} has exceeded the maximum number of queued messages`,
  }),
};

const RECIPIENTS: Readonly<Record<string, Refusing>> = {
  "+15005550001": (number) => ({
    code: 21211,
    message: `The 'To' number ${number} is not a valid phone number.`,
  }),
  "+15005550002": (number) => ({
    code: 21612,
    message:
      `The 'To' phone number: ${number}, is not currently reachable using the 'From' phone number via SMS`,
  }),
  "+15005550003": (number) => ({
    code: 21408,
    message:
      `Permission to send an SMS has not been enabled for the region indicated by the 'To' number: ${number}.`,
  }),
  "+15005550004": () => ({ code: 21610, message: "Attempt to send to unsubscribed recipient" }),
  "+15005550009": (number) => ({
    code: 21614,
    message: `To number: ${number}, is not a mobile number`,
  }),
};

/** Returns how the vendor refuses one of these numbers; `undefined` for any other. */
export function refusalOfMagic(to: string, from: string | undefined): VendorRefusal | undefined {
  const found = ownValue(RECIPIENTS, to)?.(to) ??
    (from === undefined ? undefined : ownValue(SENDERS, from)?.(from));
  return found && { status: 400, ...found };
}
