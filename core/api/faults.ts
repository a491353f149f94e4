import type { Static } from "@sinclair/typebox";
import { ApiError } from "../errors.ts";
import { isTable } from "../expect/pattern.ts";
import { MAX_RULES } from "../faults/engine.ts";
import type { FaultRecord } from "../faults/model.ts";
import { type FaultPlace, outcomesOf } from "../faults/places.ts";
import { readRule } from "../faults/rule.ts";
import { readJsonBody } from "../http/server/body/json_body.ts";
import { emptyDoc, errorDoc, json, noContent } from "../http/reply.ts";
import { routeFor } from "../http/route.ts";
import { Type } from "../shape_type.ts";
import { text } from "../shapes.ts";
import type { ApiState } from "./state.ts";

const RULE = {
  on: text("Provider such as mail/smtp or sendgrid, or a plugin for all its providers"),
  name: Type.Optional(text("Shown with every hit; by default the outcome")),
  phase: Type.Optional(text("When the rule applies; by default in the phase that captures")),
  match: Type.Optional(Type.Record(
    Type.String(),
    Type.Unknown({ description: "A value to be equal to, or operators as in an expectation" }),
    {
      description:
        "Conditions by path; a path starts in the payload unless it starts with raw or meta",
    },
  )),
  namespace: Type.Optional(text("Applies only to requests of this namespace")),
  skip: Type.Optional(
    Type.Integer({ minimum: 0, description: "Number of matches that pass before the first hit" }),
  ),
  outcome: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], {
    description:
      "One for every hit, or a list with one for each hit; then the provider works as usual",
  })),
  with: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description: "Parameters of the outcomes, as /faults/outcomes lists them",
  })),
  chance: Type.Optional(Type.Number({
    exclusiveMinimum: 0,
    maximum: 1,
    description: "Probability that a match is a hit",
  })),
  seed: Type.Optional(text("Makes chance select the same matches in every run")),
  times: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "Number of hits after which the rule no longer applies",
    }),
  ),
  delay: Type.Optional(text("Wait before the outcome, or on its own: 250ms, at most 10m")),
  after: Type.Optional(Type.Boolean({
    description: "Whether the request is captured before it fails",
  })),
  ttl: Type.Optional(text("Time after which the rule is removed, such as 5m")),
};

/** JSON shape of a rule. */
export const FaultRuleShape = Type.Object(RULE, { $id: "faults.Rule" });

/** JSON shape of a rule with its hits. */
export const FaultShape = Type.Object({
  ...RULE,
  id: text("Its id in /faults/{id}"),
  name: text("Shown with every hit"),
  hits: Type.Integer({ description: "Matches that became a fault" }),
  matches: Type.Integer({
    description: "Requests that met the conditions, whether they failed or not",
  }),
  undelayed: Type.Optional(
    Type.Integer({
      description: "Hits that came without their delay, because too many requests were waiting",
    }),
  ),
  from: Type.Union([Type.Literal("file"), Type.Literal("api")], {
    description: "Faults from the configuration file stay when all are cleared",
  }),
  spent: Type.Boolean({ description: "Whether the rule no longer applies" }),
}, { $id: "faults.Fault" });

/** JSON shape of several of them. */
export const FaultListShape = Type.Object({
  faults: Type.Array(FaultShape),
  count: Type.Integer(),
}, { $id: "faults.List" });

/** JSON shape of the outcomes that rules can name. */
export const OutcomeListShape = Type.Object({
  outcomes: Type.Array(Type.Object({
    on: text("Provider"),
    id: text("The outcome"),
    about: text("What the client sees"),
    source: text(
      "Source of its wording: a page of the vendor, an RFC, or an issue that quotes a response",
    ),
    phases: Type.Array(Type.String(), {
      description: "The first is the default of rules that name none",
    }),
    params: Type.Record(
      Type.String(),
      Type.Object({
        about: Type.String(),
        schema: Type.Unknown({ description: "JSON Schema" }),
        default: Type.Optional(Type.Unknown()),
      }),
    ),
  })),
}, { $id: "faults.Outcomes" });

/** Largest list of rules that is accepted, in bytes. */
const MAX_BODY = 1_048_576;

const route = routeFor<ApiState>();
const okDoc = (about: string, shape: typeof FaultShape | typeof FaultListShape) => ({
  about,
  content: { "application/json": shape },
});

/** Routes of faults. */
export const faultRoutes = [
  route({
    method: "POST",
    path: "/faults",
    summary: 'Add a fault, or several: one rule, or {"faults": [...]}',
    body: Type.Union([FaultRuleShape, Type.Object({ faults: Type.Array(FaultRuleShape) })]),
    replies: {
      201: {
        about: "Added: the rule, or the list of them",
        content: { "application/json": Type.Union([FaultShape, FaultListShape]) },
      },
      400: errorDoc("A rule cannot be read, or there are too many"),
      413: errorDoc("The rules are too large"),
      503: errorDoc("There is not enough memory at the moment"),
    },
    async handle({ http, state, lease }) {
      const body = await readJsonBody(http, { what: "the fault", maxBytes: MAX_BODY, lease });
      const list = isTable(body) && Object.keys(body).join() === "faults" ? body.faults : undefined;
      if (list === undefined) return json((await add([body], state))[0], 201);
      if (!Array.isArray(list)) {
        throw new ApiError(400, "Cannot use faults: expected a list of rules");
      }
      return json(toList(await add(list, state)), 201);
    },
  }),
  route({
    method: "GET",
    path: "/faults",
    summary: "List the faults in the order in which they are checked",
    replies: { 200: okDoc("The rules with their hits", FaultListShape) },
    handle: ({ state }) => json(toList(state.faults.list())),
  }),
  route({
    method: "DELETE",
    path: "/faults",
    summary:
      "Remove the faults; those from the configuration file stay, with their hits reset to 0",
    replies: { 204: emptyDoc("Removed") },
    handle({ state }) {
      state.faults.clear();
      return noContent();
    },
  }),
  route({
    method: "GET",
    path: "/faults/outcomes",
    summary: "List the possible faults of each provider",
    replies: {
      200: { about: "The outcomes", content: { "application/json": OutcomeListShape } },
    },
    handle: ({ state }) => json({ outcomes: toOutcomes(state.faultPlaces) }),
  }),
  route({
    method: "GET",
    path: "/faults/{id}",
    summary: "Fetch one fault",
    replies: { 200: okDoc("The rule", FaultShape), 404: errorDoc("Unknown or removed") },
    handle({ params, state }) {
      const held = state.faults.get(params.id);
      if (held === undefined) throw unknownFault(params.id);
      return json(held);
    },
  }),
  route({
    method: "DELETE",
    path: "/faults/{id}",
    summary: "Remove one fault; one from the configuration file stays, with its hits reset to 0",
    replies: { 204: emptyDoc("Removed"), 404: errorDoc("Unknown or removed") },
    handle({ params, state }) {
      if (!state.faults.remove(params.id)) throw unknownFault(params.id);
      return noContent();
    },
  }),
];

function unknownFault(id: string): ApiError {
  return new ApiError(404, `Cannot find fault "${id}": GET /api/v1/faults lists them`);
}

async function add(
  rules: readonly unknown[],
  { faults, faultPlaces: places }: ApiState,
): Promise<FaultRecord[]> {
  if (rules.length > MAX_RULES) {
    throw new ApiError(400, `Cannot add ${rules.length} faults: at most ${MAX_RULES} are held`);
  }
  try {
    const read = rules.map((rule, index) => {
      const place = rules.length === 1 ? "the fault" : `faults[${index}]`;
      return readRule(rule, { place, places });
    });
    return await faults.add(read, "api");
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError(400, error.message);
    throw error;
  }
}

function toList(faults: readonly FaultRecord[]) {
  return { faults, count: faults.length };
}

function toOutcomes(
  places: readonly FaultPlace[],
): Static<typeof OutcomeListShape>["outcomes"] {
  return places.flatMap((place) => outcomesOf(place));
}
