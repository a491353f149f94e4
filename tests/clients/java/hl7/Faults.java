import ca.uhn.hl7v2.DefaultHapiContext;
import ca.uhn.hl7v2.HL7Exception;
import ca.uhn.hl7v2.app.Connection;
import ca.uhn.hl7v2.model.Message;
import ca.uhn.hl7v2.model.v25.message.ADT_A01;
import ca.uhn.hl7v2.util.Terser;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Sends messages F0, F1 and so on with HAPI, each over its own connection; prints what came of them. */
public class Faults {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      try (DefaultHapiContext context = new DefaultHapiContext()) {
        Connection connection = context.newClient("127.0.0.1", Integer.parseInt(args[0]), false);
        connection.getInitiator().setTimeout(1, TimeUnit.SECONDS);
        ADT_A01 adt = new ADT_A01();
        adt.initQuickstart("ADT", "A01", "P");
        adt.getMSH().getMessageControlID().setValue("F" + i);
        System.out.println("F" + i + " " + resultOf(connection, adt));
        connection.close();
      }
    }
    System.exit(0);
  }

  private static String resultOf(Connection connection, Message message) throws Exception {
    try {
      Message answer = connection.getInitiator().sendAndReceive(message);
      return answer.getName() + " " + new Terser(answer).get("/MSA-1");
    } catch (HL7Exception | IOException error) {
      return "no response";
    }
  }
}
