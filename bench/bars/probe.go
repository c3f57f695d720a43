package bars

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"simhashkit/bench/gobench/resultfile"
)

// Probes holds what programs outside of this module, written to find the limits of a machine, have
// measured. The zero value is empty and ready to use.
type Probes struct {
	rows map[string]*probe
}

// probe is one row, in the order in which the files were read.
type probe struct {
	rate   bool      // MB/s; else nanoseconds
	values []float64 // one for each time the row was read
}

// median of the values, in nanoseconds or MB/s.
func (p *probe) median() float64 { return resultfile.NewFigure(p.values).Median }

// The lines that are understood. Names of rows that a probe writes as words become words joined by
// hyphens.
var (
	plainLine = regexp.MustCompile(`^probe/(\S+)\s+(\S+)\s*(.*)$`)
	hashLine  = regexp.MustCompile(`^(\S.*?)\s+min\s+\S+\s+median\s+(\S+)\s+ns/key`)
	sizeLine  = regexp.MustCompile(`^N=(\d+) \(`)
	scanLine  = regexp.MustCompile(`^\s+(\S.*?)\s+1T: med\s+\S+ us\s+(\S+) GB/s`)
	splitLine = regexp.MustCompile(`^N=(\d+) (\S.*?)\s+hits \d+ median \S+ us\s+(\S+) GB/s`)
	noWord    = regexp.MustCompile(`[^a-z0-9]+`)
)

// ReadProbe adds what a probe has printed; a row that comes again, in the same text or in another,
// counts by the median of all. It understands these lines and passes over all others:
//
//	probe/NAME VALUE                                             row NAME, nanoseconds
//	LABEL  min VALUE  median VALUE ns/key                        row hash/LABEL, nanoseconds
//	N=SIZE (...  followed by  LABEL  1T: med VALUE us VALUE GB/s   row scan/LABEL/n=SIZE, by the one thread's median
//	N=SIZE LABEL hits NUMBER median VALUE us VALUE GB/s            row split/LABEL/n=SIZE
//
// A label is written in lower case and with single hyphens in place of all but letters and digits:
// "AVX-512 VPOPCNTQ+prefetch 4K" is avx-512-vpopcntq-prefetch-4k. It is an error if the text has no
// row, if a value is no number above 0, or if a probe calls its own answer wrong.
func (p *Probes) ReadProbe(r io.Reader, file string) error {
	if p.rows == nil {
		p.rows = map[string]*probe{}
	}
	lines := bufio.NewScanner(r)
	rows, size := 0, ""
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		if m := sizeLine.FindStringSubmatch(line); m != nil {
			size = m[1]
			continue
		}
		name, value, at, rate := takeApart(line, size)
		if name == "" {
			continue
		}
		figure, err := strconv.ParseFloat(value, 64)
		if err != nil || !(figure > 0 && figure < 1e12) {
			return fmt.Errorf("bars: %s:%d:%d: expected a number above 0, got %q", file, number, utf8.RuneCountInString(line[:at])+1, value)
		}
		if m := plainLine.FindStringSubmatchIndex(line); m != nil && line[m[6]:] != "" {
			return fmt.Errorf("bars: %s:%d:%d: expected the end of the line, got %q", file, number, utf8.RuneCountInString(line[:m[6]])+1, line[m[6]:])
		}
		p.add(name, figure, rate)
		rows++
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("bars: %s: %w", file, err)
	}
	if rows == 0 {
		return fmt.Errorf("bars: %s: expected the output of a probe, such as lines \"probe/NAME VALUE\", got none", file)
	}
	return nil
}

// takeApart returns the row that a line is of; at is where the value begins. The name is "" if the
// line is none of a row.
func takeApart(line, size string) (name, value string, at int, rate bool) {
	if m := plainLine.FindStringSubmatchIndex(line); m != nil {
		return line[m[2]:m[3]], line[m[4]:m[5]], m[4], false
	}
	if m := hashLine.FindStringSubmatchIndex(line); m != nil {
		return "hash/" + label(line[m[2]:m[3]]), line[m[4]:m[5]], m[4], false
	}
	if m := scanLine.FindStringSubmatchIndex(line); m != nil && size != "" {
		return "scan/" + label(line[m[2]:m[3]]) + "/n=" + size, line[m[4]:m[5]], m[4], true
	}
	if m := splitLine.FindStringSubmatchIndex(line); m != nil {
		return "split/" + label(line[m[4]:m[5]]) + "/n=" + line[m[2]:m[3]], line[m[6]:m[7]], m[6], true
	}
	return "", "", 0, false
}

func label(words string) string {
	return strings.Trim(noWord.ReplaceAllString(strings.ToLower(words), "-"), "-")
}

func (p *Probes) add(name string, value float64, rate bool) {
	if rate {
		value *= 1e3 // GB/s
	}
	if p.rows[name] == nil {
		p.rows[name] = &probe{rate: rate}
	}
	p.rows[name].values = append(p.rows[name].values, value)
}
