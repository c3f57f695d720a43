package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// sample is a pair of which one would be dropped for the other.
type sample struct {
	Collection        string
	Documents         int
	Command           string
	Kept, Dropped     string
	Distance          int
	DroppedAtDistance int // of all that the command drops
	Similarity        float64
	Same              bool
}

var columns = []string{"collection", "documents", "command", "kept", "dropped", "distance", "dropped_at_distance", "similarity", "same"}

// writeSamples writes samples as CSV; readSamples reads them.
func writeSamples(w io.Writer, samples []sample) error {
	c := csv.NewWriter(w)
	if err := c.Write(columns); err != nil {
		return err
	}
	for _, s := range samples {
		same := "no"
		if s.Same {
			same = "yes"
		}
		err := c.Write([]string{
			s.Collection, strconv.Itoa(s.Documents), s.Command, s.Kept, s.Dropped, strconv.Itoa(s.Distance), strconv.Itoa(s.DroppedAtDistance),
			strconv.FormatFloat(s.Similarity, 'f', 3, 64), same,
		})
		if err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// readRows reads a CSV file, behind lines that begin with #, whose first row is its columns.
func readRows(path string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := csv.NewReader(f)
	c.Comment = '#'
	rows, err := c.ReadAll()
	if err == nil && (len(rows) == 0 || !slices.Equal(rows[0], columns) && !slices.Equal(rows[0], outcomeColumns)) {
		err = fmt.Errorf("expected the columns %s, or %s", strings.Join(columns, ", "), strings.Join(outcomeColumns, ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}

// readSamples reads what writeSamples has written.
func readSamples(rows [][]string) (samples []sample, err error) {
	for i, row := range rows[1:] {
		s := sample{Collection: row[0], Command: row[2], Kept: row[3], Dropped: row[4], Same: row[8] == "yes"}
		for at, to := range map[int]*int{1: &s.Documents, 5: &s.Distance, 6: &s.DroppedAtDistance} {
			if *to, err = strconv.Atoi(row[at]); err != nil {
				return nil, fmt.Errorf("sample %d: %w", i+1, err)
			}
		}
		if s.Similarity, err = strconv.ParseFloat(row[7], 64); err != nil {
			return nil, fmt.Errorf("sample %d: %w", i+1, err)
		}
		samples = append(samples, s)
	}
	return samples, nil
}
