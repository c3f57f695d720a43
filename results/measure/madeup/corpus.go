// Package madeup generates documents with known near-duplicates, for measurements.
//
// Document i depends only on i. Nine of ten documents are original texts, with sentences and
// paragraphs of words whose frequency is proportional to 1/rank. The others are edited copies of an
// earlier document.
package madeup

import (
	"math/rand/v2"
	"sort"
	"strconv"
)

// vocabulary is the number of different words.
const vocabulary = 50_000

// ranks has the cumulative frequencies of words up to each rank, as integers, which are the same on
// every machine.
var ranks = func() []uint64 {
	sums := make([]uint64, vocabulary)
	sum := uint64(0)
	for i := range sums {
		sum += 1 << 40 / uint64(i+1)
		sums[i] = sum
	}
	return sums
}()

// words has the word of each rank, made of syllables. Rarer words have more syllables.
var words = func() []string {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	list := make([]string, vocabulary)
	for i := range list {
		var word []byte
		for n := i + 1; n > 0; n /= len(consonants) * len(vowels) {
			n--
			word = append(word, consonants[n/len(vowels)%len(consonants)], vowels[n%len(vowels)])
		}
		if i%3 == 0 {
			word = append(word, "nstr"[i/3%4])
		}
		list[i] = string(word)
	}
	return list
}()

// source returns the random numbers for one use of document i.
func source(i int, use uint64) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), use)) }

const (
	useText = iota
	useCopy
	useEdit
)

func anyWord(r *rand.Rand) string {
	x := r.Uint64N(ranks[vocabulary-1])
	return words[sort.Search(vocabulary, func(i int) bool { return ranks[i] > x })]
}

// original returns an original text, as words with the text that follows each.
func original(i int) []token {
	r := source(i, useText)
	tokens := make([]token, 120+r.IntN(240))
	left := 0 // remaining words of the sentence
	for j := range tokens {
		t := token{anyWord(r), " "}
		if left == 0 {
			left = 6 + r.IntN(14)
			t.word = string(t.word[0]-'a'+'A') + t.word[1:]
		}
		switch left--; {
		case left == 0 && r.IntN(5) == 0:
			t.behind = ".\n"
		case left == 0:
			t.behind = ". "
		case r.IntN(12) == 0:
			t.behind = ", "
		}
		tokens[j] = t
	}
	tokens[len(tokens)-1].behind = ".\n"
	return tokens
}

type token struct{ word, behind string }

// Planted returns which document i is a copy of, and by which edit. It returns -1 if document i is
// original.
func Planted(i int) (of int, e Edit) {
	r := source(i, useCopy)
	if i < 10 || r.IntN(10) > 0 {
		return -1, Edit{}
	}
	e = Edits[r.IntN(len(Edits))]
	for of = r.IntN(i); of > 0; of-- {
		if source(of, useCopy).IntN(10) > 0 {
			break
		}
	}
	return of, e
}

// Append appends the text of document i.
func Append(dst []byte, i int) []byte {
	of, e := Planted(i)
	tokens := []token(nil)
	if of < 0 {
		tokens = original(i)
	} else {
		tokens = e.change(original(of), source(i, useEdit))
	}
	for _, t := range tokens {
		dst = append(append(dst, t.word...), t.behind...)
	}
	return dst
}

// ID returns the id of document i.
func ID(i int) string { return "d" + strconv.Itoa(i) }
