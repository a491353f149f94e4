/** Faults of a trap receiver: RFC 3416 section 4.2.7. */
import type { FaultOutcome, ProviderFaults } from "../../../core/plugin.ts";

const RFC = "https://www.rfc-editor.org/rfc/rfc3416#section-3";

/** An outcome that answers an inform; a trap has no response, and is dropped. */
interface StatusOutcome extends FaultOutcome {
  /** `error-status` of the response. */
  readonly status: number;
}

/** Outcomes of a datagram. */
export const FAULTS: ProviderFaults<StatusOutcome> = {
  phases: { capture: "A datagram: payload is the trap" },
  outcomes: [
    {
      id: "generic_error",
      about: "An inform is answered with genErr (5); a trap is dropped",
      source: RFC,
      status: 5,
    },
    {
      id: "no_access",
      about: "An inform is answered with noAccess (6); a trap is dropped",
      source: RFC,
      status: 6,
    },
  ],
};
