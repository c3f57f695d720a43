package fphash_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc64"
	"log"

	"simhashkit/fphash"
)

// The common case takes one call.
func Example() {
	indices := []uint64{3, 17, 1 << 40} // dimensions
	weights := []float32{2, 1, 0.5}     // values in these dimensions
	fingerprint, _, err := fphash.Sketch64(indices, weights)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%016x\n", fingerprint)
	// Output: 87b8166da7ec4841
}

func ExampleSketch64() {
	a, _, _ := fphash.Sketch64([]uint32{10, 20, 30, 40, 50}, []float64{5, 3, 2, 1, 1})
	b, _, _ := fphash.Sketch64([]uint32{10, 20, 30, 40, 60}, []float64{5, 3, 2, 1, 1})
	c, _, _ := fphash.Sketch64([]uint32{11, 21, 31, 41, 51}, []float64{5, 3, 2, 1, 1})
	fmt.Println("similar:", fphash.Distance64(a, b), "unrelated:", fphash.Distance64(a, c))
	// Output: similar: 10 unrelated: 31
}

func ExampleSketchUnit64() {
	fingerprint, status, err := fphash.SketchUnit64([]uint64{1, 2, 3})
	fmt.Printf("%016x, %v, %v\n", fingerprint, status, err)
	fingerprint, status, err = fphash.SketchUnit64([]uint64{}) // no error: a document may be empty
	fmt.Printf("%016x, %v, %v\n", fingerprint, status, err)
	// Output:
	// 8fa91e45a6ec0991, informative, <nil>
	// 0000000000000000, no information, <nil>
}

func ExampleNew() {
	s, err := fphash.New(fphash.Definition{Hash: "highway256", Bits: 256, Tie: fphash.TieOne})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s, s.Bits(), s.Words())

	_, err = fphash.New(fphash.Definition{Bits: 5000})
	fmt.Println(err)
	// Output:
	// highway256,le64,256,tie=one,order=grouped 256 4
	// fphash: 5000 bits, expected 1 to 4096
}

func ExampleAppend() {
	s, err := fphash.New(fphash.Definition{Hash: "md5", Bits: 128})
	if err != nil {
		log.Fatal(err)
	}
	var fingerprints []uint64 // one after the other, s.Words() words each
	for _, v := range []struct {
		indices []uint64
		weights []int32
	}{
		{[]uint64{1, 2, 3}, []int32{4, 5, 6}},
		{[]uint64{1, 2, 4}, []int32{4, 5, -1}},
	} {
		if fingerprints, _, err = fphash.Append(s, fingerprints, v.indices, v.weights); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(len(fingerprints), "words,", fphash.Distance(fingerprints[:2], fingerprints[2:]), "bits differ")
	// Output: 4 words, 33 bits differ
}

func ExampleAppendBatch() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	// Three vectors in compressed sparse row form: the second has no features.
	offsets := []int{0, 3, 3, 5}
	indices := []uint32{1, 5, 9, 1, 5}
	weights := []int32{1, 2, 3, 1, 2}
	fingerprints, status, err := fphash.AppendBatch(s, nil, nil, offsets, indices, weights)
	if err != nil {
		log.Fatal(err)
	}
	for i, f := range fingerprints {
		fmt.Printf("%016x %v\n", f, status[i])
	}
	// Output:
	// 910c400a1444c98c informative
	// 0000000000000000 no information
	// 89be0b2dd5c2593d informative
}

func ExampleAccumulator() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	morning, evening := fphash.NewAccumulator[int64](s), fphash.NewAccumulator[int64](s)
	if err := errors.Join(
		fphash.Add(morning, 3, uint64(7)), // one feature of weight 3
		fphash.Add(morning, 1, []uint64{1, 2, 3}...),
		fphash.AddVector(evening, []uint64{7, 8}, []int64{-1, 2}),
		morning.Merge(evening),
	); err != nil {
		log.Fatal(err)
	}
	day, status := morning.Append(nil)
	fmt.Printf("%016x %v\n", day[0], status)

	// One pass gives the same: integer weights depend neither on the order nor on the split.
	once, _, _ := fphash.Sketch64([]uint64{1, 2, 3, 7, 8}, []int64{1, 1, 1, 2, 2})
	fmt.Println(day[0] == once)
	// Output:
	// 8ab48c416aec2455 informative
	// true
}

// Words can be features directly, without a vocabulary.
func ExampleAppend_words() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	a, _, err := fphash.Append(s, nil, []string{"alien", "area51", "grey", "saucer", "usa"}, []float64{4, 2, 1, 3, 5})
	if err != nil {
		log.Fatal(err)
	}
	b, _, err := fphash.Append(s, nil, []string{"alien", "area51", "saucer", "usa", "weather"}, []float64{4, 2, 3, 5, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%016x %016x: %d bits differ\n", a[0], b[0], fphash.Distance(a, b))
	// Output: 89b964f07fca0c9b 08b964f05fca0c9f: 4 bits differ
}

func ExampleNew_widen() {
	s, err := fphash.New(fphash.Definition{Hash: "xxh64", Bits: 256, Widen: fphash.WidenMix})
	if err != nil {
		log.Fatal(err)
	}
	f, _, err := fphash.AppendUnit(s, nil, []uint64{1, 2, 3})
	fmt.Println(fphash.Fingerprint(f).Hex(256), err)

	_, err = fphash.New(fphash.Definition{Hash: "fnv1a64", Bits: 128, Widen: fphash.WidenCounter})
	fmt.Println(err)
	// Output:
	// 9e23754a47d0d3d62e23e51f7e1a890bec568b8cde224bcc8fa91e45a6ec0991 <nil>
	// fphash: widening counter does not suit fnv1a64: with this hash, bits of different blocks repeat, complement each other or correlate; use mix
}

func ExampleFamily_Widen() {
	f, err := fphash.Lookup("md5")
	if err != nil {
		log.Fatal(err)
	}
	wide, err := f.Widen(fphash.WidenCounter, 512)
	fmt.Println(wide.Name, wide.Bits, wide.Words(), err, wide.Verify())
	fmt.Println(f.Widenings())
	// Output:
	// md5-counter 512 8 <nil> <nil>
	// [counter mix]
}

func ExampleAdd() {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	a := fphash.NewAccumulator[int64](s)
	for word := range bytes.FieldsSeq([]byte("to be or not to be")) {
		if err := fphash.Add(a, 1, word); err != nil {
			log.Fatal(err)
		}
	}
	f, status := a.Append(nil)
	fmt.Printf("%016x %v\n", f[0], status)

	counted, _, _ := fphash.Sketch64([]string{"be", "not", "or", "to"}, []int64{2, 1, 1, 2})
	fmt.Println(f[0] == counted)
	// Output:
	// 0a0e834030138948 informative
	// true
}

func ExampleFromFunc() {
	table := crc64.MakeTable(crc64.ECMA)
	own := fphash.FromFunc("crc64", 64, func(dst []uint64, key []byte) { dst[0] = crc64.Checksum(key, table) })
	s, err := fphash.New(fphash.Definition{Encoding: fphash.Dec}, fphash.WithFamily(own))
	if err != nil {
		log.Fatal(err)
	}
	f, _, err := fphash.AppendUnit(s, nil, []uint64{12345})
	fmt.Printf("%016x %v\n", f[0], err)
	fmt.Printf("%016x\n", crc64.Checksum([]byte("12345"), table)) // one feature: its code
	// Output:
	// 5da746ffa5045ce9 <nil>
	// 5da746ffa5045ce9
}

func ExampleCosine() {
	a, _, _ := fphash.SketchUnit64([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	b, _, _ := fphash.SketchUnit64([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 11})
	d := fphash.Distance64(a, b)
	fmt.Printf("%d of 64 bits, cosine about %.2f (exactly: 0.90)\n", d, fphash.Cosine(d, 64))
	// Output: 8 of 64 bits, cosine about 0.92 (exactly: 0.90)
}

func ExampleParseHex() {
	f, err := fphash.ParseHex("2b", 6)
	fmt.Println(f, err, f.Bit(5), f.Bit(4))
	fmt.Println(f.Hex(6), string(f.AppendHex(nil, 64)))
	_, err = fphash.ParseHex("6b", 6)
	fmt.Println(err)
	// Output:
	// 000000000000002b <nil> true false
	// 2b 000000000000002b
	// fphash: fingerprint "6b": column 1: '6' sets a bit above the width of 6 bits
}

func ExampleLookup() {
	f, err := fphash.Lookup("highway128")
	fmt.Println(f.Name, f.Bits, f.KeyBytes, err)
	fmt.Println(f.Verify())
	_, err = fphash.Lookup("xxhash")
	fmt.Println(err)
	// Output:
	// highway128 128 32 <nil>
	// <nil>
	// fphash: unknown hash "xxhash"; did you mean "xxh64"? fphash kernels lists the hashes
}
