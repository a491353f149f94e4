import { compact } from "../compact.ts";
import { errorDoc } from "./reply.ts";
import type { ParamSet, ReplyDoc, Route } from "./route.ts";

/** A JSON value of an OpenAPI document. */
export type OpenApiObject = Readonly<Record<string, unknown>>;

/**
 * Returns the OpenAPI 3.1 description of a route table. Schemas with an `$id` become components.
 */
export function toOpenApi<S>(
  about: { title: string; description: string; version: string; basePath: string },
  routes: readonly Route<S>[],
): OpenApiObject {
  const components = new Map<string, unknown>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = about.basePath + route.path.replaceAll("...}", "}");
    const operations = paths[path] ??= {};
    operations[route.method.toLowerCase()] = toOperation(route, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: about.title,
      description: about.description,
      version: about.version,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [],
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => a < b ? -1 : 1)),
    },
  };
}

/** Responses that every route can give, whatever its parameters. */
const BAD_QUERY = errorDoc("A query parameter is unknown, or cannot be read");

function toOperation<S>(route: Route<S>, components: Map<string, unknown>): OpenApiObject {
  const parameters = [...pathParameters(route.path), ...queryParameters(route.query, components)];
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body === undefined ? {} : {
      requestBody: {
        required: true,
        content: { "application/json": { schema: toSchema(route.body, components) } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries({ 400: BAD_QUERY, ...route.replies }).map((
        [status, doc],
      ) => [status, toResponse(doc, components)]),
    ),
  };
}

/** `GET /messages/{id}/raw` is `get_messages_id_raw`. */
function operationId<S>(route: Route<S>): string {
  const words = route.path.match(/[A-Za-z0-9_]+/g) ?? [];
  return [route.method.toLowerCase(), ...words].join("_");
}

function pathParameters(path: string): OpenApiObject[] {
  return [...path.matchAll(/\{([^}.]+)(?:\.\.\.)?\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: ParamSet, components: Map<string, unknown>): OpenApiObject[] {
  return Object.entries(query).map(([name, param]) => ({
    name,
    in: "query",
    required: false,
    description: param.about,
    schema: toSchema(param.schema, components),
  }));
}

function toResponse(doc: ReplyDoc, components: Map<string, unknown>): OpenApiObject {
  if (doc.content === undefined) return { description: doc.about };
  const content = Object.entries(doc.content).map(([mediaType, schema]) => [
    mediaType,
    { schema: toSchema(schema, components) },
  ]);
  return { description: doc.about, content: Object.fromEntries(content) };
}

/** Plain JSON Schema; each part with an `$id` is moved to the components and referred to. */
function toSchema(schema: unknown, components: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => toSchema(item, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const plain = (properties: object): unknown =>
    Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, toSchema(value, components)]),
    );
  const { $id, about, ...rest } = schema as Record<string, unknown>;
  if (typeof $id !== "string") return plain(schema);
  if (!components.has($id)) {
    components.set($id, undefined); // Set before the walk, because a shape may refer to itself.
    components.set($id, plain(rest));
  }
  return { $ref: `#/components/schemas/${$id}`, ...compact({ description: about }) };
}
