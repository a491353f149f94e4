/** Methods by name, as the vendor spells them; names are case-insensitive. */
import { deleteMessage, deleteMessages, setReaction } from "./change.ts";
import {
  editCaption,
  editChecklist,
  editLocation,
  editMarkup,
  editMedia,
  editText,
  stopLocation,
  stopPoll,
} from "./edit.ts";
import {
  answerQuery,
  captureCall,
  countMembers,
  createInvoiceLink,
  deleteCommands,
  deleteWebhook,
  getChat,
  getChatMember,
  getCommands,
  getFile,
  getMe,
  getUpdates,
  getWebhookInfo,
  sendAction,
  sendDraft,
  setCommands,
  setWebhook,
} from "./fetch.ts";
import { forward } from "./forward.ts";
import type { Method } from "./methods.ts";
import { sendAlbum, sendOne } from "./send.ts";

/** Methods that are only captured, with the result `true`. */
const CAPTURED = [
  ...["pinChatMessage", "unpinChatMessage", "unpinAllChatMessages"],
  ...["setMyName", "setMyDescription", "setMyShortDescription", "setChatMenuButton"],
  ...["setMyDefaultAdministratorRights", "setChatTitle", "setChatDescription", "setChatPhoto"],
  ...["deleteChatPhoto", "setChatPermissions", "setChatStickerSet", "deleteChatStickerSet"],
  ...["banChatMember", "unbanChatMember", "restrictChatMember", "promoteChatMember"],
  ...["setChatAdministratorCustomTitle", "banChatSenderChat", "unbanChatSenderChat"],
  ...["approveChatJoinRequest", "declineChatJoinRequest", "leaveChat", "editForumTopic"],
  ...["closeForumTopic", "reopenForumTopic", "deleteForumTopic", "unpinAllForumTopicMessages"],
  ...["logOut", "close"],
];

/** Methods with an implementation. */
const OWN: Readonly<Record<string, Method>> = {
  getMe,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  getMyCommands: getCommands,
  setMyCommands: setCommands,
  deleteMyCommands: deleteCommands,
  getChat,
  getChatMember,
  getChatMemberCount: countMembers,
  getFile,
  sendMessage: sendOne,
  sendPhoto: sendOne,
  sendDocument: sendOne,
  sendAudio: sendOne,
  sendVideo: sendOne,
  sendLivePhoto: sendOne,
  sendPaidMedia: sendOne,
  sendAnimation: sendOne,
  sendVoice: sendOne,
  sendVideoNote: sendOne,
  sendSticker: sendOne,
  sendLocation: sendOne,
  sendVenue: sendOne,
  sendContact: sendOne,
  sendDice: sendOne,
  sendPoll: sendOne,
  sendGame: sendOne,
  sendInvoice: sendOne,
  createInvoiceLink,
  sendChecklist: sendOne,
  sendRichMessage: sendOne,
  sendMessageDraft: sendDraft,
  sendRichMessageDraft: sendDraft,
  sendChatAction: sendAction,
  sendMediaGroup: sendAlbum,
  forwardMessage: forward,
  forwardMessages: forward,
  copyMessage: forward,
  copyMessages: forward,
  editMessageText: editText,
  editMessageCaption: editCaption,
  editMessageMedia: editMedia,
  editMessageReplyMarkup: editMarkup,
  editMessageLiveLocation: editLocation,
  stopMessageLiveLocation: stopLocation,
  editMessageChecklist: editChecklist,
  stopPoll,
  deleteMessage,
  deleteMessages,
  setMessageReaction: setReaction,
  answerCallbackQuery: answerQuery,
  answerInlineQuery: answerQuery,
  answerShippingQuery: answerQuery,
  answerPreCheckoutQuery: answerQuery,
};

/** Methods by their names in lower case. */
export const METHODS: ReadonlyMap<string, { readonly name: string; readonly method: Method }> =
  new Map(
    [...Object.entries(OWN), ...CAPTURED.map((name) => [name, captureCall] as const)]
      .map(([name, method]) => [name.toLowerCase(), { name, method }]),
  );
