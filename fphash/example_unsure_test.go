package fphash_test

import (
	"fmt"
	"log"
	"strings"

	"simhashkit/fphash"
)

const (
	storedNotice = "permission is hereby granted free of charge to any person obtaining a copy of this software and " +
		"associated documentation files to deal in the software without restriction including the rights to use copy " +
		"modify merge publish distribute sublicense and sell copies of the software"
	editedNotice = "permission is granted free of charge to any person receiving a copy of this software and " +
		"associated documentation files to deal in the software freely including the rights to use copy " +
		"modify publish distribute sublicense and sell copies of the software"
)

// Of an edited text more than three bits differ, but most of those were unsure.
func ExampleAppendMasked() {
	s, err := fphash.New()
	if err != nil {
		log.Fatal(err)
	}
	stored, _, err := fphash.AppendUnit(s, nil, strings.Fields(storedNotice))
	if err != nil {
		log.Fatal(err)
	}
	edited, mask, status, err := fphash.AppendMaskedUnit(s, nil, nil, 8, strings.Fields(editedNotice))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status)
	fmt.Println(fphash.Distance(edited, stored), "bits differ")
	fmt.Println(fphash.Distance(edited, stored, mask), "besides the 8 least sure ones")
	// Output:
	// informative
	// 5 bits differ
	// 2 besides the 8 least sure ones
}

// The vector at hand still has its sums, which say more than the distance: the cosine is 0.951.
func ExampleEstimator() {
	s, err := fphash.New()
	if err != nil {
		log.Fatal(err)
	}
	stored, _, err := fphash.AppendUnit(s, nil, strings.Fields(storedNotice))
	if err != nil {
		log.Fatal(err)
	}
	edited, _, err := fphash.AppendUnit(s, nil, strings.Fields(editedNotice))
	if err != nil {
		log.Fatal(err)
	}
	words := fphash.NewAccumulator[int64](s)
	if err := fphash.Add(words, 1, strings.Fields(editedNotice)...); err != nil {
		log.Fatal(err)
	}
	var query fphash.Estimator
	if _, err := words.Query(&query); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("by the sums     %.3f\n", query.Cosine(stored))
	fmt.Printf("by the distance %.3f\n", fphash.Cosine(fphash.Distance(edited, stored), s.Bits()))
	// Output:
	// by the sums     0.958
	// by the distance 0.970
}
