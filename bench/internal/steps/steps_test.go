package steps

import (
	"errors"
	"os"
	"testing"
	"time"
)

const childVariable = "STEPS_TEST_CHILD"

//go:noinline
func three() int { return 3 }

// The child counts calls of a function that the compiler cannot shorten.
func TestChild(t *testing.T) {
	switch os.Getenv(childVariable) {
	case "":
		t.Skip("is run by the other tests")
	case "fails":
		t.Fatal("on purpose")
	case "endless":
		Begin()
		for three() == 3 {
		}
	case "ends":
		Begin()
		os.Exit(3)
	case "counts":
		sum := three()
		Begin()
		for range 10 {
			sum += three()
		}
		End()
		if sum != 33 {
			t.Fatal(sum)
		}
	}
}

func countChild(t *testing.T, what string) (map[string]int, error) {
	t.Helper()
	counts, err := Count([]string{"-test.run=^TestChild$"}, []string{childVariable + "=" + what})
	if errors.Is(err, ErrUnsupported) || errors.Is(err, os.ErrPermission) {
		t.Skip(err)
	}
	return counts, err
}

// A function of two instructions that is called ten times has executed twenty.
func TestCount(t *testing.T) {
	counts, err := countChild(t, "counts")
	if err != nil {
		t.Fatal(err)
	}
	const called, caller = "simhashkit/bench/internal/steps.three", "simhashkit/bench/internal/steps.TestChild"
	// the race detector adds functions of its own
	if counts[called] != 20 || counts[caller] < 20 || counts[caller] > 200 {
		t.Errorf("%v", counts)
	}
}

func TestCountOfAProgramThatFails(t *testing.T) {
	for _, what := range []string{"fails", "never begins", "ends"} {
		if counts, err := countChild(t, what); err == nil {
			t.Errorf("%s: %v, and no error", what, counts)
		}
	}
}

// Neither a program that does not end nor the threads that are stopped meanwhile keep Count.
func TestCountOfAProgramWithoutEnd(t *testing.T) {
	former := longest
	defer func() { longest = former }()
	longest = 200 * time.Millisecond
	if counts, err := countChild(t, "endless"); err == nil {
		t.Errorf("%v, and no error", counts)
	}
}
