import com.fasterxml.jackson.databind.ObjectMapper;
import com.mailgun.api.v3.MailgunMessagesApi;
import com.mailgun.api.v3.MailgunTemplatesApi;
import com.mailgun.client.MailgunClient;
import com.mailgun.model.message.Message;
import com.mailgun.model.message.MessageResponse;
import com.mailgun.model.templates.TemplateRequest;
import feign.FeignException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the calls of mailgun-java against the address given, and prints what it saw as JSON. */
class Calls {
  static final String DOMAIN = "mg.example.com";

  public static void main(String[] args) throws Exception {
    MailgunMessagesApi messages = MailgunClient.config(args[0], "java").createApi(MailgunMessagesApi.class);
    File file = Files.writeString(Path.of(args[1], "a.txt"), "hello").toFile();
    Map<String, Object> seen = new LinkedHashMap<>();
    MessageResponse sent = messages.sendMessage(DOMAIN, Message.builder().from("Acme <a@example.com>")
        .to(List.of("b@example.com", "c@example.com")).subject("Grüße & €").text("Hello").tag("one")
        .attachment(file).build());
    seen.put("sent", List.of(sent.getId(), sent.getMessage()));
    MailgunTemplatesApi templates = MailgunClient.config(args[0], "java").createApi(MailgunTemplatesApi.class);
    seen.put("template", templates.storeNewTemplate(DOMAIN, TemplateRequest.builder().name("welcome")
        .template("Hi {{name}}").description("First").build()).getMessage());
    messages.sendMessage(DOMAIN, Message.builder().from("a@example.com").to("b@example.com").subject("x")
        .template("welcome").mailgunVariables(Map.of("name", "Ada")).build());
    try {
      messages.sendMessage(DOMAIN, Message.builder().from("a@example.com").to("nobody").text("x").build());
    } catch (FeignException error) {
      seen.put("refused", List.of(error.status(), error.contentUTF8()));
    }
    System.out.println(new ObjectMapper().writeValueAsString(seen));
  }
}
