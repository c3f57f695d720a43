// Package text splits texts into features: words, n-grams of words, n-grams of characters, and byte
// shingles.
//
// [New] makes an [Analyzer] from [Options], and [Analyzer.Append] appends the features of a text.
// Features are byte slices, ready for hashing, counting or weighting. [Analyzer.AppendIndices]
// returns the same features as numbers. Options have a text form, such as
// "words,n=1,lang=auto,nfkc,fold", which can be stored with fingerprints. Equal definitions give
// equal features in every program and with every Go toolchain, since characters follow Unicode
// 15.0. Code points not assigned in that version belong to no word and no language, and neither
// NFKC nor case folding changes them.
//
// # Words
//
// Words are the segments of Unicode's UAX #29 that contain a letter or a number: "don't", "3.14"
// and "foo_bar" are one word each; punctuation and emoji are not words. Scripts such as Chinese,
// Japanese, Thai, Lao, Khmer and Burmese have no spaces between words. In a run of such characters,
// every two neighbouring characters form a word; a single character is a word, too. These pairs
// find near-duplicates as well as true words do, and need no dictionary. The rule applies to each
// run, so a text in two languages has the words of both, and a foreign word does not change the
// others.
//
// Package text/zh splits Chinese text with a dictionary. Importing it registers the language. The
// dictionary applies to all texts with lang=zh.
//
// # Normalization
//
// Words and n-grams of characters are taken from valid UTF-8: each invalid byte becomes U+FFFD,
// which belongs to no word. To treat invalid UTF-8 as an error, check for it when reading
// documents. Byte shingles use the original bytes, unless NFKC or Fold is set. NFKC and then case
// folding are applied to the text before it is split.
//
// For byte shingles and n-grams of characters, each run of ASCII white space becomes one space, and
// white space at the beginning and the end is removed. A text of fewer than N words, characters or
// bytes has no features.
package text

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// The kinds of features.
const (
	Words      = "words"
	Characters = "characters"
	Bytes      = "bytes"
)

// auto is the language for texts of any language.
const auto = "auto"

// maxN bounds the length of n-grams.
const maxN = 1000

// Options define the features of a text. The zero value means single words.
type Options struct {
	// Features is Words, Characters or Bytes; empty means Words.
	//
	// Characters are code points, not grapheme clusters: clusters change with every version of
	// Unicode, but definitions must not.
	Features string

	// N is the number of words, characters or bytes in a feature; 0 means 1 word, 3 characters or 8
	// bytes. The words of an n-gram are joined by a space, which occurs in no word.
	N int

	// Language is a language such as "en", or "auto" for texts of any language, in which scripts
	// without spaces are recognized by their letters. Empty means "auto". It applies only to words.
	Language string

	NFKC bool // normalize full-width letters, ligatures, accents and the like
	Fold bool // ignore case

	// Plain ignores the rules of UAX #29: a word is a run of letters and digits with their marks,
	// so don't is two words. Each character of a script without spaces is a word. If more than half
	// of the words of a text are such characters, each character of the other words is a word, too.
	Plain bool

	// Symbols makes each symbol a word, with the marks after it: punctuation, operators, currency
	// signs and emoji. So a<=b has four words. It requires Plain.
	Symbols bool

	// Numbered makes repeated words different features. The second "the" of a text is the feature
	// "the 2", the third "the 3". So the features of a text are a set that is as large as the
	// multiset of its words.
	Numbered bool

	// Stop removes the most common words of the language. It ignores case.
	Stop bool

	// Stem removes the endings of words by the Snowball rules of the language. It also converts
	// words to lower case.
	Stem bool
}

// withDefaults returns the options with empty fields set to their defaults.
func (o Options) withDefaults() Options {
	o.Features = cmp.Or(o.Features, Words)
	if o.N == 0 {
		o.N = map[string]int{Words: 1, Characters: 3, Bytes: 8}[o.Features]
	}
	if o.Features == Words {
		o.Language = cmp.Or(o.Language, auto)
	}
	return o
}

// check returns an error for invalid options. Defaults must be filled in.
func (o Options) check() error {
	switch o.Features {
	case Words:
	case Characters, Bytes:
		if o.Language != "" && o.Language != auto || o.Plain || o.Symbols || o.Numbered || o.Stop || o.Stem {
			return fmt.Errorf("text: %s have no language, plain or numbered words, symbols, stop words or stems: expected features %s for these", o.Features, Words)
		}
	default:
		return o.unknownFeatures()
	}
	if o.Symbols && !o.Plain {
		return fmt.Errorf("text: symbols require plain words: expected plain in %s", o)
	}
	if o.N < 1 || o.N > maxN {
		return fmt.Errorf("text: n is %d, expected 1 to %d", o.N, maxN)
	}
	return nil
}

func (o Options) unknownFeatures() error {
	err := fmt.Errorf("text: unknown features %q: expected %s, %s or %s", o.Features, Words, Characters, Bytes)
	if len(o.Features) == 2 || o.Features == auto { // a language
		err = fmt.Errorf("%w; for a language %s,lang=%s", err, Words, o.Features)
	}
	return err
}

// String returns the definition, such as
// "words,n=2,lang=en,nfkc,fold,plain,symbols,numbered,stop,stem". ParseOptions reads it.
func (o Options) String() string {
	o = o.withDefaults()
	fields := []string{o.Features, "n=" + strconv.Itoa(o.N)}
	if o.Features == Words {
		fields = append(fields, "lang="+o.Language)
	}
	for _, s := range o.switches() {
		if *s.on {
			fields = append(fields, s.name)
		}
	}
	return strings.Join(fields, ",")
}

// namedSwitch is a bool field of Options with its name in a definition.
type namedSwitch struct {
	name string
	on   *bool
}

// switches lists the bool fields in definition order.
func (o *Options) switches() []namedSwitch {
	return []namedSwitch{{"nfkc", &o.NFKC}, {"fold", &o.Fold}, {"plain", &o.Plain}, {"symbols", &o.Symbols}, {"numbered", &o.Numbered}, {"stop", &o.Stop}, {"stem", &o.Stem}}
}

// ParseOptions parses a definition: the features, followed in any order by the fields that differ
// from the zero Options.
func ParseOptions(definition string) (Options, error) {
	fields := strings.Split(definition, ",")
	o := Options{Features: fields[0]}
	seen := map[string]bool{}
	for _, field := range fields[1:] {
		name, value, hasValue := strings.Cut(field, "=")
		if seen[field] || hasValue && seen[name+"="] {
			return Options{}, fmt.Errorf("text: %q occurs twice in the definition %q: expected it once", name, definition)
		}
		seen[field], seen[name+"="] = true, hasValue
		if err := o.set(name, value, hasValue); err != nil {
			return Options{}, fmt.Errorf("text: the definition %q: %w", definition, err)
		}
	}
	if o.Features == "" {
		return Options{}, o.unknownFeatures()
	}
	if err := o.withDefaults().check(); err != nil {
		return Options{}, err
	}
	return o, nil
}

// set sets one field of a definition.
func (o *Options) set(name, value string, hasValue bool) (err error) {
	switch {
	case name == "n" && hasValue:
		if o.N, err = strconv.Atoi(value); err != nil || o.N < 1 {
			return fmt.Errorf("n is %q, expected a number from 1 to %d", value, maxN)
		}
	case name == "lang" && value != "":
		o.Language = value
	case hasValue:
		return fmt.Errorf("unknown field %q, expected n= or lang=", name)
	default:
		for _, s := range o.switches() {
			if s.name == name {
				*s.on = true
				return nil
			}
		}
		return fmt.Errorf("unknown field %q, expected n=, lang=, nfkc, fold, plain, symbols, numbered, stop or stem", name)
	}
	return nil
}
