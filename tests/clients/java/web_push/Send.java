import java.security.KeyPairGenerator;
import java.security.Security;
import java.security.spec.ECGenParameterSpec;
import nl.martijndwars.webpush.Encoding;
import nl.martijndwars.webpush.Notification;
import nl.martijndwars.webpush.PushService;
import nl.martijndwars.webpush.Subscription;
import org.apache.http.util.EntityUtils;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** Sends a web push in each encoding: Send ENDPOINT P256DH AUTH */
public class Send {
  public static void main(String[] args) throws Exception {
    Security.addProvider(new BouncyCastleProvider());
    KeyPairGenerator generator = KeyPairGenerator.getInstance("ECDH", "BC");
    generator.initialize(new ECGenParameterSpec("prime256v1"));
    PushService service = new PushService(generator.generateKeyPair(), "mailto:ada@example.org");
    Subscription subscription =
        new Subscription(args[0], new Subscription.Keys(args[1], args[2]));
    for (Encoding encoding : Encoding.values()) {
      Notification push = new Notification(subscription, "Hello " + encoding);
      var answer = service.send(push, encoding);
      String body = answer.getEntity() == null ? "" : EntityUtils.toString(answer.getEntity());
      System.out.println(answer.getStatusLine().getStatusCode() + body);
    }
    System.exit(0);
  }
}
