package quality

import (
	"fmt"
	"strings"
	"sync"

	"simhashkit/internal/bench/terms"
)

// KeysOf returns the strings of "words" (made up), "fields" (field=value pairs, as in click logs)
// or "wordpairs", in the order of their numbers. For other patterns, it returns nil. See
// OfListedKeys.
func KeysOf(pattern string) []string {
	switch pattern {
	case terms.Words:
		return vocabulary()
	case terms.Fields:
		return fields()
	case terms.WordPairs:
		return wordPairs()
	}
	return nil
}

const listedKeys = 1 << 16 // number of keys of each pattern of strings

// vocabulary returns made-up words of one to four syllables, some with an ending, so that many
// words differ in one letter or in the ending, as in a natural language.
var vocabulary = sync.OnceValue(func() []string {
	onsets := strings.Fields("b c d f g h j k l m n p r s t v w st tr pr ch sh th pl cr")
	vowels := strings.Fields("a e i o u ea ou ai")
	codas := []string{"", "", "n", "r", "s", "t", "l", "nd", "ck"}
	endings := []string{"", "", "", "s", "ed", "ing", "er", "ly"}
	return distinctKeys(1, func(r random) string {
		var word strings.Builder
		for range 1 + r.below(2) + r.below(3) {
			word.WriteString(onsets[r.below(uint64(len(onsets)))] + vowels[r.below(uint64(len(vowels)))] + codas[r.below(uint64(len(codas)))])
		}
		return word.String() + endings[r.below(uint64(len(endings)))]
	})
})

// fields returns field=value pairs of a click log: identifiers of eight hexadecimal digits, and
// numbers.
var fields = sync.OnceValue(func() []string {
	identifiers := strings.Fields("site_id app_id device_id device_ip ad_id user_id page_id campaign_id")
	return distinctKeys(2, func(r random) string {
		if r.below(2) == 0 {
			return fmt.Sprintf("%s=%08x", identifiers[r.below(uint64(len(identifiers)))], uint32(r.Uint64()))
		}
		return fmt.Sprintf("C%d=%d", 14+r.below(8), r.below(100_000))
	})
})

var wordPairs = sync.OnceValue(func() []string {
	words := vocabulary()[:4096]
	return distinctKeys(3, func(r random) string {
		return words[r.below(uint64(len(words)))] + " " + words[r.below(uint64(len(words)))]
	})
})

func distinctKeys(list uint64, draw func(r random) string) []string {
	r, known := newRandom(0, forKeys, list), map[string]bool{}
	keys := make([]string, 0, listedKeys)
	for len(keys) < listedKeys {
		if key := draw(r); !known[key] {
			known[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}
