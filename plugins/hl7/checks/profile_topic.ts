import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { Hl7Message, Segment } from "../model.ts";
import { headerOf, placeOf } from "./place.ts";
import type { Profile } from "./profile.ts";
import type { Hl7Subject } from "./subject.ts";

/** Checks of the requirements in the setting `profile`. */
export const profileTopic: CheckTopic<Hl7Subject> = {
  checks: [
    {
      id: "hl7.profile",
      level: "error",
      about: "A segment, field or value does not meet your profile (the setting `profile`)",
    },
  ],
  *find({ message, segments, profile }) {
    if (profile === undefined) return;
    const { code = "", trigger_event: event = "" } = message.header;
    const header = headerOf(segments);
    const present = new Set(segments.map(({ id }) => id));
    const required = [code, `${code}^${event}`].flatMap((name) => profile.messages.get(name) ?? []);
    for (const id of new Set(required)) {
      if (present.has(id)) continue;
      yield {
        id: "hl7.profile",
        message: `The profile requires a segment ${id} in ${code}^${event}`,
        ...(header === undefined
          ? {}
          : { where: () => placeOf(message, { segment: header, position: 9 }) }),
      };
    }
    for (const segment of segments) {
      yield undefined;
      yield* ofSegment(segment, message, profile);
    }
  },
};

function* ofSegment(
  segment: Segment,
  message: Hl7Message,
  profile: Profile,
): Generator<Found> {
  const { id, fields } = segment;
  const where = (position: number) => () => placeOf(message, { segment, position });
  for (const position of profile.segments.get(id) ?? []) {
    if (fields[position - 1]?.value) continue;
    yield {
      id: "hl7.profile",
      message: `The profile requires ${id}-${position}`,
      where: where(position),
    };
  }
  for (const { position, value, repetitions } of fields) {
    const { values, max_length } = profile.fields.get(`${id}-${position}`) ?? {};
    if (value === "") continue;
    if (max_length !== undefined && value.length > max_length) {
      yield {
        id: "hl7.profile",
        message:
          `${id}-${position} has ${value.length} characters; the profile allows ${max_length}`,
        where: where(position),
      };
    }
    const first = repetitions?.[0]?.components[0]?.value ?? "";
    if (values !== undefined && first !== "" && !values.includes(first)) {
      yield {
        id: "hl7.profile",
        message: `${id}-${position} is ${JSON.stringify(first.slice(0, 50))}; the profile allows ` +
          values.slice(0, 20).join(", "),
        where: where(position),
      };
    }
  }
}
