import { LongList } from "../bytes/long_list.ts";
import { compact } from "../compact.ts";
import type { CapturedEvent } from "../events/event.ts";
import { EVENT_HEAD, toEventView } from "../events/view.ts";
import {
  FILTER_PARAMS,
  LIST_PARAMS,
  LIST_REFUSALS,
  listEvents,
  type ListQuery,
  PAGE_PARAMS,
  TEXT_PARAMS,
} from "../http/list.ts";
import { count, duration, text } from "../http/params.ts";
import { errorDoc, json } from "../http/reply.ts";
import { type ParamValues, type RouteContext, routeFor } from "../http/route.ts";
import { Type } from "../shape_type.ts";
import type { Nearness, StoryGroups } from "../stories/group.ts";
import { DEFAULT_NEARNESS, MAX_NEARNESS } from "../stories/stories.ts";
import type { Story } from "../stories/story.ts";
import { type StoryView, toStoryView } from "../stories/view.ts";
import { TimeSlice } from "../time_slice.ts";
import { traceOf } from "../trace_context.ts";
import { selectionOf, unknownEvent } from "./events.ts";
import type { ApiState } from "./state.ts";

/** JSON shape of an event of a story: its head, without payload and request. */
export const StoryEventShape = Type.Object({
  ...EVENT_HEAD,
  url: Type.String({ format: "uri", description: "Its page" }),
  trace_id: Type.Optional(Type.String({ description: "From a valid traceparent of its request" })),
  span_id: Type.Optional(Type.String({ description: "The sender's span, from the same" })),
  meta: Type.Optional(Type.Object({ fault: Type.Unknown() }, {
    description: "The fault that it was given",
  })),
}, { $id: "stories.Event" });

/** JSON shape of a reason why events are together. */
export const StoryLinkShape = Type.Object({
  by: Type.Union(
    (["trace", "id", "recipient", "object", "time"] as const).map((by) => Type.Literal(by)),
    { description: "What they share; time if there is no stronger reason" },
  ),
  name: Type.Optional(Type.String({ description: "What the value is, such as Message-ID" })),
  value: Type.Optional(Type.String({ description: "The shared value" })),
}, { $id: "stories.Link" });

/** JSON shape of a story. */
export const StoryShape = Type.Object({
  id: Type.String({ description: "Id of its first event that is held" }),
  title: Type.String({ description: "Subject, name or summary of its first event" }),
  namespace: Type.Optional(Type.String({ description: "Namespace of its events" })),
  started_at: Type.String({ format: "date-time", description: "Time of its first event" }),
  ended_at: Type.String({ format: "date-time", description: "Time of its latest event" }),
  count: Type.Integer({ description: "Number of its events" }),
  events: Type.Array(StoryEventShape, { description: "In order of capture" }),
  plugins: Type.Array(Type.String(), { description: "In order of arrival" }),
  linked_by: Type.Array(StoryLinkShape, {
    description: "Why they belong together, the strongest reason first; empty for a single event",
  }),
}, { $id: "stories.Story" });

/** JSON shape of a list of stories. */
export const StoriesShape = Type.Object({
  stories: Type.Array(StoryShape, { description: "The one with the latest event first" }),
  count: Type.Integer({ description: "Number of stories that match, on all pages" }),
}, { $id: "stories.List" });

/** Maximum number of events of each story in a list. */
const MOST_LISTED = 100;

const NEARNESS = {
  window: duration(
    "Longest pause between events that share only the time; 2s by default, at most 10m, 0 for none",
    MAX_NEARNESS.windowMs,
  ),
  recipient_window: duration(
    "Longest pause between events that share only a recipient or an object; 1m by default, at most 24h, 0 for none",
    MAX_NEARNESS.recipientMs,
  ),
};

const FILTERS = { plugin: text("Only stories with an event of this plugin"), ...FILTER_PARAMS };

const route = routeFor<ApiState>();

/** Routes of stories. */
export const storyRoutes = [
  route({
    method: "GET",
    path: "/stories",
    summary: "List stories, newest first: the events of one flow, across all protocols. " +
      "Filters apply to events: a story with a match is listed with all of its events",
    query: {
      ...FILTERS,
      ...TEXT_PARAMS,
      ...PAGE_PARAMS,
      min_events: count("Minimum number of events in a story; 1 by default"),
      ...NEARNESS,
    },
    takesFilters: true,
    replies: {
      200: {
        about: `The stories, each with its first ${MOST_LISTED} events`,
        content: { "application/json": StoriesShape },
      },
      400: LIST_REFUSALS[400]!,
    },
    async handle({ http, query, state, ctx }) {
      const events = await matching({ http, query, ctx });
      const groups = await groupsOf(query, state);
      const wanted = events && new Set(events.map(({ seq }) => groups.find(seq)));
      const { min_events: least = 1, offset = 0 } = query;
      const all = await gather(
        groups,
        (story) => story.size >= least && wanted?.has(story) !== false,
      );
      const page = await tell(all.slice(offset, offset + (query.limit || Infinity)), state);
      return json({
        stories: new LongList(page, (story) => toView(story, state)),
        count: all.length,
      });
    },
  }),
  route({
    method: "GET",
    path: "/stories/{id}",
    summary: "Fetch the story of an event, with all of its events",
    query: NEARNESS,
    replies: {
      200: { about: "The story", content: { "application/json": StoryShape } },
      400: errorDoc("A parameter cannot be read"),
      404: errorDoc("No event of this id is held"),
    },
    async handle({ params, query, state }) {
      const groups = await groupsOf(query, state);
      const event = state.events.get(params.id);
      const story = event && groups.find(event.seq);
      const told = story && toStoryView(story, state.events);
      if (told === undefined) throw unknownEvent(params.id);
      return json(toView(told, state));
    },
  }),
];

/** Many requests that wait for the same groups continue one per turn of the event loop. */
async function groupsOf(
  query: ParamValues<typeof NEARNESS>,
  { stories }: ApiState,
): Promise<StoryGroups> {
  const groups = await stories.groups(toNearness(query));
  await new TimeSlice().yieldToEventLoop();
  return groups;
}

function toNearness(query: ParamValues<typeof NEARNESS>): Nearness {
  return {
    windowMs: query.window ?? DEFAULT_NEARNESS.windowMs,
    recipientMs: query.recipient_window ?? DEFAULT_NEARNESS.recipientMs,
  };
}

/** A list of stories never waits. */
const NO_WAIT: ListQuery = Object.fromEntries(
  Object.keys(LIST_PARAMS).map((name) => [name, undefined]),
) as unknown as ListQuery;

/** Returns the events that match the filters; `undefined` where no filter is given. */
async function matching(
  { http, query, ctx }: {
    http: Parameters<typeof listEvents>[0]["http"];
    query: ParamValues<typeof FILTERS & typeof TEXT_PARAMS>;
    ctx: RouteContext;
  },
): Promise<readonly CapturedEvent[] | undefined> {
  const own = new Set([...Object.keys(PAGE_PARAMS), ...Object.keys(NEARNESS), "min_events"]);
  const given = Object.entries(query).filter(([name]) => !own.has(name));
  if (given.every(([, value]) => value === undefined)) return undefined;
  await new TimeSlice().yieldToEventLoop();
  const filter = { ...NO_WAIT, ...query, limit: undefined, offset: undefined };
  const call = { http, query: filter, ctx: { ...ctx, plugin: query.plugin } };
  return await listEvents(call, selectionOf(query, ctx));
}

async function gather(groups: StoryGroups, fits: (story: Story) => boolean): Promise<Story[]> {
  const slice = new TimeSlice();
  const found: Story[] = [];
  for (const story of groups.newestFirst()) {
    if (slice.over) await slice.yieldToEventLoop();
    if (fits(story)) found.push(story);
  }
  // Some may have been merged into others meanwhile.
  return found.filter((story) => story.root === story);
}

async function tell(stories: readonly Story[], { events }: ApiState): Promise<StoryView[]> {
  const slice = new TimeSlice();
  const told: StoryView[] = [];
  for (const story of stories) {
    if (slice.over) await slice.yieldToEventLoop();
    const one = toStoryView(story, events, MOST_LISTED);
    if (one !== undefined) told.push(one);
  }
  return told;
}

function toView(story: StoryView, state: ApiState) {
  return {
    ...story,
    started_at: story.started_at.toISOString(),
    ended_at: story.ended_at.toISOString(),
    events: new LongList(story.events, (event) => toHead(event, state)),
  };
}

function toHead(event: CapturedEvent, state: ApiState) {
  const { meta, payload: _payload, raw: _raw, ...head } = toEventView(event, {
    url: state.eventUrl(event.id),
    raw: "none",
  });
  const trace = traceOf(event.raw.headers);
  return {
    ...head,
    ...compact({ trace_id: trace?.traceId, span_id: trace?.parentId }),
    ...(meta?.fault === undefined ? {} : { meta: { fault: meta.fault } }),
  };
}
