// Writes the documents of the official TOML test suite, and the lists of those that belong to a version, to a folder.
package main

import (
	"log"
	"os"

	tomltest "github.com/toml-lang/toml-test/v2"
)

func main() {
	if err := os.CopyFS(os.Args[1], tomltest.TestCases()); err != nil {
		log.Fatal(err)
	}
}
