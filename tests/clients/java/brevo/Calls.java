import brevo.ApiClient;
import brevo.ApiException;
import brevo.Configuration;
import brevo.auth.ApiKeyAuth;
import brevoApi.TransactionalEmailsApi;
import brevoModel.CreateSmtpTemplate;
import brevoModel.CreateSmtpTemplateSender;
import brevoModel.SendSmtpEmail;
import brevoModel.SendSmtpEmailSender;
import brevoModel.SendSmtpEmailTo;
import com.google.gson.Gson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the calls of brevo-java against the address given, and prints what it saw as JSON. */
class Calls {
  static SendSmtpEmail mail(String to) {
    return new SendSmtpEmail().sender(new SendSmtpEmailSender().email("a@example.com").name("Acme"))
        .to(List.of(new SendSmtpEmailTo().email(to))).subject("Grüße & €")
        .htmlContent("<b>{{params.name}}</b>").params(Map.of("name", "Ada"));
  }

  static SendSmtpEmail stored(long template) {
    return new SendSmtpEmail().to(List.of(new SendSmtpEmailTo().email("t@example.com")))
        .templateId(template).params(Map.of("order", 7, "name", "Ada"));
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = Configuration.getDefaultApiClient();
    client.setBasePath(args[0] + "/v3");
    ((ApiKeyAuth) client.getAuthentication("api-key")).setApiKey("java");
    TransactionalEmailsApi api = new TransactionalEmailsApi();
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("sent", api.sendTransacEmail(mail("b@example.com")).getMessageId());
    long template = api.createSmtpTemplate(new CreateSmtpTemplate().templateName("Order")
        .sender(new CreateSmtpTemplateSender().email("s@example.com").name("Shop"))
        .subject("Order {{params.order}}").htmlContent("<p>Hi {{params.name}}</p>").isActive(true))
        .getId();
    seen.put("template",
        List.of(template, api.getSmtpTemplate(template).getName(),
            api.sendTransacEmail(stored(template)).getMessageId()));
    try {
      api.sendTransacEmail(stored(999));
    } catch (ApiException error) {
      seen.put("absent", List.of(error.getCode(), error.getResponseBody()));
    }
    try {
      api.sendTransacEmail(mail("nobody"));
    } catch (ApiException error) {
      seen.put("refused", List.of(error.getCode(), error.getResponseBody()));
    }
    System.out.println(new Gson().toJson(seen));
  }
}
