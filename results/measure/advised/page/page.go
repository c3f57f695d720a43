// Package page keeps samples of what fphash was advised to drop, and writes the table of them.
package page

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"simhashkit/dedup"
	"simhashkit/internal/english"
	"simhashkit/results/measure/marks"
)

// Sample is a pair of which one would be dropped for the other.
type Sample struct {
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

// Write writes samples as CSV; Read reads them.
func Write(w io.Writer, samples []Sample) error {
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

// Read reads what Write has written, behind lines that begin with #.
func Read(r io.Reader) (samples []Sample, err error) {
	c := csv.NewReader(r)
	c.Comment = '#'
	rows, err := c.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || !slices.Equal(rows[0], columns) {
		return nil, fmt.Errorf("expected the columns %s", strings.Join(columns, ", "))
	}
	for i, row := range rows[1:] {
		s := Sample{Collection: row[0], Command: row[2], Kept: row[3], Dropped: row[4], Same: row[8] == "yes"}
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

// Blocks lists the table.
var Blocks = []marks.Block{{Name: "advised", Write: table}}

// table shows the precision of each command on each collection.
func table(root, file string) (string, error) {
	f, err := os.Open(filepath.Join(root, file))
	if err != nil {
		return "", err
	}
	defer f.Close()
	samples, err := Read(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	out := "| texts | | `fphash dedup` | drops | labelled | the same | of all that is dropped |\n| --- | ---: | --- | ---: | ---: | ---: | ---: |\n"
	for len(samples) > 0 {
		n := slices.IndexFunc(samples, func(s Sample) bool {
			return s.Collection != samples[0].Collection || s.Command != samples[0].Command
		})
		if n < 0 {
			n = len(samples)
		}
		out += row(samples[:n])
		samples = samples[n:]
	}
	return out, nil
}

// row is the line of one command.
func row(samples []Sample) string {
	byDistance := map[int]*dedup.Stratum{}
	same, dropped := 0, 0
	for _, s := range samples {
		stratum := byDistance[s.Distance]
		if stratum == nil {
			stratum = &dedup.Stratum{Distance: s.Distance, Dropped: s.DroppedAtDistance}
			byDistance[s.Distance] = stratum
			dropped += s.DroppedAtDistance
		}
		stratum.Labelled++
		if s.Same {
			stratum.Same++
			same++
		}
	}
	var strata []dedup.Stratum
	for _, s := range byDistance {
		strata = append(strata, *s)
	}
	slices.SortFunc(strata, func(a, b dedup.Stratum) int { return a.Distance - b.Distance })
	precision, _ := dedup.PrecisionOf(strata...)
	flags := "as it comes"
	if _, advised, ok := strings.Cut(samples[0].Command, " --id id "); ok {
		flags = "`" + advised + "`"
	}
	return fmt.Sprintf("| %s | %d | %s | %d | %d | %s%% | %v |\n", samples[0].Collection, samples[0].Documents, flags, dropped, len(samples), english.Hundred(float64(same)/float64(len(samples))), precision)
}
