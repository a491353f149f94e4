import ca.uhn.hl7v2.DefaultHapiContext;
import ca.uhn.hl7v2.app.Connection;
import ca.uhn.hl7v2.app.Initiator;
import ca.uhn.hl7v2.llp.ExtendedMinLowerLayerProtocol;
import ca.uhn.hl7v2.model.Message;
import ca.uhn.hl7v2.model.v25.message.ADT_A01;
import ca.uhn.hl7v2.util.Terser;

/** Sends messages with HAPI over one connection; prints what each was answered with. */
public class Send {
  public static void main(String[] args) throws Exception {
    try (DefaultHapiContext context = new DefaultHapiContext()) {
      // The one that writes in the character set of MSH-18.
      context.setLowerLayerProtocol(new ExtendedMinLowerLayerProtocol());
      Connection connection = context.newClient("127.0.0.1", Integer.parseInt(args[0]), false);
      Initiator initiator = connection.getInitiator();
      for (int i = 0; i < 50; i++) {
        ADT_A01 adt = new ADT_A01();
        adt.initQuickstart("ADT", "A01", "P");
        adt.getMSH().getSendingApplication().getNamespaceID().setValue("HAPI");
        adt.getMSH().getMessageControlID().setValue("H" + i);
        adt.getMSH().getCharacterSet(0).setValue(i % 2 == 0 ? "UNICODE UTF-8" : "8859/1");
        adt.getPID().getPatientName(0).getFamilyName().getSurname().setValue("O|Brien & S\u00f8n^");
        adt.getPID().getPatientIdentifierList(0).getIDNumber().setValue("4711");
        print(initiator.sendAndReceive(adt));
      }
      Message custom = context.getPipeParser().parse(
          "MSH$*%?!$A$B$C$D$20240101$$ADT*A01*ADT_A01$OWN$P$2.5\rEVN$A01$20240101\rPID$1\rPV1$1$I\r");
      print(initiator.sendAndReceive(custom));
      connection.close();
    }
    System.exit(0);
  }

  private static void print(Message answer) throws Exception {
    Terser terser = new Terser(answer);
    System.out.println(answer.getName() + " " + terser.get("/MSA-1") + " " + terser.get("/MSA-2"));
  }
}
