// Angus Mail (Jakarta Mail): an email with each kind of authentication, with a delivery status notification requested.
// Prints the Message-ID of each.
// Smtp.java HOST PORT MECHANISM...
import jakarta.activation.DataHandler;
import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.util.ByteArrayDataSource;
import java.util.Properties;

class Send {
  public static void main(String[] args) throws Exception {
    for (int i = 2; i < args.length; i++) System.out.println(send(args[0], args[1], args[i]));
  }

  static String send(String host, String port, String mechanism) throws Exception {
    Properties settings = new Properties();
    settings.put("mail.smtp.host", host);
    settings.put("mail.smtp.port", port);
    settings.put("mail.smtp.timeout", "20000");
    settings.put("mail.smtp.starttls.enable", "true");
    settings.put("mail.smtp.ssl.trust", "*");
    settings.put("mail.smtp.auth", String.valueOf(!mechanism.equals("none")));
    settings.put("mail.smtp.auth.mechanisms", mechanism);
    settings.put("mail.smtp.dsn.notify", "SUCCESS,FAILURE");
    settings.put("mail.smtp.dsn.ret", "HDRS");
    settings.put("mail.mime.allowutf8", "true");
    Session session = Session.getInstance(settings, new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication("ada", "x");
      }
    });
    MimeMessage message = new MimeMessage(session);
    message.setFrom(new InternetAddress("ada@example.com", "Ada Lovelace"));
    message.setRecipients(Message.RecipientType.TO, "bób@example.com, carol@example.com");
    message.setRecipients(Message.RecipientType.BCC, "hidden@example.com");
    message.setSubject("Grüße: " + mechanism);
    MimeBodyPart text = new MimeBodyPart();
    text.setText("Hällo\n.dot\n", "utf-8");
    MimeBodyPart file = new MimeBodyPart();
    file.setDataHandler(new DataHandler(new ByteArrayDataSource(new byte[] {0, -1, 13, 10}, "application/x-bytes")));
    file.setFileName("ä.bin");
    message.setContent(new MimeMultipart(text, file));
    Transport.send(message);
    return message.getMessageID();
  }
}
