// JSch, and Apache MINA SSHD without EdDSA: neither has Ed25519. Each stores, renames, lists and reads a file.
// Prints a line for each: the type of the host key, the size, and whether the same bytes came back.
// Move.java HOST PORT
import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.Session;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClientFactory;

class Move {
  static final byte[] BYTES = new byte[300_000];

  public static void main(String[] args) throws Exception {
    new Random(1).nextBytes(BYTES);
    jsch(args[0], Integer.parseInt(args[1]));
    mina(args[0], Integer.parseInt(args[1]));
  }

  static void jsch(String host, int port) throws Exception {
    Session session = new JSch().getSession("ada", host, port);
    session.setPassword("x");
    session.setConfig("StrictHostKeyChecking", "no");
    session.connect(10_000);
    ChannelSftp sftp = (ChannelSftp) session.openChannel("sftp");
    sftp.connect(10_000);
    sftp.put(new ByteArrayInputStream(BYTES), "/jsch.part");
    sftp.mkdir("/jsch");
    sftp.rename("/jsch.part", "/jsch/done");
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    sftp.get("/jsch/done", got);
    String key = session.getHostKey().getType();
    System.out.println(key + " " + sftp.stat("/jsch/done").getSize() + " " + Arrays.equals(got.toByteArray(), BYTES));
    session.disconnect();
  }

  static void mina(String host, int port) throws Exception {
    PublicKey[] shown = new PublicKey[1];
    try (SshClient client = SshClient.setUpDefaultClient()) {
      client.setServerKeyVerifier((session, address, key) -> (shown[0] = key) != null);
      client.start();
      try (ClientSession session = client.connect("ada", host, port).verify(Duration.ofSeconds(10)).getSession()) {
        session.addPasswordIdentity("x");
        session.auth().verify(Duration.ofSeconds(10));
        try (SftpClient sftp = SftpClientFactory.instance().createSftpClient(session)) {
          try (var out = sftp.write("/mina.part")) {
            out.write(BYTES);
          }
          sftp.mkdir("/mina");
          sftp.rename("/mina.part", "/mina/done");
          byte[] got;
          try (var in = sftp.read("/mina/done")) {
            got = in.readAllBytes();
          }
          String key = shown[0].getAlgorithm();
          System.out.println(key + " " + sftp.stat("/mina/done").getSize() + " " + Arrays.equals(got, BYTES));
        }
      }
    }
  }
}
