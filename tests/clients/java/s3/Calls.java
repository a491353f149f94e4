import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Makes every kind of call of the AWS SDK for Java v2, and prints what came of it as JSON. */
class Calls {
  static final String BUCKET = "story";
  static final String UNICODE = "ü +/☃?.txt";
  static final int MIB = 1 << 20;
  static final StaticCredentialsProvider ANY =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any"));
  static final Map<String, Object> told = new TreeMap<>();
  static URI endpoint;
  static S3Client s3;

  public static void main(String[] args) throws Exception {
    endpoint = URI.create(args[0]);
    S3ClientBuilder builder = S3Client.builder().endpointOverride(endpoint)
        .region(Region.US_EAST_1).credentialsProvider(ANY).forcePathStyle(true);
    if (args.length > 1) {
      builder.forcePathStyle(null)
          .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true)
              .chunkedEncodingEnabled(false).build())
          .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED);
    }
    s3 = builder.build();
    s3.createBucket(b -> b.bucket(BUCKET));
    told.put("buckets", buckets());
    objects();
    conditions();
    large(args.length > 1);
    multipart();
    presigned();
    listings();
    versions();
    s3.deleteBucket(b -> b.bucket(BUCKET));
    told.put("left", buckets().size());
    System.out.println(json(told));
  }

  static List<String> buckets() {
    return s3.listBuckets().buckets().stream().map(bucket -> bucket.name())
        .collect(Collectors.toList());
  }

  static void put(String key, byte[] body) {
    s3.putObject(b -> b.bucket(BUCKET).key(key), RequestBody.fromBytes(body));
  }

  static ResponseBytes<GetObjectResponse> get(GetObjectRequest.Builder request) {
    return s3.getObjectAsBytes(request.bucket(BUCKET).build());
  }

  static byte[] read(String key) {
    return get(GetObjectRequest.builder().key(key)).asByteArray();
  }

  /** What the SDK throws. */
  static S3Exception refusal(Supplier<?> call) {
    try {
      call.get();
      throw new IllegalStateException("no error");
    } catch (S3Exception error) {
      return error;
    }
  }

  static void objects() {
    put("empty", new byte[0]);
    told.put("empty", new String(read("empty")));
    s3.putObject(b -> b.bucket(BUCKET).key(UNICODE).contentType("text/plain")
        .metadata(Map.of("colour", "blue")), RequestBody.fromString("Hello"));
    ResponseBytes<GetObjectResponse> got = get(GetObjectRequest.builder().key(UNICODE));
    told.put("got", List.of(got.asUtf8String(), got.response().metadata().get("colour"),
        got.response().contentType()));
    told.put("range",
        get(GetObjectRequest.builder().key(UNICODE).range("bytes=1-3")).asUtf8String());
    s3.copyObject(b -> b.sourceBucket(BUCKET).sourceKey(UNICODE)
        .destinationBucket(BUCKET).destinationKey("copy"));
    told.put("copied", new String(read("copy")));
    told.put("missing", refusal(() -> read("no")).awsErrorDetails().errorCode());
  }

  static void conditions() {
    String etag = s3.headObject(b -> b.bucket(BUCKET).key("copy")).eTag();
    GetObjectRequest.Builder copy = GetObjectRequest.builder().key("copy");
    told.put("conditions", List.of(
        refusal(() -> get(copy.copy().ifMatch("\"x\""))).statusCode(),
        refusal(() -> get(copy.copy().ifNoneMatch(etag))).statusCode(),
        refusal(() -> s3.putObject(b -> b.bucket(BUCKET).key("copy").ifNoneMatch("*"),
            RequestBody.fromString("x"))).statusCode()));
  }

  static void large(boolean plain) {
    byte[] whole = new byte[64 * MIB];
    for (int i = 0; i < whole.length; i++) whole[i] = (byte) (i * 31 >> 3);
    put("whole", whole);
    told.put("whole", Arrays.equals(read("whole"), whole));
    byte[] parts = Arrays.copyOf(whole, 12 * MIB + 1);
    var builder = S3AsyncClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
        .credentialsProvider(ANY).forcePathStyle(true).multipartEnabled(true)
        .multipartConfiguration(c -> c.minimumPartSizeInBytes(5L * MIB).thresholdInBytes(5L * MIB));
    if (plain) builder.requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED);
    try (S3AsyncClient async = builder.build()) {
      async.putObject(b -> b.bucket(BUCKET).key("parts"), AsyncRequestBody.fromBytes(parts)).join();
      byte[] back = async.getObject(b -> b.bucket(BUCKET).key("parts"),
          AsyncResponseTransformer.toBytes()).join().asByteArray();
      told.put("parts", Arrays.equals(back, parts));
    }
  }

  static String begin(String key) {
    return s3.createMultipartUpload(b -> b.bucket(BUCKET).key(key)).uploadId();
  }

  static CompletedPart sendPart(String key, String id, int number, byte[] body) {
    var sent = s3.uploadPart(b -> b.bucket(BUCKET).key(key).uploadId(id).partNumber(number),
        RequestBody.fromBytes(body));
    return CompletedPart.builder().partNumber(number).eTag(sent.eTag())
        .checksumCRC32(sent.checksumCRC32()).build();
  }

  static void multipart() {
    String gone = begin("aborted");
    sendPart("aborted", gone, 1, new byte[1]);
    told.put("uploads", s3.listMultipartUploads(b -> b.bucket(BUCKET)).uploads().stream()
        .map(upload -> upload.key()).collect(Collectors.toList()));
    s3.abortMultipartUpload(b -> b.bucket(BUCKET).key("aborted").uploadId(gone));
    told.put("aborted", refusal(() ->
        s3.listParts(b -> b.bucket(BUCKET).key("aborted").uploadId(gone)))
        .awsErrorDetails().errorCode());

    String id = begin("resumed");
    CompletedPart first = sendPart("resumed", id, 1, new byte[5 * MIB]);
    int listed = s3.listParts(b -> b.bucket(BUCKET).key("resumed").uploadId(id))
        .parts().get(0).partNumber();
    CompletedPart second = sendPart("resumed", id, 2, "Hello".getBytes());
    s3.completeMultipartUpload(b -> b.bucket(BUCKET).key("resumed").uploadId(id)
        .multipartUpload(u -> u.parts(first, second)));
    told.put("resumed", List.of(listed, read("resumed").length));
  }

  static void presigned() throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    try (S3Presigner signer = S3Presigner.builder().endpointOverride(endpoint)
        .region(Region.US_EAST_1).credentialsProvider(ANY)
        .serviceConfiguration(S3Configuration.builder().pathStyleAccessEnabled(true).build())
        .build()) {
      var upload = signer.presignPutObject(b -> b.signatureDuration(Duration.ofMinutes(1))
          .putObjectRequest(r -> r.bucket(BUCKET).key("signed")));
      http.send(HttpRequest.newBuilder(upload.url().toURI())
          .PUT(HttpRequest.BodyPublishers.ofString("Hello")).build(),
          HttpResponse.BodyHandlers.discarding());
      var download = signer.presignGetObject(b -> b.signatureDuration(Duration.ofMinutes(1))
          .getObjectRequest(r -> r.bucket(BUCKET).key("signed")));
      told.put("presigned", http.send(HttpRequest.newBuilder(download.url().toURI()).build(),
          HttpResponse.BodyHandlers.ofString()).body());
    }
  }

  static void listings() {
    List<String> keys = s3.listObjectsV2Paginator(b -> b.bucket(BUCKET).maxKeys(2)).contents()
        .stream().map(S3Object::key).collect(Collectors.toList());
    told.put("keys", keys);
    told.put("prefixes", s3.listObjectsV2(b -> b.bucket(BUCKET).delimiter("/")).commonPrefixes()
        .stream().map(found -> found.prefix()).collect(Collectors.toList()));
    List<ObjectIdentifier> named = new ArrayList<>();
    for (String key : keys) named.add(ObjectIdentifier.builder().key(key).build());
    named.add(ObjectIdentifier.builder().key("never").build());
    told.put("deleted", s3.deleteObjects(b -> b.bucket(BUCKET).delete(d -> d.objects(named)))
        .deleted().size());
  }

  static String readTag(String key) {
    return s3.getObjectTagging(b -> b.bucket(BUCKET).key(key)).tagSet().get(0).value();
  }

  static void versions() {
    s3.putBucketVersioning(b -> b.bucket(BUCKET)
        .versioningConfiguration(c -> c.status(BucketVersioningStatus.ENABLED)));
    s3.putObject(b -> b.bucket(BUCKET).key("v").tagging("kind=a%20b"),
        RequestBody.fromString("one"));
    String first = readTag("v");
    Tag changed = Tag.builder().key("colour").value("dark blue").build();
    s3.putObjectTagging(b -> b.bucket(BUCKET).key("v").tagging(t -> t.tagSet(changed)));
    told.put("tags", List.of(first, readTag("v")));
    put("v", "two".getBytes());
    s3.deleteObject(b -> b.bucket(BUCKET).key("v"));
    var listed = s3.listObjectVersions(b -> b.bucket(BUCKET));
    List<String> bodies = new ArrayList<>();
    List<ObjectIdentifier> entries = new ArrayList<>();
    for (var found : listed.versions()) {
      var request = GetObjectRequest.builder().key("v").versionId(found.versionId());
      bodies.add(get(request).asUtf8String());
      entries.add(ObjectIdentifier.builder().key("v").versionId(found.versionId()).build());
    }
    for (var found : listed.deleteMarkers()) {
      entries.add(ObjectIdentifier.builder().key("v").versionId(found.versionId()).build());
    }
    s3.deleteObjects(b -> b.bucket(BUCKET).delete(d -> d.objects(entries)));
    told.put("versions", bodies);
    told.put("markers", listed.deleteMarkers().size());
  }

  static String json(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().map(e -> json(e.getKey()) + ":" + json(e.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Calls::json).collect(Collectors.joining(",", "[", "]"));
    }
    return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
  }
}
