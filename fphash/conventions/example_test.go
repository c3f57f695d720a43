package conventions_test

import (
	"fmt"
	"log"

	"simhashkit/fphash/conventions"
)

// This adds a fingerprint to an archive of github.com/mfonda/simhash, with words and whole weights.
func ExampleAppend() {
	c, err := conventions.Lookup("mfonda")
	if err != nil {
		log.Fatal(err)
	}
	s, err := conventions.New(c)
	if err != nil {
		log.Fatal(err)
	}
	fingerprint, status, err := conventions.Append(s, nil, []string{"to", "be"}, []int{2, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Hex(fingerprint), status)
	fmt.Println(s) // store this with the fingerprint
	// Output:
	// 08325407b4eb17fe informative
	// fnv1-64,le64,64,tie=one,order=grouped,convention=mfonda
}
