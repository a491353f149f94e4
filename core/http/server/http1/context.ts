import type { RefusedHead } from "../../../plugin.ts";
import type { HttpCall } from "../../call.ts";
import type { FrontLimits } from "../wire/limits.ts";
import type { AnswerBrokenError } from "./answer.ts";
import type { RequestHead } from "./head.ts";

/** What a connection needs of its server. */
export interface Http1Context {
  readonly limits: FrontLimits;
  readonly maxHeadBytes: number;
  /** The longest body that a request may announce to be read at all. */
  maxBodyBytes(head: RequestHead): number;
  /** Whether a tunnel to this `host:port` is answered here; nothing is ever dialled. */
  isTunnel(target: string): boolean;
  /** Why another tunnel is refused; nothing where none is ever answered. */
  refuseTunnel(target: string): RefusedHead | undefined;
  /** Never rejects. */
  answer(call: HttpCall): Promise<Response>;
  refuse(refusal: RefusedHead): Response;
  /** An answer could not be sent to its end. */
  onBroken(target: string, error: AnswerBrokenError): void;
}
