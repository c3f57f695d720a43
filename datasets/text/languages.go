package text

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"

	"simhashkit/internal/unicode15"
)

// grammar describes a language with spaces between words.
type grammar struct {
	isStop func(word string) bool
	stem   func(word string, stopWordsToo bool) string
}

var grammars = map[string]grammar{
	"en": {english.IsStopWord, english.Stem},
	"es": {spanish.IsStopWord, spanish.Stem},
	"fr": {french.IsStopWord, french.Stem},
	"hu": {hungarian.IsStopWord, hungarian.Stem},
	"no": {norwegian.IsStopWord, norwegian.Stem},
	"ru": {russian.IsStopWord, russian.Stem},
	"sv": {swedish.IsStopWord, swedish.Stem},
}

func withGrammar() string { return strings.Join(slices.Sorted(maps.Keys(grammars)), ", ") }

// Segmenter splits texts of one language into words. It must be safe for concurrent use.
type Segmenter interface {
	// AppendWords appends the words of a text of valid UTF-8 in text order, as slices of the text
	// that do not overlap. The caller removes words without a letter or a number.
	AppendWords(dst [][]byte, text []byte) [][]byte

	// IsStop reports whether a word is one of the most common words of the language.
	IsStop(word string) bool
}

// Dictionaries by language, as registered by other packages.
var (
	registeredMutex sync.Mutex
	registered      = map[string]func() (Segmenter, error){}
)

// Register adds a Segmenter for a language. load is called once, when an Analyzer first needs the
// language. Register panics if the language already exists.
func Register(language string, load func() (Segmenter, error)) {
	registeredMutex.Lock()
	defer registeredMutex.Unlock()
	if _, known := grammars[language]; known || registered[language] != nil || language == auto || language == "" {
		panic(fmt.Sprintf("text: Register: expected a language that is not known yet, got %q", language))
	}
	registered[language] = sync.OnceValues(load)
}

// ErrNoDictionary is returned for a language whose dictionary is not linked into this program. A
// program links it by importing simhashkit/datasets/text/zh.
var ErrNoDictionary = errors.New("this program is built without the dictionary")

// loadDictionary returns the Segmenter of a language.
func loadDictionary(language string) (Segmenter, error) {
	registeredMutex.Lock()
	load := registered[language]
	registeredMutex.Unlock()
	if load == nil {
		return nil, fmt.Errorf("text: lang=%s: %w (lang=auto takes every two neighbouring characters without one)", language, ErrNoDictionary)
	}
	segmenter, err := load()
	if err != nil {
		return nil, fmt.Errorf("text: loading the dictionary of language %q: %w", language, err)
	}
	return segmenter, nil
}

// withDictionary lists the languages for which this module has a dictionary.
var withDictionary = []string{"zh"}

// language is a parsed Options.Language.
type language struct {
	grammar
	dictionary Segmenter // nil for languages with spaces between words
}

// languageOf parses a language name.
func languageOf(name string) (l language, err error) {
	known := false
	if l.grammar, known = grammars[name]; known || name == auto {
		return l, nil
	}
	if !hasDictionary(name) {
		return l, fmt.Errorf("text: unknown language %q: expected %s, which takes words between spaces, and every two neighbouring characters where there are none, or one of %s, %s",
			name, auto, withGrammar(), strings.Join(withDictionary, ", "))
	}
	if l.dictionary, err = loadDictionary(name); err == nil {
		l.isStop = l.dictionary.IsStop
	}
	return l, err
}

// hasDictionary reports whether a dictionary for a language exists, in this program or in this
// module.
func hasDictionary(language string) bool {
	registeredMutex.Lock()
	defer registeredMutex.Unlock()
	return registered[language] != nil || slices.Contains(withDictionary, language)
}

// appendCleaned appends the words of a dictionary that contain a letter or a number. It also splits
// words at spaces, since spaces join the words of n-grams.
func appendCleaned(dst, list [][]byte) [][]byte {
	for _, word := range list {
		for part := range bytes.FieldsFuncSeq(word, unicode15.IsSpace) {
			if kind, _ := kindOf(part); kind != noWord {
				dst = append(dst, part[:len(part):len(part)])
			}
		}
	}
	return dst
}

// Limits for the cache of terms, since texts can have any number of distinct words.
const (
	mostTerms   = 1 << 16
	longestTerm = 64
)

// terms removes stop words and replaces other words by their stems. It caches the result for each
// word, since a lookup is much faster.
type terms struct {
	grammar
	known  map[string][]byte // nil for a stop word
	folder preparer
}

// newTerms returns the rules for stop words and stems in language l.
func newTerms(o Options, l language) (terms, error) {
	var t terms
	if o.Stop {
		if l.isStop == nil {
			return t, fmt.Errorf("text: there are no stop words for lang=%s: expected one of %s, zh", o.Language, withGrammar())
		}
		t.isStop = l.isStop
	}
	if o.Stem {
		if l.stem == nil {
			return t, fmt.Errorf("text: there are no stems for lang=%s: expected one of %s", o.Language, withGrammar())
		}
		t.stem = l.stem
	}
	return t.clone(), nil
}

// clone returns a copy that shares no mutable memory.
func (t terms) clone() terms {
	if t.isStop != nil || t.stem != nil {
		t.known = map[string][]byte{}
		t.folder = newPreparer(Options{Fold: true})
	}
	return t
}

// replace replaces words by their terms.
func (t *terms) replace(words [][]byte) [][]byte {
	if t.known == nil {
		return words
	}
	kept := words[:0]
	for _, word := range words {
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

// learn computes and caches the term of a word. The term of a stop word is nil.
func (t *terms) learn(word []byte) []byte {
	folded := strings.ReplaceAll(string(t.folder.prepare(word)), "’", "'") // as lists and stemmers have it
	_, unassigned := unicode15.IndexUnassigned(word)
	var term []byte
	switch {
	case t.isStop != nil && t.isStop(folded):
	case t.stem != nil && unassigned == 0:
		term = []byte(t.stem(folded, true)) // also converts to lower case
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
