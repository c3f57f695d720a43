package quality_test

import (
	"fmt"
	"log"

	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

// How good is FNV-1a if features have consecutive numbers, and these are hashed as decimal text?
func Example() {
	w, err := quality.Generate(quality.WorkloadOptions{Pattern: "consecutive", Weights: "signed"})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"fnv1a64", "xxh64"} {
		family, err := fphash.Lookup(name)
		if err != nil {
			log.Fatal(err)
		}
		hash, err := quality.OfFamily(family, fphash.Dec, 64, fphash.WidenNone)
		if err != nil {
			log.Fatal(err)
		}
		result, err := w.Measure(hash, 0)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s is %s: %.1f of 64 bits, %.1f at cosine 0.9 and above\n", result.Hash, result.Verdict, result.All.Effective.Value, result.Cos90.Effective.Value)
	}
	// Output:
	// fnv1a64 is weak: 7.2 of 64 bits, 8.2 at cosine 0.9 and above
	// xxh64 is good: 65.0 of 64 bits, 64.1 at cosine 0.9 and above
}

// Is Java's String.hashCode good enough for runs of numbers as decimal text, and for words?
func Example_ownHash() {
	family := fphash.FromFunc("java", 32, func(code []uint64, key []byte) {
		var h uint32
		for _, c := range key {
			h = 31*h + uint32(c)
		}
		code[0] = uint64(h)
	})
	numbers, err := quality.OfFamily(family, fphash.Dec, 32, fphash.WidenNone)
	if err != nil {
		log.Fatal(err)
	}
	words, err := quality.OfListedKeys(family, 32, fphash.WidenNone, quality.KeysOf("words"))
	if err != nil {
		log.Fatal(err)
	}
	for _, of := range []struct {
		hash            quality.Hash
		pattern, sketch string
	}{{numbers, "consecutive", "simhash"}, {words, "words", "simhash"}, {words, "words", "hashing"}} {
		w, err := quality.Generate(quality.WorkloadOptions{Pattern: of.pattern, Weights: "unit", Sketch: of.sketch})
		if err != nil {
			log.Fatal(err)
		}
		r, err := w.Measure(of.hash, 0)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s for %s of %s: worth %.1f of %d\n", r.Verdict, r.Sketch, r.Pattern, r.All.Effective.Value, r.Bits)
	}
	// Output:
	// weak for simhash of consecutive: worth 4.8 of 32
	// good for simhash of words: worth 32.0 of 32
	// good for hashing of words: worth 1038.1 of 1024
}

// This hash repeats 16 bits, so 64 bits are worth only 16.
func ExampleOfFunc() {
	hash := quality.OfFunc("mine", 64, func(codes, keys []uint64) error {
		for i, key := range keys {
			x := (key ^ key>>31) * 0x9E3779B97F4A7C15
			x = (x ^ x>>29) * 0xBF58476D1CE4E5B9
			codes[i] = x >> 48 * 0x0001000100010001
		}
		return nil
	})
	w, err := quality.Generate(quality.WorkloadOptions{Pattern: "uniform64", Weights: "unit"})
	if err != nil {
		log.Fatal(err)
	}
	result, err := w.Measure(hash, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f effective bits; %s\n", result.All.Effective.Value, result.Verdict)
	// Output: 16.3 effective bits; weak
}
