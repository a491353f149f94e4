import com.fasterxml.jackson.databind.ObjectMapper;
import com.postmarkapp.postmark.Postmark;
import com.postmarkapp.postmark.client.ApiClient;
import com.postmarkapp.postmark.client.data.model.message.Message;
import com.postmarkapp.postmark.client.data.model.message.MessageResponse;
import com.postmarkapp.postmark.client.data.model.templates.TemplateContent;
import com.postmarkapp.postmark.client.data.model.templates.TemplatedMessage;
import com.postmarkapp.postmark.client.exception.PostmarkException;
import com.postmarkapp.postmark.client.exception.InvalidMessageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the calls of postmark-java against the address given, and prints what it saw as JSON. */
class Calls {
  public static void main(String[] args) throws Exception {
    ApiClient client = Postmark.getApiClient("java", false, args[0]);
    Message message = new Message("Acme <hello@example.com>", "ada@example.com", "Grüße & €", "<p>Hello</p>");
    message.addHeader("X-A", "1");
    message.setTag("welcome");
    message.addAttachment("a.txt", "hello".getBytes(), "text/plain");
    Map<String, Object> seen = new LinkedHashMap<>();
    MessageResponse sent = client.deliverMessage(message);
    seen.put("sent", List.of(sent.getErrorCode(), sent.getMessage(), sent.getMessageId()));
    List<Integer> batch = client.deliverMessage(List.of(message, new Message("a@example.com", "nobody", "x", "x")))
        .stream().map(MessageResponse::getErrorCode).toList();
    seen.put("batch", batch);
    TemplateContent template = new TemplateContent();
    template.setName("Welcome");
    template.setAlias("welcome");
    template.setSubject("Hello {{name}}");
    template.setTextBody("Dear {{name}}");
    client.createTemplate(template);
    TemplatedMessage templated = new TemplatedMessage("a@example.com", "b@example.com");
    templated.setTemplateAlias("welcome");
    templated.setTemplateModel(Map.of("name", "Ada"));
    seen.put("templated", client.deliverMessageWithTemplate(templated).getMessage());
    try {
      client.deliverMessage(new Message("a@example.com", "", "x", "x"));
    } catch (InvalidMessageException error) {
      seen.put("refused", List.of(error.getErrorCode(), error.getMessage()));
    }
    seen.put("server", client.getServer().getName());
    System.out.println(new ObjectMapper().writeValueAsString(seen));
  }
}
