package doctor_test

import (
	"context"
	"fmt"
	"log"

	"simhashkit/bench/quality"
	"simhashkit/internal/bench/doctor"
	"simhashkit/internal/bench/terms"
)

// This example examines a Go function: Fibonacci hashing, which is one multiplication.
func ExampleExamine() {
	hash := quality.OfFunc("fibonacci", 64, func(codes, keys []uint64) error {
		for i, key := range keys {
			codes[i] = key * 0x9E3779B97F4A7C15
		}
		return nil
	})
	e, err := doctor.Examine(context.Background(), hash, doctor.Options{Patterns: []string{terms.Uniform64, terms.Strided}})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range e.Results {
		fmt.Println(r.Pattern, "is", r.Verdict)
	}
	fmt.Println(e.Judgement)
	// Output:
	// uniform64 is good
	// strided is weak
	// weak
}

// The command may be a program in any language. For a line of the shell, use doctor.Shell("python3
// hash.py") as Args.
func ExampleCommand_Examine() {
	command := doctor.Command{Args: []string{"go", "run", "testdata/examples/hash.go"}, Bits: 64}
	e, err := command.Examine(context.Background(), "mine", doctor.Options{Patterns: []string{terms.Pow2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Judgement, "for sums of powers of two")
	// Output: weak for sums of powers of two
}
