package compare

import (
	"bytes"
	"errors"
	"io"
)

// Input is a file of results.
type Input struct {
	Label  string    // its column, if columns are files; inputs with the same label share one
	Name   string    // for messages
	Reader io.Reader // read to the end
}

// nothingIn explains why a text has no results.
func nothingIn(text []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return errors.New("no benchmark results, but JSON; expected the output of go test -bench without -json")
	}
	return errors.New("no benchmark results; expected lines like: BenchmarkName 1000 12.5 ns/op")
}
