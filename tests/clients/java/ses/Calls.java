import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ses.SesClient;
import software.amazon.awssdk.services.sesv2.SesV2Client;
import software.amazon.awssdk.services.sesv2.model.BadRequestException;

/** Makes the calls of the AWS SDK for Java against the address given, and prints what it saw as JSON. */
class Calls {
  static String simple(SesV2Client client, String from) {
    return client.sendEmail(email -> email.fromEmailAddress(from)
        .destination(to -> to.toAddresses("b@example.com"))
        .content(content -> content.simple(message -> message.subject(text -> text.data("Grüße & €"))
            .body(body -> body.text(text -> text.data("Hello")))))).messageId();
  }

  public static void main(String[] args) {
    StaticCredentialsProvider key =
        StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIAJAVA", "secret"));
    URI address = URI.create(args[0]);
    SesV2Client two = SesV2Client.builder().endpointOverride(address).region(Region.EU_WEST_1)
        .credentialsProvider(key).build();
    SesClient one = SesClient.builder().endpointOverride(address).region(Region.EU_WEST_1)
        .credentialsProvider(key).build();
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("simple", simple(two, "a@example.com"));
    two.createEmailTemplate(template -> template.templateName("welcome")
        .templateContent(content -> content.subject("Hi {{name}}").text("Dear {{name}}")));
    seen.put("templated", two.sendEmail(email -> email.fromEmailAddress("a@example.com")
        .destination(to -> to.toAddresses("b@example.com"))
        .content(content -> content.template(template -> template.templateName("welcome")
            .templateData("{\"name\":\"Ada\"}")))).messageId());
    seen.put("old", one.sendEmail(email -> email.source("a@example.com")
        .destination(to -> to.toAddresses("b@example.com"))
        .message(message -> message.subject(text -> text.data("x"))
            .body(body -> body.html(html -> html.data("<b>Hello</b>"))))).messageId());
    try {
      simple(two, "nobody");
    } catch (BadRequestException error) {
      seen.put("refused", List.of(error.awsErrorDetails().errorCode(), error.statusCode(),
          error.awsErrorDetails().errorMessage()));
    }
    System.out.println(toJson(seen));
  }

  static String toJson(Object value) {
    if (value instanceof Map<?, ?> map) {
      List<String> members = map.entrySet().stream()
          .map(entry -> toJson(entry.getKey()) + ":" + toJson(entry.getValue())).toList();
      return "{" + String.join(",", members) + "}";
    }
    if (value instanceof List<?> list) {
      return "[" + String.join(",", list.stream().map(Calls::toJson).toList()) + "]";
    }
    return value instanceof String text ? "\"" + text + "\"" : String.valueOf(value);
  }
}
