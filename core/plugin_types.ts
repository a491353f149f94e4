/**
 * What plugins use of core, besides the parts that `plugin.ts` declares.
 *
 * @module
 */
export type {
  AnswerOutcome,
  CallAnswer,
  CallbackDeclaration,
  CallbackKey,
  CallbackKind,
  CallbackPreset,
  CallbackRequest,
  CallContext,
  OutgoingCall,
  ProviderCallbacks,
  RetrySchedule,
} from "./callbacks/provider.ts";
export { defineCallbacks } from "./callbacks/provider.ts";
export type { Blocks } from "./bytes/blocks.ts";
export type { ByteIntake, ByteSource } from "./byte_source.ts";
export type {
  BlobAbout,
  BlobLoan,
  BlobReader,
  BlobRef,
  BlobSource,
  BlobStore,
  BorrowedBlob,
  LentParts,
  OpenedBlob,
  PutOptions,
  RoomKept,
} from "./blobs/blob.ts";
export {
  type CheckAbout,
  type CheckContext,
  type CheckLevel,
  type CheckPlace,
  type CheckTopic,
  type Finding,
  type Found,
  type PluginChecks,
  pluginChecks,
} from "./checks/check.ts";
export type { DemoAnswer, DemoRequest, DemoSample, DemoTarget } from "./demo.ts";
export type { ClientSetting, Endpoint } from "./endpoint.ts";
export type {
  CapturedEvent,
  ClientCertificate,
  EventFilter,
  EventStore,
  EventText,
  HeaderPairs,
  NewEvent,
  Page,
  RawRecord,
  StreamItem,
  SummaryParts,
} from "./events/event.ts";
export type { NewRejected, RejectedRecord } from "./events/journal.ts";
export type { CoreOutcome, Disturbance, ProviderFaults } from "./faults/outcome.ts";
export { reasonFor } from "./faults/outcome.ts";
export type { Client, Fault, FaultOutcome, FaultSubject } from "./faults/outcome.ts";
export type { EventNames } from "./http/event_names.ts";
export type { ProviderPlace } from "./provider_names.ts";
export { type Answer, type PendingAnswer, ShortAnswer, type ShortHeaders } from "./http/answer.ts";
export type { BodyIntake, HeaderValues, HttpCall } from "./http/call.ts";
export type {
  EventFilters,
  JsonSchema,
  Param,
  ParamSet,
  ParamValues,
  PathParams,
  ReplyDoc,
  Route,
  RouteCall,
  RouteContext,
  Selection,
} from "./http/route.ts";
export { filtersFor, routeFor } from "./http/route.ts";
export type { LogFields, Logger } from "./log.ts";
export type { Holding, LeaseOptions, Memory } from "./memory/budget.ts";
export type { MemoryLease } from "./memory/lease.ts";
export type {
  Datagram,
  Net,
  Place,
  ReadOptions,
  Sockets,
  TcpListener,
  Transport,
  UdpSocket,
} from "./net/transport.ts";
export type { OptionSet, OptionSpec, Values } from "./options/spec.ts";
export type { PluginContext, ProviderEnv, RejectedNote } from "./provider_env.ts";
export type {
  PluginReport,
  ReportContext,
  ReportFacts,
  ReportFile,
  ReportMessage,
  ReportNotice,
  ReportPage,
  ReportPart,
  ReportRun,
  ReportTable,
  ReportText,
} from "./report/part.ts";
export type { MaybePromise, Result } from "./result.ts";
export type { StoryKey, StoryKeyKind } from "./stories/key.ts";
export type {
  Election,
  SharedLog,
  SharedPlan,
  SharedStorage,
  SharedView,
  Standing,
  Writer,
  WriterRole,
} from "./shared_state.ts";
