import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sendgrid.Client;
import com.sendgrid.Method;
import com.sendgrid.Request;
import com.sendgrid.Response;
import com.sendgrid.SendGrid;
import com.sendgrid.helpers.mail.Mail;
import com.sendgrid.helpers.mail.objects.Attachments;
import com.sendgrid.helpers.mail.objects.Content;
import com.sendgrid.helpers.mail.objects.Email;
import com.sendgrid.helpers.mail.objects.Personalization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.http.impl.client.HttpClients;

/**
 * Sends mail with sendgrid-java to the host and port given, and to the vendor's own, and prints what it saw as JSON.
 */
class Calls {
  static final ObjectMapper JSON = new ObjectMapper();
  static final Email FROM = new Email("s@example.com", "S");

  static SendGrid connect(String host, String key) {
    // What the package calls its test mode is plain HTTP.
    SendGrid sendgrid = new SendGrid(key, true);
    sendgrid.setHost(host);
    return sendgrid;
  }

  /** The answer, be it a refusal: the package throws for none. */
  static Response send(SendGrid sendgrid, Mail mail) throws Exception {
    Request request = new Request();
    request.setMethod(Method.POST);
    request.setEndpoint("mail/send");
    request.setBody(mail.build());
    return sendgrid.api(request);
  }

  static List<Object> refusal(Response answer) throws Exception {
    List<Object> told = new ArrayList<>(List.of(answer.getStatusCode()));
    for (JsonNode error : JSON.readTree(answer.getBody()).get("errors")) {
      told.add(error.get("message").asText());
    }
    return told;
  }

  static JsonNode create(SendGrid sendgrid, String endpoint, Map<String, String> body)
      throws Exception {
    Request request = new Request();
    request.setMethod(Method.POST);
    request.setEndpoint(endpoint);
    request.setBody(JSON.writeValueAsString(body));
    return JSON.readTree(sendgrid.api(request).getBody());
  }

  public static void main(String[] args) throws Exception {
    Mail mail = new Mail();
    mail.setFrom(FROM);
    mail.setReplyTo(new Email("r@example.com"));
    mail.setSubject("Grüße & €");
    for (String name : List.of("a", "b")) {
      Personalization person = new Personalization();
      person.addTo(new Email(name + "@example.com", name.toUpperCase()));
      person.addCustomArg("who", name);
      mail.addPersonalization(person);
    }
    mail.addContent(new Content("text/plain", "plain é"));
    mail.addContent(new Content("text/html", "<img src=\"cid:logo\">"));
    mail.addAttachments(new Attachments.Builder("logo.png", "iVBORw0K").withType("image/png")
        .withDisposition("inline").withContentId("logo").build());
    mail.addCategory("cat1");
    mail.addHeader("X-A", "1");
    SendGrid sendgrid = connect(args[0], "SG.good");
    Response sent = send(sendgrid, mail);

    Content text = new Content("text/plain", "x");
    Mail plain = new Mail(FROM, "Hi", new Email("a@example.com"), text);
    Mail nobody = new Mail(FROM, "Hi", new Email("nobody"), text);
    Mail bare = new Mail(FROM, "", new Email("a@example.com"), new Content("text/plain", ""));
    // Left alone, the package looks for no proxy.
    SendGrid proxied = new SendGrid("SG.good", new Client(HttpClients.createSystem()));
    String template =
        create(sendgrid, "templates", Map.of("name", "Order", "generation", "dynamic")).get("id").asText();
    JsonNode version = create(sendgrid, "templates/" + template + "/versions",
        Map.of("name", "One", "subject", "Order {{order}}", "html_content", "<p>Hi {{name}}</p>"));
    Mail order = new Mail();
    order.setFrom(FROM);
    order.setTemplateId(template);
    Personalization reader = new Personalization();
    reader.addTo(new Email("t@example.com"));
    reader.addDynamicTemplateData("order", 7);
    reader.addDynamicTemplateData("name", "Ada");
    order.addPersonalization(reader);
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("template", List.of(version.get("active").asInt(), send(sendgrid, order).getStatusCode()));
    seen.put("sent", List.of(
        sent.getStatusCode(), sent.getBody(), sent.getHeaders().get("X-Message-Id")));
    seen.put("wrong", refusal(send(connect(args[0], "SG.bad"), plain)));
    seen.put("nobody", refusal(send(sendgrid, nobody)));
    seen.put("bare", refusal(send(sendgrid, bare)));
    seen.put("proxied", send(proxied, plain).getStatusCode());
    System.out.println(JSON.writeValueAsString(seen));
  }
}
