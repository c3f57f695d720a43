package main

import (
	"fmt"
	"log"
	"simhashkit/fphash"
)

func main() {
	a, _, err := fphash.Sketch64([]uint64{7, 1_000_000_007, 1 << 63}, []float32{0.5, 2, 1.25})
	if err != nil {
		log.Fatal(err) // only for misuse; the status reports an empty vector
	}
	b, _, _ := fphash.Sketch64([]uint64{7, 1_000_000_007, 1 << 63}, []float32{0.5, 2, 1.5})
	fmt.Printf("%016x and %016x: %d bits differ\n", a, b, fphash.Distance64(a, b))
}
