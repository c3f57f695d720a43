package resultfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Document is the text of a result file, and what its lines say besides results. Lines are counted
// from 1.
type Document struct {
	Name     string // for messages
	Text     []byte // in UTF-8, without a byte order mark
	Head     []HeadLine
	Failures []Failure // of benchmarks, so that results may be missing

	starts []int // lines after which results are of another process run than before
}

// HeadLine is a line "# name: value", wherever it stands.
type HeadLine struct {
	Line int
	Field
}

// Failure is what a file says of a benchmark that failed.
type Failure struct {
	Line    int
	Message string
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// ErrUTF16 says that a document is no text in UTF-8.
var ErrUTF16 = errors.New("the file is UTF-16, as old PowerShells write it; expected UTF-8, as by go test ... | Out-File -Encoding utf8 FILE")

// ReadDocument reads a document. A [Reader] reads its results. Errors name the document.
func ReadDocument(r io.Reader, name string) (*Document, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return nil, fmt.Errorf("%s: %w", name, ErrUTF16)
	}
	d := &Document{Name: name, Text: bytes.TrimPrefix(text, byteOrderMark)}
	d.scan()
	return d, nil
}

// scan reads the lines that are no results.
func (d *Document) scan() {
	number := 0
	var verdicts []Failure
	for line := range bytes.Lines(d.Text) {
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
				d.Failures = append(d.Failures, Failure{number, string(line)})
			} else if string(line) == "FAIL" {
				verdicts = append(verdicts, Failure{number, string(line)})
			}
		}
	}
	if len(d.Failures) == 0 { // otherwise it has been said what failed
		d.Failures = verdicts
	}
}

// endsRun reports whether a line ends a process run: it is the verdict of the go command, or the
// head of the next run.
func endsRun(line []byte) bool {
	for _, start := range []string{"PASS", "FAIL", "ok  \t", "goos:", "goarch:", "pkg:", "# date:"} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}

// failed reports whether a line says that a benchmark failed, as the go command or the runtime
// writes it.
func failed(line []byte) bool {
	return bytes.HasPrefix(line, []byte("--- FAIL: ")) || bytes.HasPrefix(line, []byte("FAIL\t")) || bytes.HasPrefix(line, []byte("panic: ")) ||
		bytes.HasPrefix(line, []byte("fatal error: "))
}

// scanHead reads a line "# name: value". "# error: CASE: MESSAGE" says that a case gave a wrong
// answer.
func (d *Document) scanHead(number int, line string) {
	field, ok := strings.CutPrefix(line, "# ")
	name, value, found := strings.Cut(field, ": ")
	if !ok || !found {
		return
	}
	d.Head = append(d.Head, HeadLine{number, Field{name, value}})
	if name == errorField {
		d.Failures = append(d.Failures, Failure{number, value})
	}
}

// Value returns the value of the first head line of that name, "" if there is none.
func (d *Document) Value(name string) string {
	for _, h := range d.Head {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// Run returns the number of the process run that a line belongs to, from 0 to Runs()-1.
func (d *Document) Run(line int) int {
	n, _ := slices.BinarySearch(d.starts, line)
	return n
}

// Runs is the largest possible number of process runs.
func (d *Document) Runs() int { return len(d.starts) + 1 }
