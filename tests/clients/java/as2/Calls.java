import com.helger.as2lib.client.AS2Client;
import com.helger.as2lib.client.AS2ClientRequest;
import com.helger.as2lib.client.AS2ClientResponse;
import com.helger.as2lib.client.AS2ClientSettings;
import com.helger.as2lib.crypto.ECompressionType;
import com.helger.as2lib.crypto.ECryptoAlgorithmCrypt;
import com.helger.as2lib.crypto.ECryptoAlgorithmSign;
import com.helger.as2lib.crypto.IMICMatchingHandler;
import com.helger.as2lib.disposition.DispositionOptions;
import com.helger.as2lib.message.IMessage;
import com.helger.mail.cte.EContentTransferEncoding;
import com.helger.security.keystore.EKeyStoreType;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Sends messages with as2-lib (phase2) and has it judge each receipt: `name|outcome of its own MIC|signer of the
 * receipt|disposition`, one a line.
 *
 * Arguments: address of the ingress, certificate of the service, key store of the sender (PKCS #12, alias `mycompany`,
 * password `secret`), name of the service.
 */
public class Calls {
  private static X509Certificate service;
  private static String url;
  private static File store;
  private static String to;

  private record Form(
      String name,
      ECryptoAlgorithmSign sign,
      ECryptoAlgorithmCrypt crypt,
      Boolean compressFirst,
      EContentTransferEncoding encoding,
      ECryptoAlgorithmSign receipt) {}

  public static void main(String[] args) throws Exception {
    url = args[0] + "/as2";
    try (InputStream in = new FileInputStream(args[1])) {
      service = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    store = new File(args[2]);
    to = args[3];
    EContentTransferEncoding binary = EContentTransferEncoding.BINARY;
    EContentTransferEncoding base64 = EContentTransferEncoding.BASE64;
    ECryptoAlgorithmSign sha256 = ECryptoAlgorithmSign.DIGEST_SHA_256;
    ECryptoAlgorithmCrypt aes = ECryptoAlgorithmCrypt.CRYPT_AES256_CBC;
    List<Form> forms = new ArrayList<>();
    forms.add(new Form("plain", null, null, null, binary, sha256));
    forms.add(new Form("plain, receipt unsigned", null, null, null, binary, null));
    for (ECryptoAlgorithmSign digest : new ECryptoAlgorithmSign[] {
        ECryptoAlgorithmSign.DIGEST_MD5, ECryptoAlgorithmSign.DIGEST_SHA1, ECryptoAlgorithmSign.DIGEST_SHA_224,
        sha256, ECryptoAlgorithmSign.DIGEST_SHA_384, ECryptoAlgorithmSign.DIGEST_SHA512 }) {
      forms.add(new Form("signed " + digest.getID(), digest, null, null, binary, digest));
    }
    for (ECryptoAlgorithmCrypt cipher : new ECryptoAlgorithmCrypt[] {
        ECryptoAlgorithmCrypt.CRYPT_3DES, ECryptoAlgorithmCrypt.CRYPT_RC2, ECryptoAlgorithmCrypt.CRYPT_AES128_CBC,
        ECryptoAlgorithmCrypt.CRYPT_AES192_CBC, aes, ECryptoAlgorithmCrypt.CRYPT_AES128_GCM,
        ECryptoAlgorithmCrypt.CRYPT_AES192_GCM, ECryptoAlgorithmCrypt.CRYPT_AES256_GCM }) {
      forms.add(new Form("encrypted " + cipher.getID(), null, cipher, null, binary, sha256));
    }
    // Alone, compression is left out: the digest of it covers a header field that as2-lib then does not send.
    forms.add(new Form("signed, encrypted", sha256, aes, null, binary, sha256));
    forms.add(new Form("signed, encrypted, base64", sha256, aes, null, base64, sha256));
    forms.add(new Form("compressed, signed", sha256, null, true, binary, sha256));
    forms.add(new Form("signed, compressed", sha256, null, false, binary, sha256));
    forms.add(new Form("compressed, signed, encrypted", sha256, aes, true, binary, sha256));
    forms.add(new Form("signed, compressed, encrypted", sha256, aes, false, base64, sha256));
    for (Form form : forms) System.out.println(send(form));
    System.exit(0);
  }

  private static String send(Form form) throws Exception {
    String[] seen = {"no MIC"};
    AS2ClientSettings settings = new AS2ClientSettings();
    settings.setKeyStore(EKeyStoreType.PKCS12, store, "secret");
    settings.setSenderData("java partner", "partner@example.com", "mycompany");
    settings.setReceiverData(to, "standin", url);
    settings.setReceiverCertificate(service);
    settings.setPartnershipName("partnership");
    settings.setEncryptAndSign(form.crypt, form.sign);
    if (form.compressFirst != null) settings.setCompress(ECompressionType.ZLIB, form.compressFirst);
    // The one it has by itself ends in four digits, which two messages of a run may share.
    settings.setMessageIDFormat(UUID.randomUUID() + "@partner.example.com");
    settings.setMDNOptions(form.receipt == null
        ? new DispositionOptions().setMICAlg(ECryptoAlgorithmSign.DIGEST_SHA_256)
        : new DispositionOptions().setProtocolImportance(DispositionOptions.IMPORTANCE_REQUIRED)
            .setProtocol(DispositionOptions.PROTOCOL_PKCS7_SIGNATURE)
            .setMICAlgImportance(DispositionOptions.IMPORTANCE_REQUIRED).setMICAlg(form.receipt));
    settings.setMICMatchingHandler(new IMICMatchingHandler() {
      public void onMICMatch(IMessage message, String mic) {
        seen[0] = "match";
      }

      public void onMICMismatch(IMessage message, String own, String returned) {
        seen[0] = "mismatch " + own + " / " + returned;
      }
    });
    AS2ClientRequest request = new AS2ClientRequest(form.name);
    request.setContentType("application/EDIFACT");
    request.setContentTransferEncoding(form.encoding);
    request.setData("UNB+UNOA:1+A+B+240101:1200+9'\r\nUNZ+0+9'\r\n", StandardCharsets.US_ASCII);
    AS2ClientResponse response = new AS2Client().sendSynchronous(settings, request);
    X509Certificate signer = response.getMDNVerificationCertificate();
    String outcome = response.hasException() ? "exception " + response.getException() : seen[0];
    return String.join("|", form.name, outcome,
        signer == null ? "unsigned" : signer.equals(service) ? "service" : "somebody",
        String.valueOf(response.hasMDN() ? response.getMDNDisposition() : null)).replaceAll("\\s+", " ");
  }
}
