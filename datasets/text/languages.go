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
}

// StopWords is implemented by a Segmenter that has a list of the most common words of its language.
type StopWords interface {
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
	if _, known := grammars[language]; known || registered[language] != nil || language == Auto || language == "" {
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
	dictionary   Segmenter            // applies to all texts
	dictionaries map[string]Segmenter // by language; apply to texts of that language
}

// languageOf parses a language name. Auto can be followed by plus signs and the languages whose
// dictionaries apply to texts of their language.
func languageOf(name string) (l language, err error) {
	first, more, _ := strings.Cut(name, "+")
	known := false
	if l.grammar, known = grammars[first]; !known && first != Auto {
		if !hasDictionary(first) {
			return l, fmt.Errorf("text: unknown language %q: expected %s, which takes words between spaces, and every two neighbouring characters where there are none, or one of %s, %s",
				first, Auto, withGrammar(), strings.Join(withDictionary, ", "))
		}
		if more != "" {
			return l, fmt.Errorf("text: the language %q splits all texts with its dictionary: expected nothing after it, got %q", first, name)
		}
		l.dictionary, err = loadDictionary(first)
		if stop, ok := l.dictionary.(StopWords); ok {
			l.isStop = stop.IsStop
		}
		return l, err
	}
	l.dictionaries = map[string]Segmenter{}
	for part := range strings.SplitSeq(more, "+") {
		switch {
		case more == "":
		case !slices.Contains(withDictionary, part):
			return l, fmt.Errorf("text: there is no dictionary for language %q, in %q: expected %s", part, name, strings.Join(withDictionary, " or "))
		default:
			if l.dictionaries[part], err = loadDictionary(part); err != nil {
				return l, err
			}
		}
	}
	return l, nil
}

// usesDictionary reports whether some texts are split with a dictionary.
func (l *language) usesDictionary() bool { return l.dictionary != nil || len(l.dictionaries) > 0 }

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
	stop map[string]bool // the user's own stop words, folded; may be nil
	grammar
	known  map[string][]byte // nil for a stop word
	folder preparer
}

// newTerms returns the rules for stop words and stems in language l.
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

// clone returns a copy that shares no mutable memory.
func (t terms) clone() terms {
	if t.stop != nil || t.isStop != nil || t.stem != nil {
		t.known = map[string][]byte{}
		t.folder = newPreparer(Options{Fold: true})
	}
	return t
}

// replace replaces the words from start on by their terms.
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

// learn computes and caches the term of a word. The term of a stop word is nil.
func (t *terms) learn(word []byte) []byte {
	folded := lookedUp(&t.folder, word)
	var term []byte
	switch {
	case t.stop[folded], t.isStop != nil && t.isStop(folded):
	case t.stem != nil && hasOnlyAssigned(word):
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

// lookedUp returns the form of a word that stop word lists and stemmers use.
func lookedUp(folder *preparer, word []byte) string {
	return strings.ReplaceAll(string(folder.prepare(word)), "’", "'")
}

func hasOnlyAssigned(word []byte) bool {
	_, size := unicode15.IndexUnassigned(word)
	return size == 0
}
