package madeup

import (
	"math/rand/v2"
	"strings"
)

// Edit is a way in which a copy differs from its original.
type Edit struct {
	Name   string
	change func(tokens []token, r *rand.Rand) []token
}

// Edits are the kinds of edits. They are equally frequent.
var Edits = []Edit{
	{"none", func(tokens []token, _ *rand.Rand) []token { return tokens }},
	{"layout", layout},
	{"one-word", func(tokens []token, r *rand.Rand) []token { return replace(tokens, r, 1) }},
	{"words-1%", func(tokens []token, r *rand.Rand) []token { return replace(tokens, r, max(2, len(tokens)/100)) }},
	{"words-5%", func(tokens []token, r *rand.Rand) []token { return replace(tokens, r, len(tokens)/20) }},
	{"longer-10%", longer},
}

// layout writes everything in lower case, without punctuation, and breaks lines at other places.
func layout(tokens []token, r *rand.Rand) []token {
	for i := range tokens {
		tokens[i] = token{strings.ToLower(tokens[i].word), []string{" ", " ", " ", "  ", "\n"}[r.IntN(5)]}
	}
	return tokens
}

// replace replaces the words at n random places, some of which may be the same.
func replace(tokens []token, r *rand.Rand, n int) []token {
	for range n {
		tokens[r.IntN(len(tokens))].word = anyWord(r)
	}
	return tokens
}

// longer appends a tenth of the length.
func longer(tokens []token, r *rand.Rand) []token {
	for range len(tokens) / 10 {
		tokens = append(tokens, token{anyWord(r), " "})
	}
	return tokens
}
