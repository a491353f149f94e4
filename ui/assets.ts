// Written by scripts/ui_assets.ts. A test fails if it is out of date: run `deno task assets`.
import library_signals_js from "library/signals" with { type: "text" };
import library_signals_core_js from "library/signals-core" with { type: "text" };
import library_htm_js from "library/htm" with { type: "text" };
import library_preact_js from "library/preact" with { type: "text" };
import library_hooks_js from "library/hooks" with { type: "text" };
import app_js from "./static/app.js" with { type: "text" };
import components_actions_js from "./static/components/actions.js" with { type: "text" };
import components_browse_js from "./static/components/browse.js" with { type: "text" };
import components_bundle_js from "./static/components/bundle.js" with { type: "text" };
import components_bytes_view_js from "./static/components/bytes_view.js" with { type: "text" };
import components_callbacks_js from "./static/components/callbacks.js" with { type: "text" };
import components_captured_tab_js from "./static/components/captured_tab.js" with { type: "text" };
import components_checks_js from "./static/components/checks.js" with { type: "text" };
import components_codes_js from "./static/components/codes.js" with { type: "text" };
import components_content_preview_js from "./static/components/content_preview.js" with {
  type: "text",
};
import components_controls_js from "./static/components/controls.js" with { type: "text" };
import components_dialog_js from "./static/components/dialog.js" with { type: "text" };
import components_empty_js from "./static/components/empty.js" with { type: "text" };
import components_event_detail_js from "./static/components/event_detail.js" with { type: "text" };
import components_facts_js from "./static/components/facts.js" with { type: "text" };
import components_fault_badge_js from "./static/components/fault_badge.js" with { type: "text" };
import components_fetched_item_js from "./static/components/fetched_item.js" with { type: "text" };
import components_fields_js from "./static/components/fields.js" with { type: "text" };
import components_filters_js from "./static/components/filters.js" with { type: "text" };
import components_headers_table_js from "./static/components/headers_table.js" with {
  type: "text",
};
import components_icons_js from "./static/components/icons.js" with { type: "text" };
import components_issues_js from "./static/components/issues.js" with { type: "text" };
import components_item_detail_js from "./static/components/item_detail.js" with { type: "text" };
import components_json_view_js from "./static/components/json_view.js" with { type: "text" };
import components_list_js from "./static/components/list.js" with { type: "text" };
import components_news_js from "./static/components/news.js" with { type: "text" };
import components_operation_js from "./static/components/operation.js" with { type: "text" };
import components_page_js from "./static/components/page.js" with { type: "text" };
import components_pick_list_js from "./static/components/pick_list.js" with { type: "text" };
import components_picked_tab_js from "./static/components/picked_tab.js" with { type: "text" };
import components_plugin_page_js from "./static/components/plugin_page.js" with { type: "text" };
import components_pointing_js from "./static/components/pointing.js" with { type: "text" };
import components_provider_js from "./static/components/provider.js" with { type: "text" };
import components_removal_js from "./static/components/removal.js" with { type: "text" };
import components_shell_js from "./static/components/shell.js" with { type: "text" };
import components_source_js from "./static/components/source.js" with { type: "text" };
import components_split_js from "./static/components/split.js" with { type: "text" };
import components_text_js from "./static/components/text.js" with { type: "text" };
import components_toast_js from "./static/components/toast.js" with { type: "text" };
import components_value_fields_js from "./static/components/value_fields.js" with { type: "text" };
import components_varbinds_js from "./static/components/varbinds.js" with { type: "text" };
import css_base_css from "./static/css/base.css" with { type: "text" };
import css_browse_css from "./static/css/browse.css" with { type: "text" };
import css_callbacks_css from "./static/css/callbacks.css" with { type: "text" };
import css_components_css from "./static/css/components.css" with { type: "text" };
import css_faults_css from "./static/css/faults.css" with { type: "text" };
import css_forms_css from "./static/css/forms.css" with { type: "text" };
import css_items_css from "./static/css/items.css" with { type: "text" };
import css_lists_css from "./static/css/lists.css" with { type: "text" };
import css_pages_css from "./static/css/pages.css" with { type: "text" };
import css_shell_css from "./static/css/shell.css" with { type: "text" };
import css_stories_css from "./static/css/stories.css" with { type: "text" };
import css_tokens_css from "./static/css/tokens.css" with { type: "text" };
import css_viewers_css from "./static/css/viewers.css" with { type: "text" };
import icon_svg from "./static/icon.svg" with { type: "text" };
import index_html from "./static/index.html" with { type: "text" };
import lib_api_js from "./static/lib/api.js" with { type: "text" };
import lib_bytes_js from "./static/lib/bytes.js" with { type: "text" };
import lib_chat_markup_js from "./static/lib/chat_markup.js" with { type: "text" };
import lib_clock_js from "./static/lib/clock.js" with { type: "text" };
import lib_curl_js from "./static/lib/curl.js" with { type: "text" };
import lib_dom_js from "./static/lib/dom.js" with { type: "text" };
import lib_emoji_js from "./static/lib/emoji.js" with { type: "text" };
import lib_fault_code_js from "./static/lib/fault_code.js" with { type: "text" };
import lib_fault_rule_js from "./static/lib/fault_rule.js" with { type: "text" };
import lib_fetched_js from "./static/lib/fetched.js" with { type: "text" };
import lib_form_values_js from "./static/lib/form_values.js" with { type: "text" };
import lib_format_js from "./static/lib/format.js" with { type: "text" };
import lib_id_set_js from "./static/lib/id_set.js" with { type: "text" };
import lib_json_text_js from "./static/lib/json_text.js" with { type: "text" };
import lib_keep_end_js from "./static/lib/keep_end.js" with { type: "text" };
import lib_keys_js from "./static/lib/keys.js" with { type: "text" };
import lib_live_js from "./static/lib/live.js" with { type: "text" };
import lib_marks_js from "./static/lib/marks.js" with { type: "text" };
import lib_namespace_js from "./static/lib/namespace.js" with { type: "text" };
import lib_paged_js from "./static/lib/paged.js" with { type: "text" };
import lib_prefs_js from "./static/lib/prefs.js" with { type: "text" };
import lib_providers_js from "./static/lib/providers.js" with { type: "text" };
import lib_quote_js from "./static/lib/quote.js" with { type: "text" };
import lib_replay_js from "./static/lib/replay.js" with { type: "text" };
import lib_router_js from "./static/lib/router.js" with { type: "text" };
import lib_store_js from "./static/lib/store.js" with { type: "text" };
import lib_story_axis_js from "./static/lib/story_axis.js" with { type: "text" };
import lib_stream_js from "./static/lib/stream.js" with { type: "text" };
import lib_styles_js from "./static/lib/styles.js" with { type: "text" };
import lib_summary_js from "./static/lib/summary.js" with { type: "text" };
import lib_tabs_js from "./static/lib/tabs.js" with { type: "text" };
import lib_text_js from "./static/lib/text.js" with { type: "text" };
import lib_unread_js from "./static/lib/unread.js" with { type: "text" };
import pages_callbacks_js from "./static/pages/callbacks.js" with { type: "text" };
import pages_callbacks_form_js from "./static/pages/callbacks/form.js" with { type: "text" };
import pages_event_js from "./static/pages/event.js" with { type: "text" };
import pages_events_js from "./static/pages/events.js" with { type: "text" };
import pages_faults_js from "./static/pages/faults.js" with { type: "text" };
import pages_faults_detail_js from "./static/pages/faults/detail.js" with { type: "text" };
import pages_faults_examples_js from "./static/pages/faults/examples.js" with { type: "text" };
import pages_faults_form_js from "./static/pages/faults/form.js" with { type: "text" };
import pages_not_found_js from "./static/pages/not_found.js" with { type: "text" };
import pages_overview_js from "./static/pages/overview.js" with { type: "text" };
import pages_rejected_js from "./static/pages/rejected.js" with { type: "text" };
import pages_stories_js from "./static/pages/stories.js" with { type: "text" };
import pages_stories_timeline_js from "./static/pages/stories/timeline.js" with { type: "text" };
import tabs_as2_css from "./static/tabs/as2.css" with { type: "text" };
import tabs_as2_js from "./static/tabs/as2.js" with { type: "text" };
import tabs_as2_bytes_js from "./static/tabs/as2/bytes.js" with { type: "text" };
import tabs_as2_detail_js from "./static/tabs/as2/detail.js" with { type: "text" };
import tabs_as2_document_js from "./static/tabs/as2/document.js" with { type: "text" };
import tabs_as2_edi_js from "./static/tabs/as2/edi.js" with { type: "text" };
import tabs_as2_edi_names_js from "./static/tabs/as2/edi_names.js" with { type: "text" };
import tabs_as2_identity_js from "./static/tabs/as2/identity.js" with { type: "text" };
import tabs_as2_layers_js from "./static/tabs/as2/layers.js" with { type: "text" };
import tabs_as2_receipt_js from "./static/tabs/as2/receipt.js" with { type: "text" };
import tabs_as2_row_js from "./static/tabs/as2/row.js" with { type: "text" };
import tabs_chat_css from "./static/tabs/chat.css" with { type: "text" };
import tabs_chat_js from "./static/tabs/chat.js" with { type: "text" };
import tabs_chat_blocks_css from "./static/tabs/chat/blocks.css" with { type: "text" };
import tabs_chat_blocks_js from "./static/tabs/chat/blocks.js" with { type: "text" };
import tabs_chat_cards_js from "./static/tabs/chat/cards.js" with { type: "text" };
import tabs_chat_changes_js from "./static/tabs/chat/changes.js" with { type: "text" };
import tabs_chat_embeds_js from "./static/tabs/chat/embeds.js" with { type: "text" };
import tabs_chat_files_js from "./static/tabs/chat/files.js" with { type: "text" };
import tabs_chat_json_js from "./static/tabs/chat/json.js" with { type: "text" };
import tabs_chat_message_js from "./static/tabs/chat/message.js" with { type: "text" };
import tabs_chat_rich_text_js from "./static/tabs/chat/rich_text.js" with { type: "text" };
import tabs_chat_threads_js from "./static/tabs/chat/threads.js" with { type: "text" };
import tabs_files_css from "./static/tabs/files.css" with { type: "text" };
import tabs_files_js from "./static/tabs/files.js" with { type: "text" };
import tabs_files_activity_js from "./static/tabs/files/activity.js" with { type: "text" };
import tabs_files_directory_js from "./static/tabs/files/directory.js" with { type: "text" };
import tabs_files_preview_js from "./static/tabs/files/preview.js" with { type: "text" };
import tabs_files_removal_js from "./static/tabs/files/removal.js" with { type: "text" };
import tabs_files_rows_js from "./static/tabs/files/rows.js" with { type: "text" };
import tabs_hl7_css from "./static/tabs/hl7.css" with { type: "text" };
import tabs_hl7_js from "./static/tabs/hl7.js" with { type: "text" };
import tabs_hl7_detail_js from "./static/tabs/hl7/detail.js" with { type: "text" };
import tabs_hl7_dictionary_js from "./static/tabs/hl7/dictionary.js" with { type: "text" };
import tabs_hl7_raw_js from "./static/tabs/hl7/raw.js" with { type: "text" };
import tabs_hl7_segments_js from "./static/tabs/hl7/segments.js" with { type: "text" };
import tabs_mail_css from "./static/tabs/mail.css" with { type: "text" };
import tabs_mail_js from "./static/tabs/mail.js" with { type: "text" };
import tabs_mail_attachments_js from "./static/tabs/mail/attachments.js" with { type: "text" };
import tabs_mail_bodies_js from "./static/tabs/mail/bodies.js" with { type: "text" };
import tabs_mail_clients_js from "./static/tabs/mail/clients.js" with { type: "text" };
import tabs_mail_extracted_js from "./static/tabs/mail/extracted.js" with { type: "text" };
import tabs_mail_html_body_js from "./static/tabs/mail/html_body.js" with { type: "text" };
import tabs_mail_message_js from "./static/tabs/mail/message.js" with { type: "text" };
import tabs_mail_messages_js from "./static/tabs/mail/messages.js" with { type: "text" };
import tabs_mail_raw_message_js from "./static/tabs/mail/raw_message.js" with { type: "text" };
import tabs_push_css from "./static/tabs/push.css" with { type: "text" };
import tabs_push_js from "./static/tabs/push.js" with { type: "text" };
import tabs_push_detail_js from "./static/tabs/push/detail.js" with { type: "text" };
import tabs_push_lock_screen_js from "./static/tabs/push/lock_screen.js" with { type: "text" };
import tabs_push_verdict_js from "./static/tabs/push/verdict.js" with { type: "text" };
import tabs_s3_css from "./static/tabs/s3.css" with { type: "text" };
import tabs_s3_js from "./static/tabs/s3.js" with { type: "text" };
import tabs_s3_activity_js from "./static/tabs/s3/activity.js" with { type: "text" };
import tabs_s3_browser_js from "./static/tabs/s3/browser.js" with { type: "text" };
import tabs_s3_buckets_js from "./static/tabs/s3/buckets.js" with { type: "text" };
import tabs_s3_listing_js from "./static/tabs/s3/listing.js" with { type: "text" };
import tabs_s3_object_js from "./static/tabs/s3/object.js" with { type: "text" };
import tabs_s3_panel_js from "./static/tabs/s3/panel.js" with { type: "text" };
import tabs_s3_protection_js from "./static/tabs/s3/protection.js" with { type: "text" };
import tabs_s3_removal_js from "./static/tabs/s3/removal.js" with { type: "text" };
import tabs_s3_rows_js from "./static/tabs/s3/rows.js" with { type: "text" };
import tabs_s3_snippets_js from "./static/tabs/s3/snippets.js" with { type: "text" };
import tabs_s3_uploads_js from "./static/tabs/s3/uploads.js" with { type: "text" };
import tabs_s3_versions_js from "./static/tabs/s3/versions.js" with { type: "text" };
import tabs_sms_css from "./static/tabs/sms.css" with { type: "text" };
import tabs_sms_js from "./static/tabs/sms.js" with { type: "text" };
import tabs_sms_conversations_js from "./static/tabs/sms/conversations.js" with { type: "text" };
import tabs_sms_message_js from "./static/tabs/sms/message.js" with { type: "text" };
import tabs_webhook_js from "./static/tabs/webhook.js" with { type: "text" };
import tabs_webhook_detail_js from "./static/tabs/webhook/detail.js" with { type: "text" };
import theme_js from "./static/theme.js" with { type: "text" };
import { toAssets } from "./library.ts";

/** Every file of the user interface, by its name under `/ui/assets/`. */
export const ASSETS: ReadonlyMap<string, string> = toAssets([
  ["library/signals.js", library_signals_js],
  ["library/signals-core.js", library_signals_core_js],
  ["library/htm.js", library_htm_js],
  ["library/preact.js", library_preact_js],
  ["library/hooks.js", library_hooks_js],
  ["app.js", app_js],
  ["components/actions.js", components_actions_js],
  ["components/browse.js", components_browse_js],
  ["components/bundle.js", components_bundle_js],
  ["components/bytes_view.js", components_bytes_view_js],
  ["components/callbacks.js", components_callbacks_js],
  ["components/captured_tab.js", components_captured_tab_js],
  ["components/checks.js", components_checks_js],
  ["components/codes.js", components_codes_js],
  ["components/content_preview.js", components_content_preview_js],
  ["components/controls.js", components_controls_js],
  ["components/dialog.js", components_dialog_js],
  ["components/empty.js", components_empty_js],
  ["components/event_detail.js", components_event_detail_js],
  ["components/facts.js", components_facts_js],
  ["components/fault_badge.js", components_fault_badge_js],
  ["components/fetched_item.js", components_fetched_item_js],
  ["components/fields.js", components_fields_js],
  ["components/filters.js", components_filters_js],
  ["components/headers_table.js", components_headers_table_js],
  ["components/icons.js", components_icons_js],
  ["components/issues.js", components_issues_js],
  ["components/item_detail.js", components_item_detail_js],
  ["components/json_view.js", components_json_view_js],
  ["components/list.js", components_list_js],
  ["components/news.js", components_news_js],
  ["components/operation.js", components_operation_js],
  ["components/page.js", components_page_js],
  ["components/pick_list.js", components_pick_list_js],
  ["components/picked_tab.js", components_picked_tab_js],
  ["components/plugin_page.js", components_plugin_page_js],
  ["components/pointing.js", components_pointing_js],
  ["components/provider.js", components_provider_js],
  ["components/removal.js", components_removal_js],
  ["components/shell.js", components_shell_js],
  ["components/source.js", components_source_js],
  ["components/split.js", components_split_js],
  ["components/text.js", components_text_js],
  ["components/toast.js", components_toast_js],
  ["components/value_fields.js", components_value_fields_js],
  ["components/varbinds.js", components_varbinds_js],
  ["css/base.css", css_base_css],
  ["css/browse.css", css_browse_css],
  ["css/callbacks.css", css_callbacks_css],
  ["css/components.css", css_components_css],
  ["css/faults.css", css_faults_css],
  ["css/forms.css", css_forms_css],
  ["css/items.css", css_items_css],
  ["css/lists.css", css_lists_css],
  ["css/pages.css", css_pages_css],
  ["css/shell.css", css_shell_css],
  ["css/stories.css", css_stories_css],
  ["css/tokens.css", css_tokens_css],
  ["css/viewers.css", css_viewers_css],
  ["icon.svg", icon_svg],
  ["index.html", index_html],
  ["lib/api.js", lib_api_js],
  ["lib/bytes.js", lib_bytes_js],
  ["lib/chat_markup.js", lib_chat_markup_js],
  ["lib/clock.js", lib_clock_js],
  ["lib/curl.js", lib_curl_js],
  ["lib/dom.js", lib_dom_js],
  ["lib/emoji.js", lib_emoji_js],
  ["lib/fault_code.js", lib_fault_code_js],
  ["lib/fault_rule.js", lib_fault_rule_js],
  ["lib/fetched.js", lib_fetched_js],
  ["lib/form_values.js", lib_form_values_js],
  ["lib/format.js", lib_format_js],
  ["lib/id_set.js", lib_id_set_js],
  ["lib/json_text.js", lib_json_text_js],
  ["lib/keep_end.js", lib_keep_end_js],
  ["lib/keys.js", lib_keys_js],
  ["lib/live.js", lib_live_js],
  ["lib/marks.js", lib_marks_js],
  ["lib/namespace.js", lib_namespace_js],
  ["lib/paged.js", lib_paged_js],
  ["lib/prefs.js", lib_prefs_js],
  ["lib/providers.js", lib_providers_js],
  ["lib/quote.js", lib_quote_js],
  ["lib/replay.js", lib_replay_js],
  ["lib/router.js", lib_router_js],
  ["lib/store.js", lib_store_js],
  ["lib/story_axis.js", lib_story_axis_js],
  ["lib/stream.js", lib_stream_js],
  ["lib/styles.js", lib_styles_js],
  ["lib/summary.js", lib_summary_js],
  ["lib/tabs.js", lib_tabs_js],
  ["lib/text.js", lib_text_js],
  ["lib/unread.js", lib_unread_js],
  ["pages/callbacks.js", pages_callbacks_js],
  ["pages/callbacks/form.js", pages_callbacks_form_js],
  ["pages/event.js", pages_event_js],
  ["pages/events.js", pages_events_js],
  ["pages/faults.js", pages_faults_js],
  ["pages/faults/detail.js", pages_faults_detail_js],
  ["pages/faults/examples.js", pages_faults_examples_js],
  ["pages/faults/form.js", pages_faults_form_js],
  ["pages/not_found.js", pages_not_found_js],
  ["pages/overview.js", pages_overview_js],
  ["pages/rejected.js", pages_rejected_js],
  ["pages/stories.js", pages_stories_js],
  ["pages/stories/timeline.js", pages_stories_timeline_js],
  ["tabs/as2.css", tabs_as2_css],
  ["tabs/as2.js", tabs_as2_js],
  ["tabs/as2/bytes.js", tabs_as2_bytes_js],
  ["tabs/as2/detail.js", tabs_as2_detail_js],
  ["tabs/as2/document.js", tabs_as2_document_js],
  ["tabs/as2/edi.js", tabs_as2_edi_js],
  ["tabs/as2/edi_names.js", tabs_as2_edi_names_js],
  ["tabs/as2/identity.js", tabs_as2_identity_js],
  ["tabs/as2/layers.js", tabs_as2_layers_js],
  ["tabs/as2/receipt.js", tabs_as2_receipt_js],
  ["tabs/as2/row.js", tabs_as2_row_js],
  ["tabs/chat.css", tabs_chat_css],
  ["tabs/chat.js", tabs_chat_js],
  ["tabs/chat/blocks.css", tabs_chat_blocks_css],
  ["tabs/chat/blocks.js", tabs_chat_blocks_js],
  ["tabs/chat/cards.js", tabs_chat_cards_js],
  ["tabs/chat/changes.js", tabs_chat_changes_js],
  ["tabs/chat/embeds.js", tabs_chat_embeds_js],
  ["tabs/chat/files.js", tabs_chat_files_js],
  ["tabs/chat/json.js", tabs_chat_json_js],
  ["tabs/chat/message.js", tabs_chat_message_js],
  ["tabs/chat/rich_text.js", tabs_chat_rich_text_js],
  ["tabs/chat/threads.js", tabs_chat_threads_js],
  ["tabs/files.css", tabs_files_css],
  ["tabs/files.js", tabs_files_js],
  ["tabs/files/activity.js", tabs_files_activity_js],
  ["tabs/files/directory.js", tabs_files_directory_js],
  ["tabs/files/preview.js", tabs_files_preview_js],
  ["tabs/files/removal.js", tabs_files_removal_js],
  ["tabs/files/rows.js", tabs_files_rows_js],
  ["tabs/hl7.css", tabs_hl7_css],
  ["tabs/hl7.js", tabs_hl7_js],
  ["tabs/hl7/detail.js", tabs_hl7_detail_js],
  ["tabs/hl7/dictionary.js", tabs_hl7_dictionary_js],
  ["tabs/hl7/raw.js", tabs_hl7_raw_js],
  ["tabs/hl7/segments.js", tabs_hl7_segments_js],
  ["tabs/mail.css", tabs_mail_css],
  ["tabs/mail.js", tabs_mail_js],
  ["tabs/mail/attachments.js", tabs_mail_attachments_js],
  ["tabs/mail/bodies.js", tabs_mail_bodies_js],
  ["tabs/mail/clients.js", tabs_mail_clients_js],
  ["tabs/mail/extracted.js", tabs_mail_extracted_js],
  ["tabs/mail/html_body.js", tabs_mail_html_body_js],
  ["tabs/mail/message.js", tabs_mail_message_js],
  ["tabs/mail/messages.js", tabs_mail_messages_js],
  ["tabs/mail/raw_message.js", tabs_mail_raw_message_js],
  ["tabs/push.css", tabs_push_css],
  ["tabs/push.js", tabs_push_js],
  ["tabs/push/detail.js", tabs_push_detail_js],
  ["tabs/push/lock_screen.js", tabs_push_lock_screen_js],
  ["tabs/push/verdict.js", tabs_push_verdict_js],
  ["tabs/s3.css", tabs_s3_css],
  ["tabs/s3.js", tabs_s3_js],
  ["tabs/s3/activity.js", tabs_s3_activity_js],
  ["tabs/s3/browser.js", tabs_s3_browser_js],
  ["tabs/s3/buckets.js", tabs_s3_buckets_js],
  ["tabs/s3/listing.js", tabs_s3_listing_js],
  ["tabs/s3/object.js", tabs_s3_object_js],
  ["tabs/s3/panel.js", tabs_s3_panel_js],
  ["tabs/s3/protection.js", tabs_s3_protection_js],
  ["tabs/s3/removal.js", tabs_s3_removal_js],
  ["tabs/s3/rows.js", tabs_s3_rows_js],
  ["tabs/s3/snippets.js", tabs_s3_snippets_js],
  ["tabs/s3/uploads.js", tabs_s3_uploads_js],
  ["tabs/s3/versions.js", tabs_s3_versions_js],
  ["tabs/sms.css", tabs_sms_css],
  ["tabs/sms.js", tabs_sms_js],
  ["tabs/sms/conversations.js", tabs_sms_conversations_js],
  ["tabs/sms/message.js", tabs_sms_message_js],
  ["tabs/webhook.js", tabs_webhook_js],
  ["tabs/webhook/detail.js", tabs_webhook_detail_js],
  ["theme.js", theme_js],
], [
  "components/actions.js",
  "components/bundle.js",
  "components/bytes_view.js",
  "components/callbacks.js",
  "components/captured_tab.js",
  "components/checks.js",
  "components/codes.js",
  "components/controls.js",
  "components/dialog.js",
  "components/empty.js",
  "components/event_detail.js",
  "components/facts.js",
  "components/fault_badge.js",
  "components/fields.js",
  "components/filters.js",
  "components/headers_table.js",
  "components/icons.js",
  "components/item_detail.js",
  "components/json_view.js",
  "components/list.js",
  "components/news.js",
  "components/page.js",
  "components/pick_list.js",
  "components/plugin_page.js",
  "components/pointing.js",
  "components/provider.js",
  "components/removal.js",
  "components/shell.js",
  "components/split.js",
  "components/text.js",
  "components/toast.js",
  "components/value_fields.js",
  "components/varbinds.js",
  "lib/api.js",
  "lib/bytes.js",
  "lib/chat_markup.js",
  "lib/clock.js",
  "lib/curl.js",
  "lib/dom.js",
  "lib/emoji.js",
  "lib/fault_rule.js",
  "lib/fetched.js",
  "lib/form_values.js",
  "lib/format.js",
  "lib/id_set.js",
  "lib/keys.js",
  "lib/live.js",
  "lib/marks.js",
  "lib/namespace.js",
  "lib/paged.js",
  "lib/prefs.js",
  "lib/providers.js",
  "lib/replay.js",
  "lib/router.js",
  "lib/store.js",
  "lib/stream.js",
  "lib/styles.js",
  "lib/summary.js",
  "lib/tabs.js",
  "lib/text.js",
  "lib/unread.js",
  "library/hooks.js",
  "library/htm.js",
  "library/preact.js",
  "library/signals-core.js",
  "library/signals.js",
  "pages/event.js",
  "pages/events.js",
  "pages/not_found.js",
  "pages/overview.js",
  "pages/rejected.js",
]);
