import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import javax.activation.DataHandler;
import javax.mail.internet.MimeBodyPart;
import javax.mail.util.ByteArrayDataSource;
import org.openas2.XMLSession;
import org.openas2.message.AS2Message;
import org.openas2.message.AS2MessageMDN;
import org.openas2.partner.Partnership;
import org.openas2.processor.sender.SenderModule;

/**
 * Sends messages with the sender of the OpenAS2 server, which judges each receipt: `name|its state|own MIC|returned
 * MIC|disposition`, one a line.
 *
 * Arguments: address of the ingress, key store (PKCS #12, password `secret`, aliases `mycompany` and `standin`), a
 * folder to work in. There is the `partnerships.xml` that the service proposes: the first message is sent by it, the
 * others say themselves how they are sent.
 */
public class Calls {
  private record Form(String name, String sign, String crypt, String compression, String encoding) {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[2]);
    for (String name : new String[] {"pendingMDN", "pendingMDNinfo"}) {
      Files.createDirectories(folder.resolve("data").resolve(name));
    }
    Path config = folder.resolve("config.xml");
    Files.writeString(config, """
        <openas2>
          <properties storageBaseDir="%%home%%/data"/>
          <partnerships classname="org.openas2.partner.XMLPartnershipFactory" filename="%%home%%/partnerships.xml"/>
          <certificates classname="org.openas2.cert.PKCS12CertificateFactory" filename="%s" password="secret"/>
          <processor classname="org.openas2.processor.DefaultProcessor"
              pendingMDN="%%home%%/data/pendingMDN" pendingMDNinfo="%%home%%/data/pendingMDNinfo">
            <module classname="org.openas2.processor.sender.AS2SenderModule"/>
            <module classname="org.openas2.processor.storage.MDNFileModule" protocol="as2"
                filename="%%home%%/data/mdn/$mdn.msg.headers.message-id$" tempdir="%%home%%/data/temp"/>
          </processor>
        </openas2>
        """.formatted(args[1]));
    XMLSession session = new XMLSession(config.toString());
    Partnership proposed = session.getPartnershipFactory().getPartnerships().get(0);
    System.out.println(send(session, new Form("proposed", null, null, null, "binary"), proposed));
    List<Form> forms = new ArrayList<>();
    forms.add(new Form("plain", null, null, null, "8bit"));
    for (String digest : new String[] {"MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"}) {
      forms.add(new Form("signed " + digest, digest, null, null, "8bit"));
    }
    for (String cipher : new String[] {"3DES", "RC2", "AES128", "AES192", "AES256"}) {
      forms.add(new Form("encrypted " + cipher, null, cipher, null, "binary"));
    }
    forms.add(new Form("compressed", null, null, "compress-before-signing", "binary"));
    forms.add(new Form("signed, encrypted", "SHA256", "AES128", null, "binary"));
    forms.add(new Form("signed, encrypted, base64", "SHA256", "AES256", null, "base64"));
    forms.add(new Form("compressed, signed", "SHA256", null, "compress-before-signing", "8bit"));
    forms.add(new Form("signed, compressed", "SHA256", null, "compress-after-signing", "8bit"));
    forms.add(new Form("compressed, encrypted", null, "3DES", "compress-before-signing", "binary"));
    forms.add(new Form("compressed, signed, encrypted", "SHA1", "3DES", "compress-before-signing", "base64"));
    forms.add(new Form("signed, compressed, encrypted", "SHA512", "AES256", "compress-after-signing", "binary"));
    for (Form form : forms) System.out.println(send(session, form, partnership(form, args[0])));
    System.exit(0);
  }

  private static Partnership partnership(Form form, String url) {
    Partnership partnership = new Partnership();
    partnership.setName("partnership");
    partnership.setSenderID(Partnership.PID_AS2, "MyCompany");
    partnership.setSenderID(Partnership.PID_X509_ALIAS, "mycompany");
    partnership.setSenderID(Partnership.PID_EMAIL, "partner@example.com");
    partnership.setReceiverID(Partnership.PID_AS2, "standin");
    partnership.setReceiverID(Partnership.PID_X509_ALIAS, "standin");
    partnership.setAttribute("protocol", "as2");
    partnership.setAttribute(Partnership.PA_AS2_URL, url + "/as2");
    partnership.setAttribute(Partnership.PA_AS2_MDN_TO, "partner@example.com");
    String digest = form.sign == null ? "SHA256" : form.sign;
    partnership.setAttribute(Partnership.PA_AS2_MDN_OPTIONS,
        "signed-receipt-protocol=optional, pkcs7-signature; signed-receipt-micalg=optional, " + digest);
    partnership.setAttribute(Partnership.PA_CONTENT_TRANSFER_ENCODING, form.encoding);
    partnership.setAttribute("resend_max_retries", "0");
    if (form.sign != null) partnership.setAttribute(Partnership.PA_SIGNATURE_ALGORITHM, form.sign);
    if (form.crypt != null) partnership.setAttribute(Partnership.PA_ENCRYPTION_ALGORITHM, form.crypt);
    if (form.compression != null) {
      partnership.setAttribute("compression_type", "ZLIB");
      partnership.setAttribute("compression_mode", form.compression);
    }
    return partnership;
  }

  private static String send(XMLSession session, Form form, Partnership partnership)
      throws Exception {
    AS2Message message = new AS2Message();
    message.setPartnership(partnership);
    message.setSubject(form.name);
    MimeBodyPart part = new MimeBodyPart();
    byte[] document = "UNB+UNOA:1+A+B+240101:1200+9'\r\nUNZ+0+9'\r\n".getBytes(StandardCharsets.US_ASCII);
    part.setDataHandler(new DataHandler(new ByteArrayDataSource(document, "application/EDIFACT")));
    part.setHeader("Content-Type", "application/EDIFACT");
    part.setHeader("Content-Transfer-Encoding", form.encoding);
    message.setData(part);
    message.setContentType("application/EDIFACT");
    message.setAttribute("fileid", form.name);
    message.setPayloadFilename("order.edi");
    message.updateMessageID();
    try {
      session.getProcessor().handle(SenderModule.DO_SEND, message, new HashMap<>());
    } catch (Exception thrown) {
      return (form.name + "|" + thrown).replaceAll("\\s+", " ").substring(0, 300);
    }
    Object mdn = message.getMDN();
    String returned = mdn == null ? null : message.getMDN().getAttribute(AS2MessageMDN.MDNA_MIC);
    String disposition = mdn == null ? null : message.getMDN().getAttribute(AS2MessageMDN.MDNA_DISPOSITION);
    return String.join("|", form.name, String.valueOf(message.getOption("STATE")),
        String.valueOf(message.getCalculatedMIC()), String.valueOf(returned), String.valueOf(disposition)).replaceAll("\\s+", " ");
  }
}
