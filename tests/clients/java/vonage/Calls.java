import com.fasterxml.jackson.databind.ObjectMapper;
import com.vonage.client.VonageApiResponseException;
import com.vonage.client.VonageClient;
import com.vonage.client.messages.MessageResponse;
import com.vonage.client.messages.sms.SmsTextRequest;
import com.vonage.client.sms.SmsSubmissionResponse;
import com.vonage.client.sms.SmsSubmissionResponseMessage;
import com.vonage.client.sms.messages.BinaryMessage;
import com.vonage.client.sms.messages.TextMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends with the server-sdk of Vonage, and prints what it saw as JSON. The address is that of a proxy. */
class Calls {
  static final String TO = "447700900123";

  static VonageClient connect(String secret) {
    return VonageClient.builder().apiKey("key").apiSecret(secret).build();
  }

  static SmsTextRequest message(String text) {
    return SmsTextRequest.builder().from("LOVELACE").to(TO).text(text).clientRef("order-8").build();
  }

  static List<Object> told(SmsSubmissionResponse response) {
    List<Object> parts = new ArrayList<>();
    for (SmsSubmissionResponseMessage part : response.getMessages()) {
      parts.add(part.getStatus() + " " + (part.getId() == null ? part.getErrorText() : part.getId()));
    }
    return List.of(response.getMessageCount(), parts);
  }

  /** What the package throws, or nothing. */
  static List<Object> refusal(Runnable call) {
    try {
      call.run();
      return null;
    } catch (VonageApiResponseException error) {
      return List.of(error.getStatusCode(), error.getTitle());
    }
  }

  public static void main(String[] args) throws Exception {
    VonageClient client = connect("secret");
    TextMessage text =
        new TextMessage("LOVELACE", TO, "Grüße aus Java & €: 👋".concat(".".repeat(78)), true);
    text.setClientReference("order-7");
    VonageClient application = VonageClient.builder()
        .applicationId("00000000-0000-4000-8000-000000000001")
        .privateKeyPath(Path.of(args[0])).build();
    MessageResponse sent = application.getMessagesClient().sendMessage(message("Hello & bye"));
    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("jwt", sent.getMessageUuid().toString());
    seen.put("long", told(client.getSmsClient().submitMessage(text)));
    seen.put("binary", told(client.getSmsClient().submitMessage(
        new BinaryMessage("447700900999", TO, new byte[] {1, (byte) 0xab}, new byte[] {6, 5}))));
    seen.put("wrong",
        told(connect("wrong").getSmsClient().submitMessage(new TextMessage("A", TO, "x"))));
    seen.put("wrong_message",
        refusal(() -> connect("wrong").getMessagesClient().sendMessage(message("x"))));
    System.out.println(new ObjectMapper().writeValueAsString(seen));
  }
}
