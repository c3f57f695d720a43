package families_test

import (
	"fmt"
	"log"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

func Example() {
	s, err := fphash.New(fphash.WithHash("siphash"), fphash.WithKey([]byte("sixteen byte key")))
	if err != nil {
		log.Fatal(err)
	}
	f, status, err := fphash.Append(s, nil, []string{"words", "of", "a", "text"}, []float32{1, 2, 2, 1})
	fmt.Printf("%016x, %v, %v\n", f[0], status, err)
	// Output: 03f9cb280348019d, informative, <nil>
}
