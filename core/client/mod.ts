/**
 * Reads and asserts on the captures of a running service, from Deno, Node and Bun.
 *
 * @module
 */
export { type ClientOptions, StandinClient } from "./client.ts";
export { ExpectationError, RequestError, WaitError } from "./errors.ts";
export type {
  AddedFault,
  Condition,
  Disposes,
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
