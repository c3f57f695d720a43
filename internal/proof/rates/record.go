package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// record is a comparison, a line of the file.
type record struct {
	Index     int    `json:"index"` // from 0
	Benchmark string `json:"benchmark"`
	Extra     int    `json:"extra"`           // percent of extra work of the new side
	Every     int    `json:"every,omitempty"` // that is made in one of so many samples
	Seed      uint64 `json:"seed"`            // of the order of runs

	// What fphash ab says; its exit code 1 is an alarm. A bound that is infinite is absent.
	Exit    int      `json:"exit"`
	Verdict string   `json:"verdict"`
	Change  *float64 `json:"change,omitempty"`
	Lo      *float64 `json:"lo,omitempty"`
	Hi      *float64 `json:"hi,omitempty"`
	Rounds  int      `json:"rounds"`
	Seconds float64  `json:"seconds"`

	// What benchstat says of the naive gate's samples: a change above 0 is worse.
	NaiveP      float64 `json:"naive_p"`
	NaiveChange float64 `json:"naive_change"`
}

// read fills in what fphash ab has written: JSON lines, of which one is a comparison.
func (r *record) read(text []byte) error {
	comparisons := 0
	for line := range bytes.Lines(text) {
		var row struct {
			Type    string                            `json:"type"`
			Verdict string                            `json:"verdict"`
			New     struct{ Runs int }                `json:"new"`
			Effect  struct{ Change, Lo, Hi *float64 } `json:"effect"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("line %q: %w", line, err)
		}
		if row.Type == "comparison" {
			comparisons++
			r.Verdict, r.Rounds = row.Verdict, row.New.Runs
			r.Change, r.Lo, r.Hi = row.Effect.Change, row.Effect.Lo, row.Effect.Hi
		}
	}
	if comparisons != 1 || r.Exit < 0 || r.Exit > 2 {
		return fmt.Errorf("%d comparisons; expected one, and an exit code from 0 to 2", comparisons)
	}
	return nil
}
