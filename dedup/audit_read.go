package dedup

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Stratum is what a labelled sheet says of one distance.
type Stratum struct {
	Distance       int
	Dropped        int // records of the run that are dropped at this distance
	Drawn          int // pairs of the sheet
	Labelled, Same int // of these
}

// ReadSheet reads a sheet that WriteSheet has written and people have labelled, with yes or no (or
// y and n, 1 and 0, true and false, in upper or lower case) in the column same. Pairs without a
// label count for nothing. Columns may have been moved, added and taken away, and be separated by
// commas, semicolons or tabs, as spreadsheets do. Strata come by rising distance. Errors say
// file and line.
func ReadSheet(r io.Reader, name string) ([]Stratum, error) {
	buffered := bufio.NewReader(r)
	if mark, err := buffered.Peek(3); err == nil && string(mark) == "\ufeff" {
		_, _ = buffered.Discard(3) // they are there
	}
	c := csv.NewReader(buffered)
	c.Comma = separator(buffered)
	c.FieldsPerRecord = -1 // some programs leave out empty cells at the end
	header, err := c.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var columns [3]int
	for i, want := range []string{columnSame, columnDistance, columnAll} {
		if columns[i] = slices.Index(header, want); columns[i] < 0 {
			return nil, fmt.Errorf("%s: expected the column %q in the first line of a sheet that --audit wrote", name, want)
		}
	}
	byDistance := map[int]*Stratum{}
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := addRow(byDistance, row, columns); err != nil {
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
	var strata []Stratum
	for _, s := range byDistance {
		strata = append(strata, *s)
	}
	slices.SortFunc(strata, func(a, b Stratum) int { return a.Distance - b.Distance })
	return strata, nil
}

// separator returns what separates the cells of the first line.
func separator(r *bufio.Reader) rune {
	start, _ := r.Peek(r.Size()) // as much as there is
	line, _, _ := strings.Cut(string(start), "\n")
	for _, separator := range ";\t" {
		if strings.Count(line, string(separator)) > strings.Count(line, ",") {
			return separator
		}
	}
	return ','
}

// addRow counts a pair; columns are those of same, distance and dropped_at_distance.
func addRow(byDistance map[int]*Stratum, row []string, columns [3]int) error {
	var cells [3]string
	for i, column := range columns {
		if column < len(row) {
			cells[i] = strings.ToLower(strings.TrimSpace(row[column]))
		}
	}
	distance, err := strconv.Atoi(cells[1])
	if err != nil || distance < 0 {
		return fmt.Errorf("%s %q: expected a whole number", columnDistance, cells[1])
	}
	all, err := strconv.Atoi(cells[2])
	if err != nil || all < 1 {
		return fmt.Errorf("%s %q: expected a whole number above 0", columnAll, cells[2])
	}
	s := byDistance[distance]
	if s == nil {
		s = &Stratum{Distance: distance, Dropped: all}
		byDistance[distance] = s
	}
	if s.Dropped != all {
		return fmt.Errorf("%s %d: expected %d, as of the other pairs of distance %d; one sheet is of one run", columnAll, all, s.Dropped, distance)
	}
	if s.Drawn++; s.Drawn > s.Dropped {
		return fmt.Errorf("%d pairs of distance %d, expected %d at most, as %s says", s.Drawn, distance, all, columnAll)
	}
	switch cells[0] {
	case "":
		return nil
	case "yes", "y", "true", "1":
		s.Same++
	case "no", "n", "false", "0":
	default:
		return fmt.Errorf("%s %q: expected yes, no, or nothing", columnSame, cells[0])
	}
	s.Labelled++
	return nil
}
