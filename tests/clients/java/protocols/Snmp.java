// SNMP4J: a trap of version 1, a notification and an inform of version 2c, and an inform of version 3 without security.
// Prints the answer to each inform: its error status and its number of bindings.
// Snmp.java HOST PORT
import org.snmp4j.CommunityTarget;
import org.snmp4j.PDU;
import org.snmp4j.PDUv1;
import org.snmp4j.ScopedPDU;
import org.snmp4j.Snmp;
import org.snmp4j.Target;
import org.snmp4j.UserTarget;
import org.snmp4j.mp.MPv3;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.security.SecurityLevel;
import org.snmp4j.security.SecurityModels;
import org.snmp4j.security.SecurityProtocols;
import org.snmp4j.security.USM;
import org.snmp4j.security.UsmUser;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.IpAddress;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

class Notify {
  static final OID LINK_UP = new OID("1.3.6.1.6.3.1.1.5.4");

  public static void main(String[] args) throws Exception {
    UdpAddress address = new UdpAddress(args[0] + "/" + args[1]);
    Snmp snmp = new Snmp(new DefaultUdpTransportMapping());
    OctetString engine = new OctetString(MPv3.createLocalEngineID());
    SecurityModels.getInstance().addSecurityModel(
        new USM(SecurityProtocols.getInstance().addDefaultProtocols(), engine, 0));
    snmp.listen();
    PDUv1 trap = new PDUv1();
    trap.setType(PDU.V1TRAP);
    trap.setEnterprise(new OID("1.3.6.1.4.1.9"));
    trap.setGenericTrap(PDUv1.ENTERPRISE_SPECIFIC);
    trap.setSpecificTrap(3);
    trap.setAgentAddress(new IpAddress("192.0.2.1"));
    trap.setTimestamp(77);
    snmp.send(trap, community(address, SnmpConstants.version1));
    Target<UdpAddress> second = community(address, SnmpConstants.version2c);
    snmp.send(filled(new PDU(), PDU.TRAP), second);
    inform(snmp, filled(new PDU(), PDU.INFORM), second);
    snmp.getUSM().addUser(new OctetString("ada"), new UsmUser(new OctetString("ada"), null, null, null, null));
    UserTarget<UdpAddress> third = new UserTarget<>();
    third.setAddress(address);
    third.setVersion(SnmpConstants.version3);
    third.setSecurityLevel(SecurityLevel.NOAUTH_NOPRIV);
    third.setSecurityName(new OctetString("ada"));
    third.setTimeout(20_000);
    inform(snmp, filled(new ScopedPDU(), PDU.INFORM), third);
    snmp.close();
  }

  static CommunityTarget<UdpAddress> community(UdpAddress address, int version) {
    CommunityTarget<UdpAddress> target = new CommunityTarget<>(address, new OctetString("public"));
    target.setVersion(version);
    target.setTimeout(20_000);
    return target;
  }

  static PDU filled(PDU pdu, int type) {
    pdu.setType(type);
    pdu.add(new VariableBinding(SnmpConstants.sysUpTime, new TimeTicks(5)));
    pdu.add(new VariableBinding(SnmpConstants.snmpTrapOID, LINK_UP));
    pdu.add(new VariableBinding(new OID("1.3.6.1.2.1.2.2.1.1.7"), new Integer32(7)));
    return pdu;
  }

  static void inform(Snmp snmp, PDU pdu, Target<UdpAddress> target) throws Exception {
    PDU response = snmp.send(pdu, target).getResponse();
    System.out.println(response == null ? "none" : response.getErrorStatus() + " " + response.size());
  }
}
