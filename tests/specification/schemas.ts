/**
 * Every type of the specification with its documented properties: `name*: type`, with a star for a required one. A type
 * in brackets is a list of it; `any` matches any declaration.
 */
export const SCHEMAS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  events: {
    "api.Error": "error*: string",
    "events.Event":
      "id*: string, provider*: string, type*: string, received_at*: date-time, summary*: string, " +
      "meta: object, url: string, raw*: events.Raw",
    "events.Raw":
      "transport*: string, method: string, path: string, headers: object, body: string, text*: boolean",
  },
  mail: {
    "blob.Ref": "id*: string, size*: integer, content_type: string, filename: string",
    "mail.Address": "email*: string, name: string",
    "mail.Attachment": "blob*: blob.Ref, size*: integer, filename: string, content_type: string, " +
      "inline: boolean, content_id: string",
    "mail.Message": "subject: string",
    "mail.MessageView": "id*: string, provider*: string, type*: string, received_at*: date-time, " +
      "message*: mail.Message, links*: mail.MessageLinks, meta: object, url: string",
    "mail.MessageLinks":
      "self*: string, raw*: string, html: string, text: string, attachments: [string]",
  },
  sms: {
    "sms.Message":
      "to*: string, from: string, messaging_service: string, body*: string, media: [sms.Media], " +
      "status: string, direction: string, segments*: sms.Segments",
    "sms.Media": "content_type: string, filename: string, url: string, blob: blob.Ref",
    "sms.Segments":
      "count*: integer, encoding*: string, units*: integer, capacity*: integer, remaining*: integer",
    "sms.MediaRef": "index*: integer, stored*: boolean, url*: string, content_type: string, " +
      "filename: string, size: integer",
    "sms.MessageEnvelope":
      "id*: string, provider*: string, type*: string, received_at*: date-time, " +
      "message*: sms.Message, media: [sms.MediaRef], meta: object, url: string",
  },
  chat: {
    "chat.Message": "text*: string",
    "chat.File":
      "blob*: blob.Ref, size*: integer, filename: string, content_type: string, title: string",
    "chat.Change": "kind*: string, event_id: string, reaction: string",
    "chat.Content": "format*: string, data*: string",
    "chat.ChannelRef": "id*: string, name: string",
    "chat.Author": "bot*: boolean, icon_url: string, id: string, name: string",
    "chat.MessageEnvelope":
      "id*: string, provider*: string, type*: string, received_at*: date-time, " +
      "message*: chat.Message, channel_key*: string, thread_key*: string, root_id*: string, " +
      "reply*: boolean, formats: [string], meta: object, url: string",
    "chat.ChannelSummary":
      "id*: string, key*: string, display*: string, provider*: string, messages*: integer, threads*: integer, " +
      "replies*: integer, orphans*: integer, last_message_at*: date-time, messages_url*: string, " +
      "ui_url*: string, name: string, last_author: string, last_message_id: string, " +
      "last_preview: string",
  },
  push: {
    "push.MessageEnvelope": "displays*: boolean, explain*: string, message*: push.Message",
    "push.Message": "kind*: string, target*: push.Target, delivery*: push.Delivery",
  },
  s3: {
    "s3.BucketsView": "buckets*: [s3.BucketView], self*: string, stats*: s3.Stats",
    "s3.Stats":
      "active_uploads*: integer, buckets*: integer, bytes*: integer, objects*: integer, " +
      "part_bytes*: integer, parts*: integer",
    "s3.BucketView":
      "bytes*: integer, creation_time*: date-time, links*: s3.BucketLinks, name*: string, " +
      "objects*: integer",
    "s3.ObjectView":
      "blob*: blob.Ref, bucket*: string, key*: string, size*: integer, etag*: string, " +
      "last_modified*: date-time, checksums*: s3.Checksums, headers*: s3.ContentHeaders, " +
      "links*: s3.ObjectLinks, metadata: object, tags: object",
    "s3.Checksums": "crc32: string, crc32c: string, sha1: string, sha256: string",
    "s3.ContentHeaders":
      "cache_control: string, content_disposition: string, content_encoding: string, " +
      "content_language: string, content_type: string, expires*: date-time",
    "s3.CommonPrefixView": "prefix*: string, list*: string",
    "s3.ObjectsView":
      "bucket*: s3.BucketView, objects*: [s3.ObjectView], common_prefixes*: [s3.CommonPrefixView], " +
      "is_truncated*: boolean, max_keys*: integer, self*: string, continuation_token: string, " +
      "delimiter: string, next: string, next_continuation_token: string, prefix: string, " +
      "start_after: string",
  },
  as2: {
    "as2.MessageEnvelope":
      "id*: string, provider*: string, raw_url*: string, title*: string, type*: string, " +
      "received_at*: date-time, message*: as2.Message, mdn_url: string, payload_url: string, " +
      "preview: string, url: string, meta: object",
    "as2.Message":
      "from*: string, to*: string, payload*: as2.Payload, receipt*: as2.ReceiptRequest, " +
      "security*: as2.Security, alternate_mics: [as2.MIC], as2_version: string, " +
      "content_type: string, date: string, message_id: string, subject: string, " +
      "user_agent: string, issues: [as2.Issue], layers: [as2.Layer], mdn: as2.MDNRecord, mic: as2.MIC",
    "as2.Payload": "size*: integer, blob: blob.Ref, content_type: string, filename: string, " +
      "format: string, preview: string, transfer_encoding: string, recovered: boolean",
    "as2.ReceiptRequest":
      "requested*: boolean, signed_requested*: boolean, async_url: string, notify_to: string, " +
      "options: string, protocol: string, signed_importance: string, mic_algs: [string]",
    "as2.Security": "compressed*: boolean, encrypted*: boolean, signed*: boolean, " +
      "compression: as2.CompressionInfo, encryption: as2.Encryption, signature: as2.Signature",
    "as2.CompressionInfo":
      "algorithm_oid*: string, placement*: string, compressed_size*: integer, " +
      "decompressed*: boolean, algorithm: string, error: string, decompressed_size: integer",
    "as2.Encryption": "decrypted*: boolean, content_algorithm: string, " +
      "content_algorithm_oid: string, error: string, key_algorithm: string, " +
      "key_algorithm_oid: string, recipients: [as2.RecipientInfo]",
    "as2.RecipientInfo": "issuer*: string, serial*: string",
    "as2.Signature":
      "partner_configured*: boolean, signer_matched*: boolean, verified*: boolean, " +
      "chain: [as2.CertInfo], signer: as2.CertInfo, declared_micalg: string, " +
      "digest_algorithm: string, error: string, protocol: string, signature_algorithm: string",
    "as2.CertInfo": "fingerprint*: string, issuer*: string, serial*: string, subject*: string, " +
      "not_after*: date-time, not_before*: date-time, self_signed*: boolean, key_algorithm: string",
    "as2.Layer":
      "bytes*: integer, kind*: string, opened*: boolean, content_type: string, smime_type: string",
    "as2.Issue": "code*: string, detail*: string, severity*: string",
    "as2.MIC":
      "algorithm*: string, coverage*: string, digest*: string, bytes*: integer, note: string",
    "as2.MDNRecord":
      "disposition*: string, message_id*: string, signed*: boolean, size*: integer, " +
      "status*: integer, blob: blob.Ref, headers: object, human_text: string, micalg: string, " +
      "received_content_mic: string",
    "as2.IdentityInfo": "configured*: boolean, ready*: boolean, source*: string, " +
      "cert_path: string, error: string, key_path: string, pem: string, " +
      "certificate: as2.CertInfo, partner: as2.CertInfo",
  },
};
