import brevo.ApiClient;
import brevo.ApiException;
import brevo.Configuration;
import brevo.auth.ApiKeyAuth;
import brevoApi.TransactionalEmailsApi;
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

  public static void main(String[] args) throws Exception {
    ApiClient client = Configuration.getDefaultApiClient();
    client.setBasePath(args[0] + "/v3");
    ((ApiKeyAuth) client.getAuthentication("api-key")).setApiKey("java");
    TransactionalEmailsApi api = new TransactionalEmailsApi();
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("sent", api.sendTransacEmail(mail("b@example.com")).getMessageId());
    try {
      api.sendTransacEmail(mail("nobody"));
    } catch (ApiException error) {
      seen.put("refused", List.of(error.getCode(), error.getResponseBody()));
    }
    System.out.println(new Gson().toJson(seen));
  }
}
