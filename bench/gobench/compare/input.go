package compare

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Input is a file of results.
type Input struct {
	Label  string    // its column, if columns are files; inputs with the same label share one
	Name   string    // for messages
	Reader io.Reader // read to the end
}

// document is the text of an input with what its lines say outside of benchmark results.
type document struct {
	Input
	text []byte
	// lines, counted from 1, after which results are of another process run than before
	starts   []int
	head     map[string]string // of the first line "# name: value" of each name
	failures []failure
}

// failure is what a file says of a benchmark that failed.
type failure struct {
	line    int
	message string
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// readDocument reads an input. Results are looked at later.
func readDocument(in Input) (*document, error) {
	text, err := io.ReadAll(in.Reader)
	if err != nil {
		return nil, fmt.Errorf("compare: %s: %w", in.Name, err)
	}
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return nil, fmt.Errorf("compare: %s: the file is UTF-16, as old PowerShells write it; expected UTF-8, as by go test ... | Out-File -Encoding utf8 FILE", in.Name)
	}
	d := &document{Input: in, text: bytes.TrimPrefix(text, byteOrderMark), head: map[string]string{}}
	d.scan()
	return d, nil
}

// scan notes what stands between the results.
func (d *document) scan() {
	number := 0
	var verdicts []failure
	for line := range bytes.Lines(d.text) {
		number++
		if line[0] == 'B' && bytes.HasPrefix(line, []byte("Benchmark")) {
			continue // most lines are results
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			continue
		}
		if endsRun(line) {
			d.starts = append(d.starts, number)
		}
		switch line[0] {
		case '#':
			d.scanHead(number, string(line))
		case 'F', '-', 'p', 'f':
			if failed(line) {
				d.failures = append(d.failures, failure{number, string(line)})
			} else if string(line) == "FAIL" {
				verdicts = append(verdicts, failure{number, string(line)})
			}
		}
	}
	if len(d.failures) == 0 { // otherwise it has been said what failed
		d.failures = verdicts
	}
}

// endsRun reports whether a line shows that the process that gave the results above it has ended:
// the go command's verdict, or the head of the next run.
func endsRun(line []byte) bool {
	for _, start := range []string{"PASS", "FAIL", "ok  \t", "goos:", "goarch:", "pkg:", "# date:"} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}

// failed reports whether a line says that a benchmark failed, so that results may be missing, in
// the words of the go command and of the runtime.
func failed(line []byte) bool {
	return bytes.HasPrefix(line, []byte("--- FAIL: ")) || bytes.HasPrefix(line, []byte("FAIL\t")) || bytes.HasPrefix(line, []byte("panic: ")) ||
		bytes.HasPrefix(line, []byte("fatal error: "))
}

// scanHead reads a line "# name: value". "# error: CASE: MESSAGE" is how fphash bench says that a
// case gave a wrong answer.
func (d *document) scanHead(number int, line string) {
	name, value, ok := strings.Cut(strings.TrimPrefix(line, "# "), ": ")
	switch {
	case !ok || !strings.HasPrefix(line, "# "):
	case name == "error":
		d.failures = append(d.failures, failure{number, value})
	default:
		if _, known := d.head[name]; !known {
			d.head[name] = value
		}
	}
}

// run returns a number for the process run that a line of results belongs to, from 0 to
// len(d.starts).
func (d *document) run(line int) int {
	n, _ := slices.BinarySearch(d.starts, line)
	return n
}

// nothingIn explains why a document has no results.
func (d *document) nothingIn() error {
	if bytes.HasPrefix(bytes.TrimSpace(d.text), []byte("{")) {
		return errors.New("no benchmark results, but JSON; expected the output of go test -bench without -json")
	}
	return errors.New("no benchmark results; expected lines like: BenchmarkName 1000 12.5 ns/op")
}
