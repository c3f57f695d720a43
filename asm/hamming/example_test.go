package hamming_test

import (
	"fmt"

	"simhashkit/asm/hamming"
)

func ExampleAppendWithin() {
	fingerprints := []uint64{0x0123, 0xFFFF, 0x0121}
	for _, m := range hamming.AppendWithin(nil, fingerprints, []uint64{0x0123}, 3) {
		fmt.Printf("fingerprint %d differs in %d bits\n", m.Index, m.Distance)
	}
	// Output:
	// fingerprint 0 differs in 0 bits
	// fingerprint 2 differs in 1 bits
}

func ExampleAppendWithin_wide() {
	fingerprints := []uint64{ // two of 128 bits each
		1, 2,
		7, 2,
	}
	fmt.Println(hamming.AppendWithin(nil, fingerprints, []uint64{3, 2}, 1))
	// Output: [{0 1} {1 1}]
}

func ExampleAppendWithinBatch() {
	fingerprints, queries := []uint64{0x0123, 0xFFFF, 0x0121}, []uint64{0xFFFE, 0x0123}
	for _, m := range hamming.AppendWithinBatch(nil, fingerprints, queries, 1, 3) {
		fmt.Printf("query %d: fingerprint %d differs in %d bits\n", m.Query, m.Index, m.Distance)
	}
	// Output:
	// query 0: fingerprint 1 differs in 1 bits
	// query 1: fingerprint 0 differs in 0 bits
	// query 1: fingerprint 2 differs in 1 bits
}

func ExampleAppendNear() {
	rows, columns := []uint32{0x0123, 0xFFFF}, []uint32{0xFFFE, 0x0121, 0x0123}
	for _, p := range hamming.AppendNear(nil, rows, columns, 3) {
		fmt.Printf("row %d is near column %d\n", p.Row, p.Column)
	}
	// Output:
	// row 0 is near column 1
	// row 0 is near column 2
	// row 1 is near column 0
}

func ExampleAppendNearPairs() {
	fmt.Println(hamming.AppendNearPairs(nil, []uint32{0x0123, 0xFFFF, 0x0121, 0xFFF8}, 3))
	// Output: [{0 2} {1 3}]
}
