// Package samples reads the samples in benchmark output: results with their units and process runs,
// and failures. It knows which samples have no noise, and which repeat others.
package samples

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// Reader reads the results of several documents, and collects the metadata of their units.
type Reader struct{ reader benchfmt.Reader }

// Records returns the records of a document: results, metadata of units, and lines that do not
// parse. config has keys and values to add to each result. A result is valid until the next one.
func (r *Reader) Records(d *Document, config ...string) iter.Seq2[benchfmt.Record, error] {
	return func(yield func(benchfmt.Record, error) bool) {
		r.reader.Reset(bytes.NewReader(d.Text), d.Name, config...)
		for r.reader.Scan() {
			record := r.reader.Result()
			if result, ok := record.(*benchfmt.Result); ok {
				tidy(result)
			}
			if !yield(record, nil) {
				return
			}
		}
		if err := r.reader.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Results returns the results in an output. A result is valid until the next one.
func (r *Reader) Results(output []byte) iter.Seq[*benchfmt.Result] {
	return func(yield func(*benchfmt.Result) bool) {
		for record := range r.Records(&Document{Text: output}) {
			if result, ok := record.(*benchfmt.Result); ok && !yield(result) {
				return
			}
		}
	}
}

// Exact reports whether one of the documents declares the unit exact: "Unit recall assume=exact".
func (r *Reader) Exact(unit string) bool {
	return r.reader.Units().GetAssumption(unit) == benchmath.AssumeExact
}

// Better returns the better direction of a unit, if a document declares one: "Unit recall
// better=higher".
func (r *Reader) Better(unit string) (direction int, ok bool) {
	if r.reader.Units().Get(unit, "better") == nil {
		return 0, false
	}
	return r.reader.Units().GetBetter(unit), true
}

// tidy converts 0 ns/op to sec/op. benchfmt converts only other values.
func tidy(r *benchfmt.Result) {
	for i, v := range r.Values {
		if v.OrigUnit != "" {
			continue
		}
		if value, unit := benchunit.Tidy(v.Value, v.Unit); unit != v.Unit {
			r.Values[i] = benchfmt.Value{Value: value, Unit: unit, OrigValue: v.Value, OrigUnit: v.Unit}
		}
	}
}

// ErrorField is the field of the head with the error of a benchmark.
const ErrorField = "error"

// Document is the text of a result file, with the information in its lines that are not results.
// Lines count from 1.
type Document struct {
	Name     string            // name in messages
	Text     []byte            // in UTF-8, without a byte order mark
	Head     []benchfmt.Config // lines "# name: value" anywhere in the text
	Failures []Failure         // failed benchmarks, whose results may be missing

	starts []int // lines after which a new process run begins
}

// Failure is a line about a failed benchmark.
type Failure struct {
	Line    int
	Message string
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// NewDocument returns the document of a text. A [Reader] reads its results. It returns an error if
// the text is UTF-16.
func NewDocument(text []byte, name string) (*Document, error) {
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return nil, fmt.Errorf("%s: the file is UTF-16, as old PowerShells write it; expected UTF-8, as by go test ... | Out-File -Encoding utf8 FILE", name)
	}
	d := &Document{Name: name, Text: bytes.TrimPrefix(text, byteOrderMark)}
	d.scan()
	return d, nil
}

// scan reads the lines that are not results.
func (d *Document) scan() {
	number := 0
	var verdicts []Failure
	for line := range bytes.Lines(d.Text) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		if HasPrefix(line, "PASS", "FAIL", "ok  \t", "goos:", "goarch:", "pkg:", "# date:") { // a run ends or begins
			d.starts = append(d.starts, number)
		}
		switch {
		case HasPrefix(line, "# "):
			name, value, found := bytes.Cut(line[2:], []byte(": "))
			if found {
				d.Head = append(d.Head, benchfmt.Config{Key: string(name), Value: value})
			}
			if found && string(name) == ErrorField { // "# error: CASE: MESSAGE"
				d.Failures = append(d.Failures, Failure{number, string(value)})
			}
		case HasPrefix(line, "--- FAIL: ", "FAIL\t", "panic: ", "fatal error: "):
			d.Failures = append(d.Failures, Failure{number, string(line)})
		case string(line) == "FAIL":
			verdicts = append(verdicts, Failure{number, string(line)})
		}
	}
	if len(d.Failures) == 0 { // other lines do not name the failures
		d.Failures = verdicts
	}
}

// Value returns the value of the first field of the head with the name, or "" if there is none.
func (d *Document) Value(name string) string {
	if i := slices.IndexFunc(d.Head, func(f benchfmt.Config) bool { return f.Key == name }); i >= 0 {
		return string(d.Head[i].Value)
	}
	return ""
}

// HasPrefix reports whether a line begins with one of the prefixes.
func HasPrefix(line []byte, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return bytes.HasPrefix(line, []byte(p)) })
}

// Run returns the number of the process run that a line belongs to, from 0 to Runs()-1.
func (d *Document) Run(line int) int {
	n, _ := slices.BinarySearch(d.starts, line)
	return n
}

// Runs returns an upper bound of the number of process runs.
func (d *Document) Runs() int { return len(d.starts) + 1 }

// Repeats reports whether a value repeats another value of the result that is used: go test
// computes the throughput from the time. Judging both would count a change twice.
func Repeats(values []benchfmt.Value, i int, used func(i int) bool) bool {
	if values[i].Unit != "B/s" {
		return false
	}
	time := slices.IndexFunc(values, func(v benchfmt.Value) bool { return v.Unit == "sec/op" })
	return time >= 0 && used(time)
}

// CountsAllocations reports whether a tidied unit counts allocations or allocated bytes.
func CountsAllocations(unit string) bool { return unit == "B/op" || unit == "allocs/op" }

// Relative returns the change from a to b, relative to a.
func Relative(a, b float64) float64 {
	if a == b {
		return 0
	}
	return (b - a) / math.Abs(a)
}

// Mean returns the mean without overflow. The mean of equal values is exact.
func Mean(values []float64) float64 {
	m := 0.0
	for i, v := range values {
		m += v/float64(i+1) - m/float64(i+1)
	}
	return m
}

// Round8 rounds to 8 significant digits, since fused multiplications may change further digits.
func Round8(v float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	if err != nil {
		return v // rounding gave an infinity
	}
	return rounded
}
