package main

import (
	"fmt"
	"math/bits"
	"slices"

	"simhashkit/internal/similarity"
)

// text is a text as its words, in order and sorted.
type text struct {
	content       string
	words, sorted []uint64
}

// distinct returns the texts whose words differ from those of all earlier texts. Every program
// finds equal texts, so they would hide which near-duplicates a program misses. Texts without words
// are omitted, too.
func distinct(contents []string, limit int) (texts []text) {
	hasher := similarity.NewWordHasher(false)
	seen := map[string]bool{}
	for _, content := range contents {
		words := hasher.Append(nil, []byte(content))
		if key := fmt.Sprint(words); len(words) > 0 && !seen[key] && len(texts) < limit {
			seen[key] = true
			texts = append(texts, text{content, words, slices.Sorted(slices.Values(words))})
		}
	}
	return texts
}

// kept holds the kept texts, by their numbers of words.
type kept struct {
	texts    []text
	byLength map[int][]int
	longest  int
}

func (k *kept) add(i int) {
	n := len(k.texts[i].words)
	k.byLength[n] = append(k.byLength[n], i)
	k.longest = max(k.longest, n)
}

// similar returns a kept text whose similarity to text i is at least s, or -1. It compares the text
// with all kept texts whose lengths and common words allow that similarity.
func (k *kept) similar(i int, s float64) int {
	a := k.texts[i]
	for n := int(s * float64(len(a.words))); n <= min(k.longest, int(float64(len(a.words))/s)+1); n++ {
		longer := max(n, len(a.words))
		if float64(min(n, len(a.words)))/float64(longer) < s {
			continue
		}
		need := longer
		for float64(need-1)/float64(longer) >= s {
			need--
		}
		for _, j := range k.byLength[n] {
			b := k.texts[j]
			if haveInCommon(a.sorted, b.sorted, need) && commonSubsequence(a.words, b.words) >= need {
				return j
			}
		}
	}
	return -1
}

// greedy processes the texts in order and drops each that is similar to a kept one. For each text,
// it returns the kept text that it is similar to, or -1.
func greedy(texts []text, s float64) []int {
	k := kept{texts: texts, byLength: map[int][]int{}}
	of := make([]int, len(texts))
	for i := range texts {
		if of[i] = k.similar(i, s); of[i] < 0 {
			k.add(i)
		}
	}
	return of
}

// right counts the dropped texts that are similar to one that is not dropped.
func right(texts []text, dropped []bool, s float64) (count int) {
	k := kept{texts: texts, byLength: map[int][]int{}}
	for i := range texts {
		if !dropped[i] {
			k.add(i)
		}
	}
	for i := range texts {
		if dropped[i] && k.similar(i, s) >= 0 {
			count++
		}
	}
	return count
}

// haveInCommon reports whether two sorted lists have at least need equal elements.
func haveInCommon(a, b []uint64, need int) bool {
	for need > 0 {
		if len(a) < need || len(b) < need {
			return false
		}
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			a, b, need = a[1:], b[1:], need-1
		}
	}
	return true
}

// commonSubsequence returns the length of the longest common subsequence. It uses the plain bit
// vectors of Hyyrö, 2004, without the bounds of package similarity.
func commonSubsequence(a, b []uint64) int {
	at := map[uint64][]int{}
	for i, word := range a {
		at[word] = append(at[word], i)
	}
	v, match := make([]uint64, len(a)/64+1), make([]uint64, len(a)/64+1)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, word := range b {
		if at[word] == nil {
			continue
		}
		for _, i := range at[word] {
			match[i/64] |= 1 << (i % 64)
		}
		carry := uint64(0)
		for i := range v {
			u := v[i] & match[i]
			var sum uint64
			sum, carry = bits.Add64(v[i], u, carry)
			v[i] = sum | v[i]&^match[i]
		}
		for _, i := range at[word] {
			match[i/64] = 0
		}
	}
	ones := 0
	for i := range len(a) {
		ones += int(v[i/64] >> (i % 64) & 1)
	}
	return len(a) - ones
}
