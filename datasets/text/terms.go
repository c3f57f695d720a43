package text

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/internal/unicode15"
)

// What a terms remembers of words: bounded, since texts have no end of different ones.
const (
	mostTerms   = 1 << 16
	longestTerm = 64
)

// terms leaves out stop words and replaces words by their stems. It remembers what became of a
// word, since both cost far more than looking that up.
type terms struct {
	stop map[string]bool // words of the user's own, folded; nil: none
	grammar
	known  map[string][]byte // nil: a stop word
	folder preparer
}

// newTerms returns the terms of the options.
func newTerms(o Options, l language) (terms, error) {
	var t terms
	if o.Stop {
		if l.isStop == nil {
			return t, fmt.Errorf("text: there are no stop words for lang=%s: expected one of %s, zh, or stop words of your own", o.Language, withGrammar())
		}
		t.isStop = l.isStop
	}
	if o.Stem {
		if l.stem == nil {
			return t, fmt.Errorf("text: there are no stems for lang=%s: expected one of %s", o.Language, withGrammar())
		}
		t.stem = l.stem
	}
	if len(o.StopWords) > 0 {
		p := newPreparer(Options{NFKC: o.NFKC, Fold: true})
		t.stop = map[string]bool{}
		for _, word := range o.StopWords {
			t.stop[lookedUp(&p, []byte(word))] = true
		}
	}
	return t.clone(), nil
}

// clone returns terms that share no memory that changes.
func (t terms) clone() terms {
	if t.stop != nil || t.isStop != nil || t.stem != nil {
		t.known = map[string][]byte{}
		t.folder = newPreparer(Options{Fold: true})
	}
	return t
}

// replace replaces the words from start on.
func (t *terms) replace(dst [][]byte, start int) [][]byte {
	if t.known == nil {
		return dst
	}
	kept := dst[:start]
	for _, word := range dst[start:] {
		term, ok := t.known[string(word)]
		if !ok {
			term = t.learn(word)
		}
		if term != nil {
			kept = append(kept, term)
		}
	}
	return kept
}

// learn returns what becomes of a word, and remembers it.
func (t *terms) learn(word []byte) []byte {
	folded := lookedUp(&t.folder, word)
	var term []byte
	switch {
	case t.stop[folded], t.isStop != nil && t.isStop(folded):
	case t.stem != nil && hasOnlyAssigned(word):
		term = []byte(t.stem(folded, true)) // which makes letters lower-case once more
	default:
		term = slices.Clone(word)
	}
	if len(word) <= longestTerm {
		if len(t.known) == mostTerms {
			clear(t.known)
		}
		t.known[string(word)] = term
	}
	return term
}

// lookedUp returns a word as lists of stop words and rules for stems know it.
func lookedUp(folder *preparer, word []byte) string {
	return strings.ReplaceAll(string(folder.prepare(word)), "’", "'")
}

func hasOnlyAssigned(word []byte) bool {
	_, size := unicode15.IndexUnassigned(word)
	return size == 0
}
