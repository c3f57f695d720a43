package corpus

import (
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Only records without an id are named by file and number.
func TestNamesOutsideOfAFile(t *testing.T) {
	ids := func(list ...Record) iter.Seq2[Record, error] {
		return func(yield func(Record, error) bool) {
			for _, record := range list {
				if !yield(record, nil) {
					return
				}
			}
		}
	}
	for name, c := range map[string]struct {
		file    string
		records iter.Seq2[Record, error]
		want    []string
	}{
		"one file": {"", ids(Record{ID: []byte("1"), Number: true, MadeUp: true}), []string{"1"}},
		"no ids":   {"a.txt", ids(Record{ID: []byte("1"), Number: true, MadeUp: true}, Record{ID: []byte("3"), Number: true, MadeUp: true}), []string{"a.txt:1", "a.txt:3"}},
		"ids":      {"a.jsonl", ids(Record{ID: []byte("7"), Number: true}, Record{ID: []byte("#2")}), []string{"7", "#2"}},
		"some ids": {"a.jsonl", ids(Record{ID: []byte("#1"), MadeUp: true}, Record{ID: []byte("x")}, Record{ID: []byte("#3"), MadeUp: true}), []string{"a.jsonl:1", "x", "a.jsonl:3"}},
	} {
		var got []string
		for record, err := range withNames(c.records, c.file) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(record.ID))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}
