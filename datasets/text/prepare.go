package text

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"simhashkit/asm/classes"
	"simhashkit/internal/unicode15"
)

// preparer normalizes texts before features are cut. It holds scratch memory: a result is valid
// until the next call.
type preparer struct {
	nfkc, fold bool
	folder     cases.Caser

	valid, normal, piece, folded []byte
}

func newPreparer(o Options) preparer {
	return preparer{nfkc: o.NFKC, fold: o.Fold, folder: cases.Fold()}
}

// prepare returns the text as valid UTF-8, normalised and folded if asked for: the text itself
// where nothing changes.
func (p *preparer) prepare(text []byte) []byte {
	if !utf8.Valid(text) {
		p.valid = appendValid(slices.Grow(p.valid[:0], len(text)), text)
		text = p.valid
	}
	if p.nfkc && !norm.NFKC.IsNormal(text) {
		p.normal = p.appendNormal(slices.Grow(p.normal[:0], len(text)), text)
		text = p.normal
	}
	if p.fold {
		p.folded = p.appendFolded(slices.Grow(p.folded[:0], len(text)+3*foldedAtOnce), text)
		text = p.folded
	}
	return text
}

// appendValid appends a text with U+FFFD for each byte that is not part of UTF-8, as ranging over
// a string sees it.
func appendValid(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, r)
		text = text[size:]
	}
	return dst
}

// appendNormal appends a text in normal form. Code points that Unicode 15.0 has not assigned are
// cut out: for newer tables some of them are marks, or parts of other characters.
func (p *preparer) appendNormal(dst, text []byte) []byte {
	at, size := unicode15.IndexUnassigned(text)
	if size == 0 {
		return norm.NFKC.Append(dst, text...)
	}
	for ; size > 0; at, size = unicode15.IndexUnassigned(text) {
		// apart from dst, where it would join what ends there
		p.piece = norm.NFKC.Append(p.piece[:0], text[:at]...)
		dst = append(append(dst, p.piece...), text[at:at+size]...)
		text = text[at+size:]
	}
	p.piece = norm.NFKC.Append(p.piece[:0], text...)
	return append(dst, p.piece...)
}

// appendFolded appends a text with its case folded. What is ASCII takes a kernel, many times faster
// than the library; folding looks at one code point at a time, so that cutting the text
// between them changes nothing.
func (p *preparer) appendFolded(dst, text []byte) []byte {
	for len(text) > 0 {
		dst = slices.Grow(dst, len(text))
		size := classes.Lower(dst[len(dst):len(dst)+len(text)], text)
		dst, text = dst[:len(dst)+size], text[size:]
		size = otherPrefix(text)
		dst = p.appendFoldedOther(dst, text[:size])
		text = text[size:]
	}
	return dst
}

// appendFoldedOther appends the folded text by the library, except for code points that Unicode
// 15.0 has not assigned: they stay unchanged.
func (p *preparer) appendFoldedOther(dst, text []byte) []byte {
	for len(text) > 0 {
		at, size := unicode15.IndexUnassigned(text)
		dst = append(p.appendFoldedAssigned(dst, text[:at]), text[at:at+size]...)
		text = text[at+size:]
	}
	return dst
}

func (p *preparer) appendFoldedAssigned(dst, text []byte) []byte {
	for len(text) > 0 {
		// a code point becomes at most three times as long; the library goes on where room ended
		dst = slices.Grow(dst, 2*len(text)+utf8.UTFMax*3)
		p.folder.Reset()
		written, read, _ := p.folder.Transform(dst[len(dst):cap(dst)], text, true)
		dst, text = dst[:len(dst)+written], text[read:]
	}
	return dst
}

// foldedAtOnce is how many bytes other than ASCII are folded at a time, for which there must be
// twice the room.
const foldedAtOnce = 4 << 10

// otherPrefix returns how many bytes other than ASCII a text begins with, or how many of them whole
// code points have that are folded at a time.
func otherPrefix(text []byte) int {
	most := min(len(text), foldedAtOnce)
	for i, b := range text[:most] {
		if b < utf8.RuneSelf {
			return i
		}
	}
	for most < len(text) && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}

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
