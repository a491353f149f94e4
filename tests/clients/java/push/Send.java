import com.eatthepath.pushy.apns.ApnsClient;
import com.eatthepath.pushy.apns.ApnsClientBuilder;
import com.eatthepath.pushy.apns.DeliveryPriority;
import com.eatthepath.pushy.apns.PushNotificationResponse;
import com.eatthepath.pushy.apns.PushType;
import com.eatthepath.pushy.apns.auth.ApnsSigningKey;
import com.eatthepath.pushy.apns.util.SimpleApnsPushNotification;
import java.io.File;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;

/** Sends pushes with pushy, which speaks TLS only, to the port given, and prints a line for each answer. */
class Send {
  public static void main(String[] args) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    ECPrivateKey key = (ECPrivateKey) generator.generateKeyPair().getPrivate();
    ApnsClient client = new ApnsClientBuilder()
        .setApnsServer("localhost", Integer.parseInt(args[0]))
        .setTrustedServerCertificateChain(new File(args[1]))
        .setSigningKey(new ApnsSigningKey("ABC123DEFG", "TEAM123456", key))
        .build();
    UUID id = UUID.fromString("123e4567-e89b-12d3-a456-42661417400a");
    List<Future<PushNotificationResponse<SimpleApnsPushNotification>>> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String topic = i % 10 == 9 ? "" : "com.example.app";
      answers.add(client.sendNotification(new SimpleApnsPushNotification(
          "java-" + i, topic, "{\"aps\":{\"alert\":\"push " + i + "\"}}", Instant.ofEpochSecond(1700000000),
          DeliveryPriority.IMMEDIATE, PushType.ALERT, "c", id)));
    }
    for (Future<PushNotificationResponse<SimpleApnsPushNotification>> answer : answers) {
      PushNotificationResponse<SimpleApnsPushNotification> got = answer.get();
      System.out.println(got.getStatusCode() + " " + got.getRejectionReason().orElse("-") + " "
          + got.getApnsId().equals(id) + " " + got.getApnsUniqueId().isPresent());
    }
    client.close().get();
  }
}
