package main

import (
	"fmt"
	"log"

	"simhashkit/fphash"
)

func main() {
	// The common case: xxh64, 64 bits.
	fingerprint, status, err := fphash.Sketch64([]uint64{7, 1_000_000_007, 1 << 63}, []float32{0.5, 2, 1.25})
	if err != nil {
		log.Fatal(err) // misuse only: an empty vector has a status, and no error
	}
	fmt.Printf("%016x is %v\n", fingerprint, status)

	// Everything else: choose the definition once. Goroutines may share the Sketcher.
	s, err := fphash.New(fphash.WithHash("md5"), fphash.WithBits(128))
	if err != nil {
		log.Fatal(err)
	}
	words, _, err := fphash.Append(s, nil, []string{"to", "be", "or", "not"}, []int{2, 2, 1, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s, "gives", fphash.Fingerprint(words))

	// Many vectors in compressed sparse row form (CSR), on all cores.
	offsets := []int32{0, 3, 6}
	indices := []uint32{1, 5, 9, 1, 5, 9}
	weights := []float64{1, 2, 3, 1, 2, 2.5}
	words, _, err = fphash.AppendBatch(s, nil, nil, offsets, indices, weights)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("bits that differ:", fphash.Distance(words[0:2], words[2:4]))
}
