package collections

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
)

// Near is the Similarity from which on texts are near-duplicates of which nobody has said whether
// they are, and Apart the one below which texts are none. What is between is not judged.
const Near, Apart = 0.8, 0.7

// Tokens is a text as it is compared: in English its words, else its characters, by number, without
// white space and with upper and lower case alike.
type Tokens struct {
	list   []uint32
	sorted []uint32
	places map[uint32][]uint64 // where each token stands, as bits; made when first needed
}

// Tokenizer numbers tokens.
type Tokenizer struct {
	language string
	numbers  map[string]uint32
}

// NewTokenizer returns a Tokenizer for texts of one language.
func NewTokenizer(language string) *Tokenizer {
	return &Tokenizer{language, map[string]uint32{}}
}

// Tokens cuts a text.
func (t *Tokenizer) Tokens(text string) *Tokens {
	text = strings.ToLower(text)
	var parts []string
	if t.language == English {
		parts = strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	} else {
		parts = strings.Split(strings.Join(strings.Fields(text), ""), "")
	}
	tokens := &Tokens{}
	for _, part := range parts {
		number, ok := t.numbers[part]
		if !ok {
			number = uint32(len(t.numbers))
			t.numbers[part] = number
		}
		tokens.list = append(tokens.list, number)
	}
	tokens.sorted = slices.Clone(tokens.list)
	slices.Sort(tokens.sorted)
	return tokens
}

// Similarity is 2·L / (n+m) for texts of n and m tokens with a longest common subsequence of L: the
// part of both that stays where insertions and deletions turn one into the other. It does not
// depend on any features of texts. What is certain to be less than least may be returned as 0.
func Similarity(a, b *Tokens, least float64) float64 {
	n, m := len(a.list), len(b.list)
	if n+m == 0 {
		return 0
	}
	of := func(common int) float64 { return 2 * float64(common) / float64(n+m) }
	if of(min(n, m)) < least || of(inCommon(a.sorted, b.sorted, int(least*float64(n+m)/2))) < least {
		return 0
	}
	if n < m {
		a, b = b, a
	}
	return of(a.longestCommonSubsequence(b))
}

// inCommon counts what two sorted lists have in common, which no common subsequence exceeds, or
// fewer where that is less than least. It begins with the tokens that appeared last, which are
// rare.
func inCommon(a, b []uint32, least int) (n int) {
	i, j := len(a), len(b)
	for i > 0 && j > 0 && n+min(i, j) >= least {
		switch {
		case a[i-1] > b[j-1]:
			i--
		case a[i-1] < b[j-1]:
			j--
		default:
			n, i, j = n+1, i-1, j-1
		}
	}
	return n
}

// longestCommonSubsequence works on 64 tokens of a at a time, as Hyyrö's algorithm of 2004 does:
// bit i is 0 where the subsequence of what has been read of b and the first i+1 tokens of a is one
// longer than that of the first i.
func (a *Tokens) longestCommonSubsequence(b *Tokens) int {
	words := (len(a.list) + 63) / 64
	if a.places == nil {
		a.places = map[uint32][]uint64{}
		for i, token := range a.list {
			if a.places[token] == nil {
				a.places[token] = make([]uint64, words)
			}
			a.places[token][i/64] |= 1 << (i % 64)
		}
	}
	v := make([]uint64, words)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, token := range b.list {
		match := a.places[token]
		if match == nil {
			continue
		}
		carry := uint64(0)
		for i, row := range v {
			u := row & match[i]
			var sum uint64
			sum, carry = bits.Add64(row, u, carry)
			v[i] = sum | (row &^ u)
		}
	}
	length := 0
	for i, row := range v {
		if rest := len(a.list) - 64*i; rest < 64 {
			row |= ^uint64(0) << rest
		}
		length += bits.OnesCount64(^row)
	}
	return length
}
