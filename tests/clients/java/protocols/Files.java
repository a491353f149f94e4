// Apache Commons Net over FTP, in both modes and within TLS, and over TFTP; sshj over SFTP. Prints a line for each.
// Files.java HOST FTP_PORT SFTP_PORT TFTP_PORT
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.schmizz.sshj.SSHClient;
import net.schmizz.sshj.sftp.SFTPClient;
import net.schmizz.sshj.transport.verification.PromiscuousVerifier;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPSClient;
import org.apache.commons.net.tftp.TFTP;
import org.apache.commons.net.tftp.TFTPClient;
import org.apache.commons.net.util.TrustManagerUtils;

class Move {
  static final byte[] BYTES = new byte[300_000];

  public static void main(String[] args) throws Exception {
    new Random(1).nextBytes(BYTES);
    String host = args[0];
    int[] ports = Arrays.stream(args).skip(1).mapToInt(Integer::parseInt).toArray();
    ftp(new FTPClient(), host, ports[0], "clear");
    FTPSClient secure = new FTPSClient("TLS", false);
    secure.setTrustManager(TrustManagerUtils.getAcceptAllTrustManager());
    ftp(secure, host, ports[0], "tls");
    sftp(host, ports[1]);
    tftp(host, ports[2]);
  }

  static void ftp(FTPClient ftp, String host, int port, String name) throws Exception {
    ftp.setControlEncoding("UTF-8");
    ftp.setDefaultTimeout(20_000);
    ftp.setDataTimeout(Duration.ofSeconds(20));
    ftp.connect(host, port);
    check(ftp.login("ada", "x"), "login");
    if (ftp instanceof FTPSClient secure) {
      secure.execPBSZ(0);
      secure.execPROT("P");
    }
    ftp.enterLocalPassiveMode();
    ftp.setFileType(FTP.BINARY_FILE_TYPE);
    check(ftp.storeFile(name + ".ä", new ByteArrayInputStream(BYTES)), "STOR");
    check(ftp.makeDirectory(name), "MKD");
    String path = name + "/b";
    check(ftp.rename(name + ".ä", path), "RNTO");
    check(ftp.appendFile(path, new ByteArrayInputStream(BYTES, 0, 10)), "APPE");
    check(ftp.setModificationTime(path, "20200102030405"), "MFMT");
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    check(ftp.retrieveFile(path, got), "RETR");
    boolean same = Arrays.equals(Arrays.copyOf(got.toByteArray(), BYTES.length), BYTES);
    FTPFile listed = ftp.listFiles(name)[0];
    ftp.setRestartOffset(BYTES.length);
    int rest;
    try (InputStream in = ftp.retrieveFileStream(path)) {
      rest = in.readAllBytes().length;
    }
    check(ftp.completePendingCommand(), "226");
    if (name.equals("clear")) ftp.enterLocalActiveMode();
    List<String> names = List.of(ftp.listNames(name));
    System.out.println(String.join(" ", name, String.valueOf(same), ftp.getModificationTime(path), ftp.getSize(path),
        listed.getName(), String.valueOf(listed.getSize()), String.valueOf(listed.isFile()), String.valueOf(rest),
        names.toString(), String.valueOf(ftp.hasFeature("MLST")), String.valueOf(ftp.retrieveFile("missing", got)),
        String.valueOf(ftp.getReplyCode())));
    check(ftp.logout(), "QUIT");
    ftp.disconnect();
  }

  static void sftp(String host, int port) throws Exception {
    Path folder = Files.createTempDirectory("sshj");
    Path[] files = {folder.resolve("a"), folder.resolve("b")};
    try (SSHClient ssh = new SSHClient()) {
      ssh.addHostKeyVerifier(new PromiscuousVerifier());
      ssh.connect(host, port);
      ssh.authPassword("ada", "x");
      Files.write(files[0], BYTES);
      try (SFTPClient sftp = ssh.newSFTPClient()) {
        sftp.put(files[0].toString(), "/sshj.part");
        sftp.mkdir("/sshj");
        sftp.rename("/sshj.part", "/sshj/done");
        sftp.get("/sshj/done", files[1].toString());
        boolean same = Arrays.equals(Files.readAllBytes(files[1]), BYTES);
        System.out.println("sftp " + same + " " + sftp.ls("/sshj").size() + " " + sftp.stat("/sshj/done").getSize());
      }
    } finally {
      for (Path file : files) Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  static void tftp(String host, int port) throws Exception {
    TFTPClient tftp = new TFTPClient();
    tftp.setDefaultTimeout(Duration.ofSeconds(20));
    tftp.open();
    tftp.sendFile("bytes.tftp", TFTP.BINARY_MODE, new ByteArrayInputStream(BYTES), host, port);
    tftp.sendFile("lines.tftp", TFTP.ASCII_MODE, new ByteArrayInputStream("a\nb\r\n".getBytes()), host, port);
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    int count = tftp.receiveFile("bytes.tftp", TFTP.BINARY_MODE, got, InetAddress.getByName(host), port);
    System.out.println("tftp " + count + " " + Arrays.equals(got.toByteArray(), BYTES));
    tftp.close();
  }

  static void check(boolean isDone, String command) {
    if (!isDone) throw new IllegalStateException(command + " was refused");
  }
}
