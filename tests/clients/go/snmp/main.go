// Traps of both versions and informs with gosnmp; prints what the informs were answered with.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gosnmp/gosnmp"
)

var values = []gosnmp.SnmpPDU{
	{Name: ".1.3.6.1.6.3.1.1.4.1.0", Type: gosnmp.ObjectIdentifier, Value: ".1.3.6.1.6.3.1.1.5.5"},
	{Name: ".1.3.6.1.4.1.1.1", Type: gosnmp.Integer, Value: -129},
	{Name: ".1.3.6.1.4.1.1.2", Type: gosnmp.OctetString, Value: "gr\u00fcn"},
	{Name: ".1.3.6.1.4.1.1.3", Type: gosnmp.OctetString, Value: []byte{0, 255}},
	{Name: ".1.3.6.1.4.1.1.4", Type: gosnmp.Counter32, Value: uint32(4294967295)},
	{Name: ".1.3.6.1.4.1.1.5", Type: gosnmp.Counter64, Value: uint64(18446744073709551615)},
	{Name: ".1.3.6.1.4.1.1.6", Type: gosnmp.IPAddress, Value: "192.0.2.4"},
	{Name: ".1.3.6.1.4.1.1.7", Type: gosnmp.OpaqueFloat, Value: float32(3.25)},
}

func open(port uint16, version gosnmp.SnmpVersion) *gosnmp.GoSNMP {
	client := &gosnmp.GoSNMP{
		Target: "127.0.0.1", Port: port, Community: "go", Version: version,
		Timeout: 5 * time.Second, MaxOids: 60,
	}
	if err := client.Connect(); err != nil {
		panic(err)
	}
	return client
}

func main() {
	port, err := strconv.ParseUint(os.Args[1], 10, 16)
	if err != nil {
		panic(err)
	}
	answers := []string{}
	send := func(version gosnmp.SnmpVersion, trap gosnmp.SnmpTrap) {
		client := open(uint16(port), version)
		defer client.Conn.Close()
		answer, err := client.SendTrap(trap)
		kind := "nothing"
		if answer != nil {
			kind = fmt.Sprintf("%d %d", answer.PDUType, len(answer.Variables))
		}
		answers = append(answers, fmt.Sprintf("%s %v", kind, err))
	}
	send(gosnmp.Version1, gosnmp.SnmpTrap{
		Variables: values[1:3], Enterprise: ".1.3.6.1.4.1.1", AgentAddress: "192.0.2.5",
		GenericTrap: 6, SpecificTrap: 7, Timestamp: 300,
	})
	send(gosnmp.Version2c, gosnmp.SnmpTrap{Variables: values})
	send(gosnmp.Version2c, gosnmp.SnmpTrap{Variables: values, IsInform: true})
	_ = json.NewEncoder(os.Stdout).Encode(answers)
}
