import com.fasterxml.jackson.databind.ObjectMapper;
import com.twilio.exception.ApiException;
import com.twilio.http.TwilioRestClient;
import com.twilio.rest.api.v2010.account.Message;
import com.twilio.rest.api.v2010.account.message.Media;
import com.twilio.rest.verify.v2.service.Verification;
import com.twilio.rest.verify.v2.service.VerificationCheck;
import com.twilio.type.PhoneNumber;
import java.net.URI;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Makes message calls of the twilio package, which has no address to set, and prints what it saw as JSON. */
class Calls {
  static final PhoneNumber TO = new PhoneNumber("+15558675310");
  static final PhoneNumber OTHER = new PhoneNumber("+15550001111");
  static final PhoneNumber FROM = new PhoneNumber("+15017122661");

  static final String SERVICE = "VA00000000000000000000000000000001";

  static TwilioRestClient connect(String token) {
    return new TwilioRestClient.Builder("AC00000000000000000000000000000000", token).build();
  }

  /** What the package throws, or nothing. */
  static List<Object> refusal(Supplier<?> call) {
    try {
      call.get();
      return null;
    } catch (ApiException error) {
      return List.of(error.getStatusCode(), error.getCode(), error.getMessage());
    }
  }

  public static void main(String[] args) throws Exception {
    TwilioRestClient client = connect("secret");
    ZonedDateTime before = ZonedDateTime.now().minusMinutes(1);
    Message sent = Message.creator(TO, FROM, "hello java & €").create(client);
    List<URI> links = List.of(
        URI.create("https://example.com/a.png"), URI.create("https://example.com/b.gif"));
    Message media = Message.creator(TO, FROM, links).create(client);
    List<String> types = new ArrayList<>();
    Media.reader(media.getSid()).read(client).forEach(item -> types.add(item.getContentType()));
    for (int i = 0; i < 3; i++) Message.creator(OTHER, FROM, "n" + i).create(client);
    List<String> listed = new ArrayList<>();
    Message.reader().setTo(OTHER).setDateSentAfter(before).setPageSize(2L).read(client)
        .forEach(message -> listed.add(message.getBody()));
    Message fetched = Message.fetcher(sent.getSid()).fetch(client);
    Message redacted = Message.updater(sent.getSid()).setBody("").update(client);
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("sent", List.of(
        sent.getSid(), sent.getStatus().toString(), sent.getDirection().toString(),
        sent.getNumSegments(), sent.getDateCreated().isAfter(before)));
    seen.put("media", List.of(media.getNumMedia(), types));
    seen.put("listed", listed);
    seen.put("fetched", List.of(fetched.getBody(), fetched.getTo(), fetched.getFrom().toString()));
    seen.put("redacted", redacted.getBody());
    seen.put("deleted", Message.deleter(sent.getSid()).delete(client));
    seen.put("gone", refusal(() -> Message.fetcher(sent.getSid()).fetch(client)));
    seen.put("wrong", refusal(() -> Message.creator(TO, FROM, "x").create(connect("wrong"))));
    seen.put("nobody",
        refusal(() -> Message.creator(new PhoneNumber("nobody"), FROM, "x").create(client)));
    seen.put("empty", refusal(() -> Message.creator(TO, FROM, "").create(client)));
    Verification started =
        Verification.creator(SERVICE, TO.toString(), "sms").setCustomCode("424242").create(client);
    VerificationCheck checked = VerificationCheck.creator(SERVICE)
        .setTo(TO.toString()).setCode("424242").create(client);
    seen.put("verified", List.of(started.getStatus(), checked.getStatus(), checked.getValid()));
    seen.put("looked", com.twilio.rest.lookups.v2.PhoneNumber.fetcher("+14159929960").fetch(client)
        .getNationalFormat());
    System.out.println(new ObjectMapper().writeValueAsString(seen));
  }
}
