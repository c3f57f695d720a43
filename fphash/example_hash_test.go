package fphash_test

import (
	"fmt"
	"hash/fnv"
	"hash/maphash"
	"log"

	"simhashkit/fphash"
)

// With a secret key, nobody else can construct documents with similar fingerprints.
func ExampleNew_key() {
	key := []byte("these thirty-two bytes are known") // to nobody
	s, err := fphash.New(fphash.Definition{Hash: "highway64", Key: key})
	if err != nil {
		log.Fatal(err)
	}
	words, _, err := fphash.AppendUnit(s, nil, []string{"to", "be", "or", "not"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fphash.Fingerprint(words))
	fmt.Println(s) // identifies the key without revealing it

	_, err = fphash.New(fphash.Definition{Hash: "highway64", Key: key[:16]})
	fmt.Println(err)
	// Output:
	// 19afea0284c01501
	// highway64,le64,64,tie=zero,order=grouped,key#afb74b47ceac085e
	// fphash: hash highway64: key of 16 bytes, expected 32
}

// fnv32a is 32-bit FNV-1a of any number of byte strings at a time.
type fnv32a struct{}

func (fnv32a) sum(code uint64, data ...byte) uint64 {
	for _, b := range data {
		code = (code ^ uint64(b)) * 16777619 & 0xffffffff
	}
	return code
}

func (h fnv32a) HashUint64s(dst, integers []uint64) {
	for i, x := range integers {
		dst[i] = h.sum(2166136261, fphash.LE64.AppendIndex(nil, x)...)
	}
}

func (h fnv32a) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(2166136261, data[start:end]...)
		start = end
	}
}

// This is a user-defined hash that takes many byte strings in one call. Verify checks it.
func ExampleByteHash() {
	family := fphash.Family{
		Name: "fnv1a32", Bits: 32,
		New: func(fphash.Key) (fphash.Hash, error) { return fnv32a{}, nil },
	}
	fmt.Println(family.Verify())
	s, err := fphash.New(fphash.Definition{Bits: 32}, fphash.WithFamily(family))
	if err != nil {
		log.Fatal(err)
	}
	words, _, err := fphash.AppendUnit(s, nil, []string{"word"})
	if err != nil {
		log.Fatal(err)
	}
	want := fnv.New32a()
	want.Write([]byte("word"))
	fmt.Println(words[0] == uint64(want.Sum32())) // one feature: its code
	// Output:
	// <nil>
	// true
}

// Packages with hashes register them in an init function. Then New and Lookup know their
// names. Registering a name twice is an error.
func ExampleRegister() {
	seed := maphash.MakeSeed() // differs in each process: do not store such fingerprints
	for _, name := range []string{"xxh64", "map hash"} {
		err := fphash.Register(fphash.FromFunc(name, 64, func(dst []uint64, data []byte) { dst[0] = maphash.Bytes(seed, data) }))
		fmt.Println(err)
	}
	// Output:
	// fphash: hash xxh64 is registered already
	// fphash: hash name "map hash": expected letters, digits, '-', '_' and '.', because names are used in flags and benchmark names
}

// This definition gives the same fingerprints as github.com/mfonda/simhash, which hashes words with
// FNV-1 and gives 1 for a sum of zero.
func Example_migrationFromMfonda() {
	s, err := fphash.New(fphash.Definition{Hash: "fnv1-64", Tie: fphash.TieOne})
	if err != nil {
		log.Fatal(err)
	}
	// simhash.NewFeature(word) has weight 1.
	words, _, err := fphash.AppendUnit(s, nil, []string{"this", "is", "a", "test", "phrase"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fphash.Fingerprint(words)) // the same as in its documentation

	// Features that are already hashed, by their Sum and Weight.
	hashed, err := fphash.New(fphash.Definition{Hash: "identity", Tie: fphash.TieOne})
	if err != nil {
		log.Fatal(err)
	}
	sums, weights := []uint64{0x8a0d2ee3e8f1c0d5, 0x1b2c3d4e5f607182}, []int{1, 2}
	words, _, err = fphash.Append(hashed, nil, sums, weights)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fphash.Fingerprint(words)) // the hash of the heavier feature
	// Output:
	// 8c3a5f7e9ecb3f35
	// 1b2c3d4e5f607182
}
