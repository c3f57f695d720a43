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
	number := func(id string) Record { return Record{ID: []byte(id), Number: true} }
	text := func(id string) Record { return Record{ID: []byte(id)} }
	leftOut := func() int { return 1 }
	for name, c := range map[string]struct {
		run     Run
		file    string
		records iter.Seq2[Record, error]
		want    []string
	}{
		"one file":         {Run{Numbered: true}, "", ids(number("1"), number("2")), []string{"1", "2"}},
		"no ids":           {Run{Numbered: true}, "a.txt", ids(number("1"), number("3")), []string{"a.txt:1", "a.txt:3"}},
		"ids":              {Run{}, "a.jsonl", ids(number("7"), text("x"), text("#1")), []string{"7", "x", "#1"}},
		"some ids":         {Run{}, "a.jsonl", ids(text("#1"), text("x"), text("#3")), []string{"a.jsonl:1", "x", "a.jsonl:3"}},
		"records left out": {Run{LeftOut: leftOut}, "a.jsonl", ids(text("#2"), text("x"), text("#1")), []string{"a.jsonl:2", "x", "#1"}},
	} {
		var got []string
		for record, err := range c.run.withNames(c.records, c.file) {
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
