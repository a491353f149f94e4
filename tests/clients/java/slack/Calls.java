import static com.slack.api.model.block.Blocks.asBlocks;
import static com.slack.api.model.block.Blocks.divider;
import static com.slack.api.model.block.Blocks.section;
import static com.slack.api.model.block.composition.BlockCompositions.markdownText;

import com.google.gson.Gson;
import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.methods.MethodsClient;
import com.slack.api.methods.response.chat.ChatPostMessageResponse;
import com.slack.api.model.block.LayoutBlock;
import com.slack.api.webhook.Payload;
import com.slack.api.webhook.WebhookResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Posts with the Slack client against the address given, and by the vendor's own hosts, and prints what it saw as JSON.
 */
class Calls {
  public static void main(String[] args) throws Exception {
    SlackConfig config = new SlackConfig();
    config.setMethodsEndpointUrlPrefix(args[0] + "/api/");
    Slack slack = Slack.getInstance(config);
    MethodsClient client = slack.methods("xoxb-1");
    List<LayoutBlock> blocks =
        asBlocks(section(made -> made.text(markdownText("*b* é"))), divider());
    ChatPostMessageResponse root = client.chatPostMessage(
        post -> post.channel("C123").text("root & €").blocks(blocks).unfurlLinks(false));
    ChatPostMessageResponse reply = client.chatPostMessage(
        post -> post.channel("C123").text("re").threadTs(root.getTs()).username("U"));
    String hook = args[0] + "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";
    WebhookResponse sent =
        slack.send(hook, Payload.builder().text("Hi é").blocks(blocks).build());
    WebhookResponse text = slack.send(hook, "{\"text\":\"as it is\"}");
    WebhookResponse refused = slack.send(hook, Payload.builder().text("").build());
    Slack untouched = Slack.getInstance();
    ChatPostMessageResponse own = untouched.methods("xoxb-1").chatPostMessage(
        post -> post.channel("C123").text("by slack.com"));
    WebhookResponse ownHook = untouched.send(
        "https://hooks.slack.com/services/T00000000/B00000000/X",
        Payload.builder().text("by hooks.slack.com").build());
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("auth", client.authTest(test -> test).getTeam());
    seen.put("api", client.apiTest(test -> test).isOk());
    seen.put("root", List.of(
        root.isOk(), root.getChannel(), root.getTs(), root.getMessage().getText(),
        root.getMessage().getBlocks().get(0).getType()));
    seen.put("reply", List.of(
        reply.isOk(), reply.getMessage().getThreadTs(), reply.getMessage().getUsername()));
    seen.put("hook", List.of(sent.getCode(), sent.getBody(), text.getCode(), text.getBody()));
    seen.put("refused", List.of(refused.getCode(), refused.getBody()));
    seen.put("channel", client.chatPostMessage(post -> post.channel("").text("x")).getError());
    seen.put("text", client.chatPostMessage(post -> post.channel("C123").text("")).getError());
    seen.put("long", client.chatPostMessage(post -> post.channel("C123").text("x").blocks(
        asBlocks(section(made -> made.text(markdownText("a".repeat(3001))))))).getError());
    seen.put("token", slack.methods("xoxb-2").authTest(test -> test).getError());
    seen.put("method", client.adminUsersList(list -> list).getError());
    seen.put("workspace", workspace(client));
    seen.put("untouched", List.of(own.isOk(), ownHook.getCode(), ownHook.getBody()));
    System.out.println(new Gson().toJson(seen));
  }

  /** Changes, reads back and shares, and what is refused. */
  private static Map<String, Object> workspace(MethodsClient client) throws Exception {
    ChatPostMessageResponse posted =
        client.chatPostMessage(post -> post.channel("#general").text("one"));
    String channel = posted.getChannel();
    String ts = posted.getTs();
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("updated", client.chatUpdate(
        update -> update.channel(channel).ts(ts).text("uno")).getMessage().getText());
    seen.put("reacted", client.reactionsAdd(
        add -> add.channel(channel).timestamp(ts).name("tada")).isOk());
    var message = client.conversationsHistory(
        history -> history.channel(channel)).getMessages().get(0);
    seen.put("history", List.of(
        message.getText(), message.getReactions().get(0).getName(),
        message.getEdited().getUser()));
    var shared = client.filesUploadV2(file -> file
        .channel(channel).initialComment("see").filename("a.txt").content("hello é"));
    seen.put("shared", List.of(shared.isOk(), shared.getFile().getName()));
    seen.put("user", client.usersLookupByEmail(
        user -> user.email("grace@example.com")).getUser().getName());
    seen.put("channels", client.conversationsList(list -> list).getChannels().stream()
        .map(one -> one.getName()).sorted().toList());
    seen.put("scheduled", client.chatScheduleMessage(
        later -> later.channel(channel).text("x").postAt(1)).getError());
    seen.put("deleted", client.chatDelete(gone -> gone.channel(channel).ts(ts)).isOk());
    seen.put("gone", client.chatDelete(gone -> gone.channel(channel).ts(ts)).getError());
    return seen;
  }
}
