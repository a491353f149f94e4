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
    seen.put("method", client.conversationsList(list -> list).getError());
    seen.put("untouched", List.of(own.isOk(), ownHook.getCode(), ownHook.getBody()));
    System.out.println(new Gson().toJson(seen));
  }
}
