import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.twilio.http.TwilioRestClient;
import com.twilio.rest.api.v2010.account.Message;
import com.twilio.type.PhoneNumber;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Waits over HTTP for what the twilio package sends, expects it, and prints what it saw as JSON. */
class Calls {
  static final ObjectMapper JSON = new ObjectMapper();
  static final HttpClient HTTP = HttpClient.newHttpClient();

  static HttpResponse<String> expect(String api, String body) throws Exception {
    Map<String, Object> match = Map.of("payload.body", body, "codes[0]", "482913");
    Map<String, Object> expectation = new LinkedHashMap<>();
    expectation.put("type", "sms.message");
    expectation.put("match", match);
    expectation.put("timeout", 0);
    HttpRequest request = HttpRequest.newBuilder(URI.create(api + "/api/v1/expect"))
        .POST(BodyPublishers.ofString(JSON.writeValueAsString(expectation))).build();
    return HTTP.send(request, BodyHandlers.ofString());
  }

  public static void main(String[] args) throws Exception {
    String api = args[0];
    CompletableFuture<HttpResponse<String>> waiting = HTTP.sendAsync(
        HttpRequest.newBuilder(
            URI.create(api + "/api/v1/events/wait?type=sms.message&has=code&timeout=20s")).build(),
        BodyHandlers.ofString());
    TwilioRestClient client =
        new TwilioRestClient.Builder("AC00000000000000000000000000000000", "secret").build();
    Message.creator(
        new PhoneNumber("+15558675310"), new PhoneNumber("+15017122661"), "482913 is your code")
        .create(client);
    HttpResponse<String> waited = waiting.get();
    HttpResponse<String> missed = expect(api, "Your code is 482913");
    List<List<Object>> closest = new ArrayList<>();
    for (JsonNode field : JSON.readTree(missed.body()).at("/closest/fields")) {
      closest.add(List.of(field.get("path").asText(), field.get("met").asBoolean()));
    }
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("waited", List.of(
        waited.statusCode(), JSON.readTree(waited.body()).at("/0/extracted/codes")));
    seen.put("met", expect(api, "482913 is your code").statusCode());
    seen.put("missed", missed.statusCode());
    seen.put("closest", closest);
    System.out.println(JSON.writeValueAsString(seen));
  }
}
