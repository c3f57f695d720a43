package main

import (
	"io"

	"simhashkit/internal/wholefile"
)

// writeTo lets write write the named file, whole or not at all, or to stdout if there is no name.
func writeTo(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "" {
		return write(stdout)
	}
	return wholefile.Write(name, write)
}

// tryOutputs returns why one of the files cannot be written, before any work is done for it. No
// name stands for standard output.
func tryOutputs(names ...string) error {
	for _, name := range names {
		if name == "" {
			continue
		}
		if err := wholefile.Try(name); err != nil {
			return err
		}
	}
	return nil
}
