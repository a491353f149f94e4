import com.google.gson.Gson;
import com.mailjet.client.ClientOptions;
import com.mailjet.client.MailjetClient;
import com.mailjet.client.MailjetRequest;
import com.mailjet.client.MailjetResponse;
import com.mailjet.client.errors.MailjetClientRequestException;
import com.mailjet.client.errors.MailjetUnauthorizedException;
import com.mailjet.client.resource.Email;
import com.mailjet.client.resource.Message;
import com.mailjet.client.resource.Template;
import com.mailjet.client.resource.TemplateDetailcontent;
import com.mailjet.client.transactional.Attachment;
import com.mailjet.client.transactional.SendContact;
import com.mailjet.client.transactional.SendEmailsRequest;
import com.mailjet.client.transactional.TransactionalEmail;
import com.mailjet.client.transactional.response.EmailResult;
import com.mailjet.client.transactional.response.MessageResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Sends mail with mailjet-client against the address given, and to the vendor's own, and prints what it saw as JSON.
 */
class Calls {
  static MailjetClient connect(String url, String secret) {
    return new MailjetClient(
        ClientOptions.builder().baseUrl(url).apiKey("key").apiSecretKey(secret).build());
  }

  static TransactionalEmail.TransactionalEmailBuilder mail(String to) {
    return TransactionalEmail.builder().from(new SendContact("pilot@example.com", "Pilot"))
        .to(new SendContact(to)).subject("Grüße & €").textPart("text");
  }

  /** Stores a template, sends with it, and with one that is not stored. */
  static List<Object> template(MailjetClient client) throws Exception {
    MailjetResponse made = client.post(new MailjetRequest(Template.resource)
        .property(Template.NAME, "Order")
        .property(Template.PURPOSES, new JSONArray().put("transactional")));
    long id = made.getData().getJSONObject(0).getLong("ID");
    MailjetResponse content = client.post(new MailjetRequest(TemplateDetailcontent.resource, id)
        .property(TemplateDetailcontent.HEADERS,
            new JSONObject().put("Subject", "Order {{var:order}}"))
        .property(TemplateDetailcontent.TEXTPART, "Dear {{var:name:\"friend\"}}"));
    MessageResult[] results = SendEmailsRequest.builder()
        .message(stored(id)).message(stored(999)).build().sendWith(client).getMessages();
    return List.of(made.getStatus(), content.getStatus(), results[0].getStatus().toString(),
        results[1].getErrors()[0].getErrorCode());
  }

  static TransactionalEmail stored(long id) {
    return TransactionalEmail.builder().from(new SendContact("pilot@example.com"))
        .to(new SendContact("t@example.com")).templateID(id).templateLanguage(true)
        .variable("order", 7).build();
  }

  public static void main(String[] args) throws Exception {
    MailjetClient client = connect(args[0], "secret");
    SendEmailsRequest request = SendEmailsRequest.builder()
        .message(mail("a@example.com").to(new SendContact("b@example.com", "B"))
            .htmlPart("<img src=\"cid:logo\">").customID("from java").header("X-A", "1")
            .attachment(Attachment.builder().filename("a.txt").contentType("text/plain")
                .base64Content("aGVsbG8=").build())
            .inlinedAttachment(Attachment.builder().filename("logo.png").contentType("image/png")
                .base64Content("iVBORw0K").contentID("logo").build())
            .build())
        // One message that fails does not keep the others of its call back.
        .message(mail("nobody").build())
        .build();
    MessageResult[] results = request.sendWith(client).getMessages();
    EmailResult first = results[0].getTo().get(0);
    MailjetResponse found = client.get(new MailjetRequest(Message.resource, first.getMessageID()));
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("sent", List.of(results[0].getStatus().toString(), results[0].getCustomID()));
    seen.put("ids", results[0].getTo().stream().map(EmailResult::getMessageID).toList());
    seen.put("uuid", first.getMessageUUID());
    seen.put("failed", List.of(
        results[1].getStatus().toString(), results[1].getErrors()[0].getErrorCode(),
        results[1].getErrors()[0].getErrorRelatedTo()));
    seen.put("found", List.of(
        found.getStatus(), found.getData().getJSONObject(0).getString("UUID")));
    MailjetClient untouched = new MailjetClient(
        ClientOptions.builder().apiKey("key").apiSecretKey("secret").build());
    SendEmailsRequest good =
        SendEmailsRequest.builder().message(mail("a@example.com").build()).build();
    seen.put("untouched", good.sendWith(untouched).getMessages()[0].getStatus().toString());
    try {
      good.sendWith(connect(args[0], "wrong"));
    } catch (MailjetUnauthorizedException error) {
      seen.put("wrong", error.getMessage());
    }
    try {
      SendEmailsRequest.builder().build().sendWith(client);
    } catch (MailjetClientRequestException error) {
      seen.put("none", List.of(
          error.getStatusCode(), new JSONObject(error.getMessage()).getString("ErrorCode")));
    }
    MailjetRequest old = new MailjetRequest(Email.resource)
        .property(Email.FROMEMAIL, "pilot@example.com").property(Email.FROMNAME, "Pilot")
        .property(Email.SUBJECT, "v3").property(Email.TEXTPART, "text")
        .property(Email.MJCUSTOMID, "from java, too")
        .property(Email.RECIPIENTS, new JSONArray()
            .put(new JSONObject().put("Email", "a@example.com"))
            .put(new JSONObject().put("Email", "b@example.com").put("Name", "B")));
    MailjetResponse several = client.post(old);
    JSONArray told = new JSONObject(several.getRawResponseContent()).getJSONArray("Sent");
    seen.put("v3", List.of(several.getStatus(), told.length(),
        told.getJSONObject(1).getString("Email"), told.getJSONObject(1).getLong("MessageID")));
    seen.put("template", template(client));
    System.out.println(new Gson().toJson(seen));
  }
}
