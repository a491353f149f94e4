/** The most common emoji by their Slack names. */

/** Pairs of a name and its character. */
const COMMON = `
  +1 👍 -1 👎 100 💯 1234 🔢 alarm_clock ⏰ alert 🚨 ambulance 🚑 angry 😠 apple 🍎 arrow_down ⬇️ arrow_left ⬅️
  arrow_right ➡️ arrow_up ⬆️ arrows_counterclockwise 🔄 art 🎨 balloon 🎈 ballot_box_with_check ☑️ bangbang ‼️ bar_chart 📊
  beer 🍺 beers 🍻 bell 🔔 birthday 🎂 blue_heart 💙 blush 😊 bomb 💣 book 📖 bookmark 🔖 books 📚 boom 💥 bow 🙇 briefcase 💼
  broken_heart 💔 bug 🐛 building_construction 🏗️ bulb 💡 cake 🍰 calendar 📅 calling 📲 camera 📷 cat 🐱 champagne 🍾
  chart_with_downwards_trend 📉 chart_with_upwards_trend 📈 checkered_flag 🏁 clap 👏 clipboard 📋 clock1 🕐 closed_book 📕
  cloud ☁️ coffee ☕ collision 💥 computer 💻 confetti_ball 🎊 confused 😕 construction 🚧 cool 🆒 credit_card 💳 cry 😢
  dancer 💃 dart 🎯 date 📅 disappointed 😞 dizzy 💫 dog 🐶 dollar 💵 e-mail 📧 earth_africa 🌍 email ✉️ envelope ✉️
  exclamation ❗ eyes 👀 face_with_rolling_eyes 🙄 fearful 😨 file_folder 📁 fire 🔥 fire_engine 🚒 fireworks 🎆 flag-de 🇩🇪
  flushed 😳 gear ⚙️ gem 💎 gift 🎁 globe_with_meridians 🌐 green_apple 🍏 green_heart 💚 grey_exclamation ❕ grey_question ❔
  grin 😁 grinning 😀 hammer 🔨 hammer_and_wrench 🛠️ handshake 🤝 hankey 💩 heart ❤️ heart_eyes 😍 heavy_check_mark ✔️
  heavy_exclamation_mark ❗ heavy_minus_sign ➖ heavy_multiplication_x ✖️ heavy_plus_sign ➕ hourglass ⌛ house 🏠 hugging_face 🤗
  inbox_tray 📥 information_source ℹ️ innocent 😇 joy 😂 key 🔑 kissing_heart 😘 label 🏷️ large_blue_circle 🔵
  large_green_circle 🟢 large_orange_circle 🟠 large_yellow_circle 🟡 laughing 😆 link 🔗 lock 🔒 loudspeaker 📢 mag 🔍
  mailbox 📫 mega 📣 memo 📝 microscope 🔬 money_with_wings 💸 moneybag 💰 moon 🌔 muscle 💪 musical_note 🎵 neutral_face 😐
  new 🆕 newspaper 📰 no_entry ⛔ no_entry_sign 🚫 no_good 🙅 octagonal_sign 🛑 ok 🆗 ok_hand 👌 open_mouth 😮 outbox_tray 📤
  package 📦 page_facing_up 📄 paperclip 📎 partying_face 🥳 pencil 📝 pencil2 ✏️ pensive 😔 phone ☎️ pizza 🍕 point_down 👇
  point_left 👈 point_right 👉 point_up ☝️ point_up_2 👆 poop 💩 pray 🙏 pushpin 📌 question ❓ rage 😡 rainbow 🌈 raised_hands 🙌
  recycle ♻️ red_circle 🔴 relaxed ☺️ relieved 😌 repeat 🔁 robot_face 🤖 rocket 🚀 rotating_light 🚨 satellite 📡
  scream 😱 scroll 📜 see_no_evil 🙈 seedling 🌱 shield 🛡️ ship 🚢 shrug 🤷 skull 💀 slightly_smiling_face 🙂 smile 😄 smiley 😃
  smirk 😏 snail 🐌 snake 🐍 snowflake ❄️ sob 😭 sos 🆘 sparkles ✨ speech_balloon 💬 star ⭐ star2 🌟 stopwatch ⏱️
  stuck_out_tongue 😛 sunglasses 😎 sunny ☀️ sweat 😓 sweat_smile 😅 tada 🎉 telephone ☎️ test_tube 🧪 thermometer 🌡️
  thinking_face 🤔 thought_balloon 💭 thumbsdown 👎 thumbsup 👍 ticket 🎫 timer_clock ⏲️ tools 🛠️ trophy 🏆 truck 🚚
  turtle 🐢 two_hearts 💕 umbrella ☂️ unamused 😒 unicorn_face 🦄 unlock 🔓 up 🆙 upside_down_face 🙃 vertical_traffic_light 🚦
  warning ⚠️ wastebasket 🗑️ watch ⌚ wave 👋 weary 😩 whale 🐳 white_check_mark ✅ white_circle ⚪ wink 😉 worried 😟
  wrench 🔧 x ❌ yellow_heart 💛 yum 😋 zap ⚡ zzz 💤
`;

/** @type {ReadonlyMap<string, string>} */
const emoji = new Map(
  [...COMMON.matchAll(/(\S+)\s+(\S+)/g)].map(([, name = "", character = ""]) => [name, character]),
);

/**
 * Returns the character of a name, or the name as written if it is unknown.
 * @param {string} name without colons
 */
export function emojiOf(name) {
  return emoji.get(name) ?? `:${name}:`;
}

/**
 * Replaces emoji names in a text with their characters.
 * @param {string} text
 */
export function withEmoji(text) {
  return text.replace(
    /(?<![\p{L}\p{N}]):([a-z0-9_+'-]{1,60}):(?![\p{L}\p{N}])/gu,
    (_, name) => emojiOf(name),
  );
}
