module standin.test/snmp

go 1.22

require github.com/gosnmp/gosnmp v1.38.0
