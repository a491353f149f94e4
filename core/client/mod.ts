/**
 * Reads and asserts on what a running service has captured, from Deno, Node and Bun.
 *
 * @module
 */
export { type ClientOptions, StandinClient } from "./client.ts";
export { ExpectationError, RequestError, WaitError } from "./errors.ts";
export type {
  AddedFault,
  Condition,
  EventRecord,
  EventTypeOf,
  Expectation,
  Extracted,
  FaultRecord,
  FaultRule,
  Filter,
  FilterMap,
  FiltersOf,
  FiltersOfType,
  ListOptions,
  Operators,
  OtherFilters,
  Pattern,
  PayloadMap,
  PayloadOf,
  RawView,
  RejectedRecord,
  StreamItem,
  Verdict,
  WaitOptions,
} from "./model.ts";
