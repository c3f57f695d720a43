package main

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
	joinLine  = regexp.MustCompile(`^(\S.*?) N=(\d+) pairs \d+ (\S+) s\b`)
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
//	LABEL N=SIZE pairs NUMBER VALUE s                              row join/LABEL/n=SIZE, nanoseconds
//
// The probe of joins runs one program in two forms, which print the same label one after the other:
// the second of two such lines is row join/LABEL-2/n=SIZE.
//
// A label is written in lower case and with single hyphens in place of all but letters and digits:
// "AVX-512 VPOPCNTQ+prefetch 4K" is avx-512-vpopcntq-prefetch-4k. It is an error if the text has no
// row, if a value is no number above 0, or if a probe calls its own answer wrong.
func (p *Probes) ReadProbe(r io.Reader, file string) error {
	if p.rows == nil {
		p.rows = map[string]*probe{}
	}
	lines := bufio.NewScanner(r)
	rows, size, before := 0, "", ""
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		if m := sizeLine.FindStringSubmatch(line); m != nil {
			size = m[1]
			continue
		}
		f, ok := takeApart(line, size)
		if !ok {
			continue
		}
		figure, err := strconv.ParseFloat(line[f.from:f.to], 64)
		if err != nil || !(figure > 0 && figure < 1e12) {
			return fmt.Errorf("bars: %s:%d:%d: expected a number above 0, got %q", file, number, utf8.RuneCountInString(line[:f.from])+1, line[f.from:f.to])
		}
		if m := plainLine.FindStringSubmatchIndex(line); m != nil && line[m[6]:] != "" {
			return fmt.Errorf("bars: %s:%d:%d: expected the end of the line, got %q", file, number, utf8.RuneCountInString(line[:m[6]])+1, line[m[6]:])
		}
		if f.name == before && joinLine.MatchString(line) {
			f.name = secondForm(f.name)
		}
		p.add(f, figure)
		before = f.name
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

// found is the row of a line.
type found struct {
	name     string
	from, to int     // where in the line its value stands
	times    float64 // that value: nanoseconds, or MB/s
	rate     bool
}

// takeApart returns the row that a line is of, and false if it is of none.
func takeApart(line, size string) (found, bool) {
	if m := plainLine.FindStringSubmatchIndex(line); m != nil {
		return found{line[m[2]:m[3]], m[4], m[5], 1, false}, true
	}
	if m := hashLine.FindStringSubmatchIndex(line); m != nil {
		return found{"hash/" + label(line[m[2]:m[3]]), m[4], m[5], 1, false}, true
	}
	if m := scanLine.FindStringSubmatchIndex(line); m != nil && size != "" {
		return found{"scan/" + label(line[m[2]:m[3]]) + "/n=" + size, m[4], m[5], 1e3, true}, true
	}
	if m := splitLine.FindStringSubmatchIndex(line); m != nil {
		return found{"split/" + label(line[m[4]:m[5]]) + "/n=" + line[m[2]:m[3]], m[6], m[7], 1e3, true}, true
	}
	if m := joinLine.FindStringSubmatchIndex(line); m != nil {
		return found{"join/" + label(line[m[2]:m[3]]) + "/n=" + line[m[4]:m[5]], m[6], m[7], 1e9, false}, true
	}
	return found{}, false
}

// secondForm is what a join is called that has the name of the one before it.
func secondForm(name string) string {
	label, size, _ := strings.Cut(name, "/n=")
	return label + "-2/n=" + size
}

func label(words string) string {
	return strings.Trim(noWord.ReplaceAllString(strings.ToLower(words), "-"), "-")
}

func (p *Probes) add(f found, value float64) {
	if p.rows[f.name] == nil {
		p.rows[f.name] = &probe{rate: f.rate}
	}
	p.rows[f.name].values = append(p.rows[f.name].values, value*f.times)
}
