// The last version of the NATS server that is too old, as its own program runs it.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/nats-io/nats-server/v2/server"
)

func main() {
	flags := flag.NewFlagSet("nats-server", flag.ExitOnError)
	options, err := server.ConfigureOptions(flags, os.Args[1:], server.PrintServerAndExit, flags.Usage, server.PrintTLSHelpAndDie)
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	if options.CheckConfig {
		fmt.Println("the configuration is valid")
		return
	}
	running, err := server.NewServer(options)
	if err != nil {
		server.PrintAndDie(err.Error())
	}
	running.ConfigureLogger()
	if err := server.Run(running); err != nil {
		server.PrintAndDie(err.Error())
	}
	running.WaitForShutdown()
}
