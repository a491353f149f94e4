import com.fasterxml.jackson.databind.ObjectMapper;
import com.resend.Resend;
import com.resend.core.exception.ResendException;
import com.resend.core.net.RequestOptions;
import com.resend.services.batch.model.BatchEmail;
import com.resend.services.emails.model.Attachment;
import com.resend.services.emails.model.CreateEmailOptions;
import com.resend.services.emails.model.Email;
import com.resend.services.emails.model.Tag;
import com.resend.services.emails.model.Template;
import com.resend.services.emails.model.UpdateEmailOptions;
import com.resend.services.templates.model.CreateTemplateOptions;
import com.resend.services.templates.model.Variable;
import com.resend.services.templates.model.VariableType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Sends mail with resend-java, which has no address to set, and prints what it saw as JSON. */
class Calls {
  static CreateEmailOptions.Builder mail(String subject) {
    return CreateEmailOptions.builder().from("Acme <hello@example.com>").to("ada@example.com")
        .subject(subject);
  }

  /** What the package throws, or nothing. */
  static List<Object> refusal(Callable<?> call) throws Exception {
    try {
      call.call();
      return null;
    } catch (ResendException error) {
      return List.of(error.getStatusCode(), error.getErrorName(), error.getMessage());
    }
  }

  /** Stores a template, and sends with it before and after it is published. */
  static Map<String, Object> template(Resend resend) throws Exception {
    String id = resend.templates().create(CreateTemplateOptions.builder().name("Order")
        .alias("order").from("s@example.com").subject("Order {{{ORDER}}}")
        .html("<p>Hi {{{NAME}}}</p>")
        .addVariable(Variable.builder().key("ORDER").type(VariableType.NUMBER).build())
        .addVariable(Variable.builder().key("NAME").type(VariableType.STRING)
            .fallbackValue("friend").build())
        .build()).getId();
    CreateEmailOptions email = CreateEmailOptions.builder().from("s@example.com")
        .to("t@example.com")
        .template(Template.builder().id("order").addVariable("ORDER", 7).build()).build();
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("early", refusal(() -> resend.emails().send(email)));
    resend.templates().publish(id);
    seen.put("fetched", resend.templates().get("order").getName());
    seen.put("sent", resend.emails().send(email).getId());
    return seen;
  }

  public static void main(String[] args) throws Exception {
    Resend resend = new Resend("re_java");
    CreateEmailOptions full = mail("Grüße & €").cc("c@example.com").replyTo("r@example.com")
        .text("Hello").html("<p>Hello</p>").addHeader("X-A", "1")
        .tags(Tag.builder().name("category").value("welcome").build())
        .attachments(Attachment.builder().fileName("a.txt").content("aGVsbG8=").build())
        .scheduledAt("2999-01-01T00:00:00Z").build();
    RequestOptions once = RequestOptions.builder().setIdempotencyKey("key-1").build();
    String id = resend.emails().send(full, once).getId();
    String again = resend.emails().send(full, once).getId();
    CreateEmailOptions other = mail("other").text("x").build();
    List<String> batch = resend.batch().send(List.of(other, other)).getData().stream()
        .map(BatchEmail::getId).toList();
    Email email = resend.emails().get(id);
    UpdateEmailOptions later =
        UpdateEmailOptions.builder().scheduledAt("2999-02-01T00:00:00Z").build();
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("sent", List.of(id, id.equals(again)));
    seen.put("batch", batch);
    seen.put("fetched", List.of(
        email.getSubject(), email.getTo(), email.getCc(), email.getText(), email.getLastEvent()));
    seen.put("listed", resend.emails().list().getData().stream().map(Email::getSubject).toList());
    seen.put("updated", resend.emails().update(id, later).getId().equals(id));
    seen.put("canceled", resend.emails().cancel(id).getId().equals(id));
    seen.put("event", resend.emails().get(id).getLastEvent());
    seen.put("conflict", refusal(() -> resend.emails().send(other, once)));
    seen.put("empty", refusal(() -> resend.emails().send(mail("no body").build())));
    seen.put("from", refusal(() -> resend.emails().send(
        CreateEmailOptions.builder().from("nobody").to("a@example.com").subject("x").text("x")
            .build())));
    seen.put("unknown",
        refusal(() -> resend.emails().get("00000000-0000-4000-8000-000000000000")));
    seen.put("template", template(resend));
    System.out.println(new ObjectMapper().writeValueAsString(seen));
  }
}
