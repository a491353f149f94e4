/**
 * Reads and asserts on the captures of a running service, from Deno, Node and Bun.
 *
 * @module
 */
export { type ClientOptions, NamespaceClient, StandinClient } from "./client.ts";
export { ExpectationError, RequestError, WaitError } from "./errors.ts";
export type {
  AddedFault,
  CallAttempt,
  CallList,
  CallOffer,
  CallRecord,
  CallState,
  CheckLevel,
  CheckPlace,
  Condition,
  Disposes,
  EndpointRecord,
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
  Finding,
  ListOptions,
  Operators,
  OtherFilters,
  Pattern,
  PayloadMap,
  PayloadOf,
  RawView,
  RejectedRecord,
  SentCalls,
  Story,
  StoryEvent,
  StoryLink,
  StoryOptions,
  StreamItem,
  Verdict,
  WaitOptions,
} from "./model.ts";
