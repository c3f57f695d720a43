package text

import (
	"fmt"
	"unicode/utf8"

	"simhashkit/internal/english"
	"simhashkit/internal/unicode15"
)

// Choice describes how a text is classified, and why.
type Choice struct {
	Language string // "zh" or "ja", judged by the letters; else empty
	ByWords  bool   // a dictionary splits the text
	Letters  int    // number of letters of all scripts
	Unspaced int    // number of letters of scripts without spaces between words
	Han      int    // number of Chinese characters
	Kana     int    // number of kana (Japanese syllables)
}

// Choose classifies a text.
func (a *Analyzer) Choose(text []byte) Choice {
	c := a.language.choose(a.prepare(text))
	c.ByWords = a.language.dictionary != nil || a.language.dictionaries[c.Language] != nil
	return c
}

// add counts a non-ASCII letter.
func (c *Choice) add(r rune) {
	switch {
	case !IsUnspaced(r):
		if unicode15.IsLetter(r) {
			c.Letters++
		}
		return
	case r >= 0x3041 && r <= 0x30FF, unicode15.IsKana(r), r == 'ｰ':
		c.Kana++
	case unicode15.IsHan(r):
		c.Han++
	}
	c.Letters++
	c.Unspaced++
}

// String returns the choice as a sentence.
func (c Choice) String() string {
	switch {
	case c.ByWords && c.Language == "":
		return "words by the dictionary that was asked for"
	case c.ByWords:
		return fmt.Sprintf("words by dictionary: %s", c.why())
	case c.Unspaced == 0:
		return "words by UAX #29: no letters of scripts without spaces"
	}
	return fmt.Sprintf("words by UAX #29, and every two neighbouring characters where there are no spaces: %s", c.why())
}

func (c Choice) why() string {
	share := func(n int) string { return english.Hundred(float64(n) / float64(c.Letters)) }
	return fmt.Sprintf("%s%% of the letters are Chinese characters, %s%% kana", share(c.Han), share(c.Kana))
}

// choose counts letters and classifies the text. A text is Chinese or Japanese if at least half of
// its letters are Chinese characters or kana. It is Japanese if at least a tenth of these are kana:
// Chinese texts quote a few kana, and Japanese texts have more.
func (l *language) choose(text []byte) (c Choice) {
	for at := 0; at < len(text); {
		if b := text[at]; b < utf8.RuneSelf {
			c.Letters += int(classesOf[b] & letter)
			at++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		c.add(r)
		at += size
	}
	if 2*(c.Han+c.Kana) >= c.Letters && c.Han+c.Kana > 0 {
		c.Language = "zh"
		if 10*c.Kana >= c.Han+c.Kana {
			c.Language = "ja"
		}
	}
	return c
}
