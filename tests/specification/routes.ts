const SHARED = "provider type search since limit offset";

/**
 * Every documented read-back route: method and path below `/api/v1`, its query parameters after `?`, then the statuses,
 * each with the type of its body.
 */
export const ROUTES: Readonly<Record<string, readonly string[]>> = {
  events: [
    "GET /health : 200 json",
    "GET /plugins : 200 json",
    `GET /events ? plugin ${SHARED} : 200 json, 400 json`,
    "GET /events/{id} : 200 json, 404 json",
    `GET /events/stream ? plugin provider type search since : 200 text/event-stream, 400 json`,
    "DELETE /events ? plugin : 204",
    "DELETE /events/{id} : 204, 404 json",
    "GET /blobs/{id} : 200 octet-stream, 206 octet-stream, 404 json, 416 json",
    "GET /openapi.json : 200 json",
    "GET /{plugin}/openapi.json : 200 json, 404 json",
  ],
  mail: [
    `GET /mail/messages ? ${SHARED} to from subject has_attachments : 200 json, 400 json`,
    "DELETE /mail/messages : 204",
    "GET /mail/messages/{id} : 200 json, 404 json",
    "GET /mail/messages/{id}/html : 200 text/html, 404 json",
    "GET /mail/messages/{id}/text : 200 text/plain, 404 json",
    "GET /mail/messages/{id}/raw ? download : 200 text/plain, 400 json, 404 json",
    "GET /mail/messages/{id}/attachments/{idx} ? inline download : " +
    "200 octet-stream, 206 octet-stream, 400 json, 404 json",
  ],
  sms: [
    `GET /sms/messages ? ${SHARED} to from status direction encoding mms : 200 json, 400 json`,
    "DELETE /sms/messages : 204",
    "GET /sms/messages/{id} : 200 json, 404 json",
    "GET /sms/messages/{id}/media/{idx} : 200 octet-stream, 206 octet-stream, 404 json",
  ],
  chat: [
    "GET /chat/channels : 200 json",
    `GET /chat/messages ? ${SHARED} channel author thread format bot replies : 200 json, 400 json`,
    "DELETE /chat/messages : 204",
    "GET /chat/messages/{id} : 200 json, 404 json",
  ],
  files: [
    "GET /files/tree ? path recursive : 200 json",
    "GET /files/stat/{path} : 200 json",
    "GET /files/content/{path} ? inline : 200 octet-stream, 206 octet-stream",
    "DELETE /files/content/{path} ? recursive : 204",
    "DELETE /files/tree : 204",
  ],
  s3: [
    "GET /s3/buckets : 200 json",
    "DELETE /s3/buckets : 204",
    "GET /s3/buckets/{bucket} : 200 json, 404 json",
    "DELETE /s3/buckets/{bucket} ? recursive : 204, 400 json, 404 json",
    "GET /s3/buckets/{bucket}/objects ? prefix delimiter start_after continuation max_keys : " +
    "200 json, 400 json, 404 json",
    "GET /s3/buckets/{bucket}/objects/{key} : 200 json, 404 json",
    "DELETE /s3/buckets/{bucket}/objects/{key} : 204, 404 json",
    "GET /s3/buckets/{bucket}/content/{key} : 200 octet-stream, 206 octet-stream, 404 json",
  ],
  push: [
    "GET /push/messages ? plugin search since limit offset displays kind target_kind target app " +
    "push_type priority data_key : 200 json, 400 json",
    "GET /push/messages/{id} : 200 json, 404 json",
    "GET /push/messages/{id}/raw : 200 text/plain, 404 json",
    "DELETE /push/messages : 204",
    "DELETE /push/messages/{id} : 204, 404 json",
  ],
  as2: [
    "GET /as2/certificate : 200 application/x-pem-file",
    "GET /as2/identity : 200 json",
    `GET /as2/messages ? ${SHARED} from to message_id format security issue : 200 json, 400 json`,
    "DELETE /as2/messages : 204",
    "GET /as2/messages/{id} : 200 json, 404 json",
    "DELETE /as2/messages/{id} : 204, 404 json",
    "GET /as2/messages/{id}/mdn : 200 text/plain, 404 json",
    "GET /as2/messages/{id}/payload : 200 octet-stream, 404 json",
    "GET /as2/messages/{id}/raw : 200 text/plain, 404 json",
  ],
};
