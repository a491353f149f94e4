import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.InvalidParameterException;
import software.amazon.awssdk.services.sns.model.PublishBatchResponse;

/** Makes the calls of the AWS SDK for Java against the address given, and prints what it saw as a list of texts. */
class Calls {
  public static void main(String[] args) throws Exception {
    SnsClient client = SnsClient.builder().endpointOverride(URI.create(args[0]))
        .region(Region.EU_WEST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIAJAVA", "secret")))
        .build();
    List<String> seen = new ArrayList<>();
    seen.add(client.publish(it -> it.phoneNumber("+447700900123").message("Grüße & €"))
        .messageId());
    String topic = client.createTopic(it -> it.name("orders")).topicArn();
    seen.add(topic);
    PublishBatchResponse batch = client.publishBatch(it -> it.topicArn(topic)
        .publishBatchRequestEntries(
            one -> one.id("a").message("one"), two -> two.id("b").message("")));
    seen.addAll(List.of(batch.successful().get(0).id(), batch.failed().get(0).code()));
    try {
      client.publish(it -> it.phoneNumber("nobody").message("x"));
    } catch (InvalidParameterException error) {
      seen.add(error.awsErrorDetails().errorMessage());
    }
    System.out.println("[\"" + String.join("\",\"", seen) + "\"]");
  }
}
