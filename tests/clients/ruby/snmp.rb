# The snmp package: a trap of each version and an inform. Prints the error status of the inform as JSON.
require "json"
require "snmp"

port = Integer(ARGV[0])
name = SNMP::VarBind.new("1.3.6.1.2.1.1.5.0", SNMP::OctetString.new("Grüße".b))
SNMP::Manager.open(host: "127.0.0.1", trap_port: port, version: :SNMPv1, community: "rb") do |manager|
  manager.trap_v1("enterprises.9", "192.0.2.3", :linkDown, 0, 4711, [name])
end
SNMP::Manager.open(host: "127.0.0.1", trap_port: port, version: :SNMPv2c, community: "rb") do |manager|
  manager.trap_v2(4711, "1.3.6.1.6.3.1.1.5.3", [name])
  reply = manager.inform(4712, "1.3.6.1.6.3.1.1.5.3", [name])
  puts JSON.generate(reply.error_status)
end
