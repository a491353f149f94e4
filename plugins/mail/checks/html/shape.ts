import type { Static } from "@sinclair/typebox";
import { Type } from "../../../../core/shape_type.ts";
import { text, whole } from "../../../../core/shapes.ts";

const counts = {
  supported: whole("Features that it supports"),
  partial: whole("Features that it partially supports"),
  unsupported: whole("Features that it does not support"),
};

/** JSON shape of the support of one body by email clients. */
export const ClientsShape = Type.Object({
  source: text("Where the data is from"),
  date: text("Date of the data"),
  score: whole("Average score of all clients, from 0 to 100"),
  clients: Type.Array(Type.Object({
    id: Type.String(),
    family: Type.String(),
    platform: Type.String(),
    score: whole(
      "Percentage of the used features; partially supported ones count half, unknown ones not at all",
    ),
    ...counts,
  })),
  features: Type.Array(
    Type.Object({
      id: text("Name of its page: source/features/id/"),
      title: Type.String(),
      count: whole("Number of uses in the body"),
      line: whole("Line of its first use in the HTML"),
      support: text("One letter for each of clients: y yes, a partial, n no, u unknown"),
    }),
    { description: "Features of the body, least supported first" },
  ),
}, { $id: "mail.Clients" });

/** Support of one body by email clients. */
export type Clients = Static<typeof ClientsShape>;
