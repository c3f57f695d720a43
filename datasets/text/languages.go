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

// Segmenter cuts texts of one language into words. Several goroutines share it.
type Segmenter interface {
	// AppendWords appends the words of a text of valid UTF-8, as slices of it that do not overlap,
	// in their order. Those without a letter or a number are taken out by the caller.
	AppendWords(dst [][]byte, text []byte) [][]byte
}

// StopWords is implemented by a Segmenter that knows the most common words of its language.
type StopWords interface {
	IsStop(word string) bool
}

// Languages with a dictionary that packages have registered.
var (
	registeredMutex sync.Mutex
	registered      = map[string]func() (Segmenter, error){}
)

// Register makes a language known that a Segmenter cuts into words. It is called when an Analyzer
// first asks for the language, and once. It panics if the language is known already.
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

// withDictionary lists the languages that have a dictionary of this module.
var withDictionary = []string{"zh"}

// language is what Options.Language says.
type language struct {
	grammar
	dictionary   Segmenter            // for all texts
	dictionaries map[string]Segmenter // for those that are of their language
}

// languageOf finds what stands behind a name: a language, and behind plus signs those whose
// dictionaries are used where they fit.
func languageOf(name string) (l language, err error) {
	first, more, _ := strings.Cut(name, "+")
	known := false
	if l.grammar, known = grammars[first]; !known && first != Auto {
		if !hasDictionary(first) {
			return l, fmt.Errorf("text: unknown language %q: expected %s, which takes words between spaces, and every two neighbouring characters where there are none, or one of %s, %s",
				first, Auto, withGrammar(), strings.Join(withDictionary, ", "))
		}
		if more != "" {
			return l, fmt.Errorf("text: the language %q cuts all texts by its dictionary: expected nothing after it, got %q", first, name)
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

// usesDictionary reports whether a dictionary cuts some texts.
func (l *language) usesDictionary() bool { return l.dictionary != nil || len(l.dictionaries) > 0 }

// hasDictionary reports whether there is a dictionary for a language, in this program or in this
// module.
func hasDictionary(language string) bool {
	registeredMutex.Lock()
	defer registeredMutex.Unlock()
	return registered[language] != nil || slices.Contains(withDictionary, language)
}

// appendCleaned appends the words of a dictionary that have a letter or a number in them. A space
// ends a word also where a dictionary has it inside, since n-grams are joined by spaces.
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
