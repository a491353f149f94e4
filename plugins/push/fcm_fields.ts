/**
 * The fields of a request to FCM HTTP v1, by their name in the vendor's protocol buffers
 * (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages). Other fields are ignored.
 */

export type Field =
  | { readonly kind: "string" | "bool" | "int32" | "double" | "duration" }
  | { readonly kind: "enum"; readonly type: string; readonly words: readonly string[] }
  /** Texts under the caller's names. */
  | { readonly kind: "map"; readonly type: string }
  /** Any object of the caller. */
  | { readonly kind: "struct" }
  | { readonly kind: "list"; readonly of: Field }
  | MessageField;

/** An object whose members are fields. */
export interface MessageField {
  readonly kind: "message";
  readonly type: string;
  readonly fields: Readonly<Record<string, Field>>;
}

const V1 = "type.googleapis.com/google.firebase.fcm.v1.";

const STRING: Field = { kind: "string" };
const BOOL: Field = { kind: "bool" };
const DURATION: Field = { kind: "duration" };
const STRUCT: Field = { kind: "struct" };

function message(type: string, fields: MessageField["fields"]): MessageField {
  return { kind: "message", type: `${V1}${type}`, fields };
}

function map(type: string): Field {
  return { kind: "map", type: `${V1}${type}` };
}

function list(of: Field): Field {
  return { kind: "list", of };
}

function enumeration(type: string, words: readonly string[]): Field {
  return { kind: "enum", type: `${V1}${type}`, words };
}

const COLOR: Field = {
  kind: "message",
  type: "type.googleapis.com/google.type.Color",
  fields: {
    red: { kind: "double" },
    green: { kind: "double" },
    blue: { kind: "double" },
    alpha: { kind: "double" },
  },
};

const ANDROID_NOTIFICATION = message("AndroidNotification", {
  title: STRING,
  body: STRING,
  icon: STRING,
  color: STRING,
  sound: STRING,
  tag: STRING,
  click_action: STRING,
  body_loc_key: STRING,
  body_loc_args: list(STRING),
  title_loc_key: STRING,
  title_loc_args: list(STRING),
  channel_id: STRING,
  ticker: STRING,
  sticky: BOOL,
  event_time: STRING,
  local_only: BOOL,
  notification_priority: enumeration("AndroidNotification.NotificationPriority", [
    "PRIORITY_UNSPECIFIED",
    "PRIORITY_MIN",
    "PRIORITY_LOW",
    "PRIORITY_DEFAULT",
    "PRIORITY_HIGH",
    "PRIORITY_MAX",
  ]),
  default_sound: BOOL,
  default_vibrate_timings: BOOL,
  default_light_settings: BOOL,
  vibrate_timings: list(DURATION),
  visibility: enumeration("AndroidNotification.Visibility", [
    "VISIBILITY_UNSPECIFIED",
    "PRIVATE",
    "PUBLIC",
    "SECRET",
  ]),
  notification_count: { kind: "int32" },
  light_settings: message("LightSettings", {
    color: COLOR,
    light_on_duration: DURATION,
    light_off_duration: DURATION,
  }),
  image: STRING,
  bypass_proxy_notification: BOOL,
  proxy: enumeration("AndroidNotification.Proxy", [
    "PROXY_UNSPECIFIED",
    "ALLOW",
    "DENY",
    "IF_PRIORITY_LOWERED",
  ]),
});

const ANDROID = message("AndroidConfig", {
  collapse_key: STRING,
  priority: enumeration("AndroidMessagePriority", ["NORMAL", "HIGH"]),
  ttl: DURATION,
  restricted_package_name: STRING,
  data: map("AndroidConfig.DataEntry"),
  notification: ANDROID_NOTIFICATION,
  fcm_options: message("AndroidFcmOptions", { analytics_label: STRING }),
  direct_boot_ok: BOOL,
  bandwidth_constrained_ok: BOOL,
  restricted_satellite_ok: BOOL,
});

const WEBPUSH = message("WebpushConfig", {
  headers: map("WebpushConfig.HeadersEntry"),
  data: map("WebpushConfig.DataEntry"),
  notification: STRUCT,
  fcm_options: message("WebpushFcmOptions", { link: STRING, analytics_label: STRING }),
});

const APNS = message("ApnsConfig", {
  headers: map("ApnsConfig.HeadersEntry"),
  payload: STRUCT,
  fcm_options: message("ApnsFcmOptions", { analytics_label: STRING, image: STRING }),
  live_activity_token: STRING,
});

/** A request to `messages:send`. */
export const SEND_REQUEST: MessageField = message("SendMessageRequest", {
  validate_only: BOOL,
  message: message("Message", {
    name: STRING,
    data: map("Message.DataEntry"),
    notification: message("Notification", { title: STRING, body: STRING, image: STRING }),
    android: ANDROID,
    webpush: WEBPUSH,
    apns: APNS,
    fcm_options: message("FcmOptions", { analytics_label: STRING }),
    token: STRING,
    fid: STRING,
    topic: STRING,
    condition: STRING,
  }),
});
