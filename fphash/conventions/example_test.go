package conventions_test

import (
	"fmt"
	"log"

	"simhashkit/fphash/conventions"
)

// An archive by github.com/mfonda/simhash goes on with words and whole weights.
func ExampleAppend() {
	s, err := conventions.NewNamed("mfonda")
	if err != nil {
		log.Fatal(err)
	}
	fingerprint, status, err := conventions.Append(s, nil, []string{"to", "be"}, []int{2, 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Hex(fingerprint), status)
	fmt.Println(s) // to be stored beside it
	// Output:
	// 08325407b4eb17fe informative
	// fnv1-64,le64,64,tie=one,order=grouped,convention=mfonda
}

// What is exact is rewritten without the features; what is not is refused, with the reason.
func ExampleNewConversion() {
	wide, err := conventions.Lookup("1e0ng-128")
	if err != nil {
		log.Fatal(err)
	}
	narrow, err := conventions.Lookup("1e0ng-64")
	if err != nil {
		log.Fatal(err)
	}
	conversion, err := conventions.NewConversion(wide, narrow)
	if err != nil {
		log.Fatal(err)
	}
	fingerprint, err := conversion.Append(nil, []uint64{0x367df8e4f069f9f9, 0x2c1743a391305fbf})
	fmt.Printf("%x %v\n", fingerprint, err)

	_, err = conventions.NewConversion(narrow, wide)
	fmt.Println(err)
	// Output:
	// [367df8e4f069f9f9] <nil>
	// conventions: fingerprints of 1e0ng-64 cannot become those of 1e0ng-128: they lack bits that those have
}
