package weights

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/portable"
)

// Table has document frequencies: of how many documents of a corpus each feature is one. It is made
// by a Builder, by Merge or of a file, does not change afterwards, and is for any number of
// goroutines.
type Table struct {
	definition string
	documents  uint64
	missed     uint64
	entries    map[string]*entry
}

// entry is what a table or a builder knows of a feature.
type entry struct {
	documents uint64  // that have it, as counted
	missed    uint64  // that may have it besides, from before it was last forgotten
	last      uint64  // in a builder: the document that was counted last
	idf       float64 // in a table
}

// maxDocuments bounds the numbers of a table: up to it, a float64 holds every one.
const maxDocuments = 1 << 53

// newTable takes entries over.
func newTable(definition string, documents, missed uint64, entries map[string]*entry) *Table {
	t := &Table{definition, documents, missed, entries}
	for _, e := range entries {
		e.idf = t.idf(e.documents)
	}
	return t
}

func (t *Table) idf(documents uint64) float64 {
	return portable.Log(float64(1+t.documents)/float64(1+documents)) + 1
}

// Definition says what the features are, in the words of those who made them.
func (t *Table) Definition() string { return t.definition }

// Documents returns the number of documents.
func (t *Table) Documents() uint64 { return t.documents }

// Len returns the number of features.
func (t *Table) Len() int { return len(t.entries) }

// Missed returns of how many documents at most a feature is one that is not in the table: 0 unless
// the table was bounded, see NewBuilder.
func (t *Table) Missed() uint64 { return min(t.missed, t.documents) }

// Frequency returns of how many documents the feature is one, at least and at most.
func (t *Table) Frequency(feature []byte) (least, most uint64) {
	if e := t.entries[string(feature)]; e != nil {
		return e.documents, min(e.documents+e.missed, t.documents)
	}
	return 0, t.Missed()
}

// IDF returns ln((1+N) / (1+df)) + 1, with the least that df can be: what was forgotten counts as
// rare.
func (t *Table) IDF(feature []byte) float64 {
	if e := t.entries[string(feature)]; e != nil {
		return e.idf
	}
	return t.idf(0)
}

// Check returns an error if the table is not one of features of that definition.
func (t *Table) Check(definition string) error {
	if t.definition == definition {
		return nil
	}
	return fmt.Errorf("weights: a table of document frequencies of %q; expected one of %q, as the features are", t.definition, definition)
}

// Name returns "table=" and a checksum of all that the table holds.
func (t *Table) Name() string {
	digest := xxhash.New()
	_ = t.Write(digest) // fails for lines that are too long only, after the rest
	return fmt.Sprintf("table=%016x", digest.Sum64())
}

// ascending returns the features in ascending order of their bytes.
func (t *Table) ascending() []string {
	features := make([]string, 0, len(t.entries))
	for feature := range t.entries {
		features = append(features, feature)
	}
	slices.Sort(features)
	return features
}

// Merge returns the table of the documents of all tables, which may be parts of a corpus that
// several machines have counted: exactly the table of one pass, unless one of the parts was
// bounded, and then what is missed adds up. More than limit features are pruned as by a Builder; 0
// is no limit. All must be of the same definition.
func Merge(limit int, tables ...*Table) (*Table, error) {
	if len(tables) == 0 {
		return nil, errors.New("weights: merge: expected a table")
	}
	if limit < 0 {
		return nil, fmt.Errorf("weights: merge: limit %d: expected 0 or more", limit)
	}
	var documents, missed uint64
	sums := map[string]*entry{}
	for _, t := range tables {
		if err := t.Check(tables[0].definition); err != nil {
			return nil, err
		}
		if documents+t.documents > maxDocuments {
			return nil, fmt.Errorf("weights: merge: more than %d documents", uint64(maxDocuments))
		}
		documents, missed = documents+t.documents, missed+t.missed
		for feature, e := range t.entries {
			sum := sums[feature]
			if sum == nil {
				sum = &entry{}
				sums[feature] = sum
			}
			// what the other tables may have missed is added below
			sum.documents, sum.missed = sum.documents+e.documents, sum.missed+e.missed-t.missed
		}
	}
	for _, sum := range sums {
		sum.missed += missed
	}
	if limit > 0 && len(sums) > limit {
		missed = prune(sums, keptOf(limit), missed)
	}
	return newTable(tables[0].definition, documents, missed, sums), nil
}
