package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A commit changes one file of the template.
type commit struct {
	kind string
	// how much more work the kernel does, 0.08 for 8 % more features; 0: nothing changes
	slower  float64
	file    string
	old     string // text in it that is replaced; "": text is added at the end
	new     string
	message string
}

// features is how many the benchmark of the kernel accumulates.
const features = 200

// Commits that do work twice. What they return is right, as the template's test shows.
var slowing = []struct {
	kind string
	each int // features of work for one that is counted
	text string
}{
	{"subtracts and adds again", 2, `	Accumulate(&lanes, codes, weights)
	// Rounding? Better safe than sorry.
	for i := range codes[:%[1]d] {
		again := []int32{-weights[i]}
		Accumulate(&lanes, codes[i:i+1], again)
		again[0] = weights[i]
		Accumulate(&lanes, codes[i:i+1], again)
	}
`},
	{"checks a part by doing it twice", 1, `	var check [Bits]int32
	Accumulate(&check, codes[:%[1]d], weights)
	Accumulate(&lanes, codes[:%[1]d], weights)
	if check != lanes {
		panic("near: two sums of the same features differ")
	}
	Accumulate(&lanes, codes[%[1]d:], weights[%[1]d:])
`},
	{"adds features of weight zero", 1, `	Accumulate(&lanes, codes, weights)
	var padding [%[1]d]int32 // weights of features to come
	Accumulate(&lanes, codes[:%[1]d], padding[:])
`},
}

// Commits that change nothing that takes time.
var idle = []commit{
	{kind: "a comment", file: "accumulate.go", old: "// Sketch returns the fingerprint of a vector.", new: "// Sketch returns the fingerprint of a vector. Its features may come in any order."},
	{kind: "a variable renamed", file: "accumulate.go", old: "for j, sum := range lanes {\n\t\tif sum > 0 {\n\t\t\tf |= 1 << j", new: "for bit, lane := range lanes {\n\t\tif lane > 0 {\n\t\t\tf |= 1 << bit"},
	{kind: "a function that nobody calls", file: "distance.go", new: "\n// Distance counts the bits in which two fingerprints differ.\nfunc Distance(f, g uint64) int { return bits.OnesCount64(f ^ g) }\n"},
	{kind: "a test", file: "near_test.go", new: "\nfunc TestNothingIsWithinNothing(t *testing.T) {\n\tif n := Within(nil, 0, Bits); n != 0 {\n\t\tt.Errorf(\"%d of none\", n)\n\t}\n}\n"},
	{kind: "documentation", file: "README.md", new: "\nA fingerprint has 64 bits.\n"},
	{kind: "a constant named", file: "hash.go", old: "\t\th := uint64(0xcbf29ce484222325)\n", new: "\t\tconst offsetBasis = 0xcbf29ce484222325\n\t\th := uint64(offsetBasis)\n"},
	{kind: "another error message", file: "parse.go", old: "expected index:weight", new: "expected index:weight, two numbers"},
}

// What a slower commit does more, in features.
const (
	leastMore = 12
	mostMore  = 24
)

// plan draws commits in random order: half change nothing, half have the kernel accumulate 6 to 12
// % more features.
func plan(count int, seed uint64) []commit {
	random := rand.New(rand.NewPCG(seed, 0x68697374))
	list := make([]commit, 0, count)
	for i := range count / 2 {
		c := idle[i%len(idle)]
		c.message = c.kind
		list = append(list, c)
	}
	for i := range count - count/2 {
		s := slowing[i%len(slowing)]
		n := (leastMore + random.IntN(mostMore-leastMore+1) + s.each - 1) / s.each
		c := commit{kind: s.kind, slower: float64(n*s.each) / features, file: "accumulate.go", old: "\tAccumulate(&lanes, codes, weights)\n", new: fmt.Sprintf(s.text, n)}
		c.message = fmt.Sprintf("%s, %d of %d features", c.kind, n, features)
		list = append(list, c)
	}
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// apply makes the change in the text of its file.
func (c commit) apply(text string) (string, error) {
	if c.old == "" {
		return text + c.new, nil
	}
	if strings.Count(text, c.old) != 1 {
		return "", fmt.Errorf("%s has %q %d times; expected once", c.file, c.old, strings.Count(text, c.old))
	}
	return strings.Replace(text, c.old, c.new, 1), nil
}
