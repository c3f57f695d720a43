// Command fphash computes and measures simhash fingerprints of sparse vectors.
package main

import "os"

func main() {
	os.Exit(exitCode(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr), os.Stderr))
}
