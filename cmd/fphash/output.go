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
