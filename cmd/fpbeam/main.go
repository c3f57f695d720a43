// Command fpbeam finds near-duplicates among documents as fphash dedup does, on Apache Beam: on
// this machine, or on another of Beam's runners.
package main

import "os"

func main() {
	os.Exit(exitCode(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr), os.Stderr))
}
