package main

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/terms"
)

// The page has a row with figure, verdict and command for each of the 27 claims, in order.
func TestPage(t *testing.T) {
	c := &claims{drawn: map[string]string{}}
	for n := 27; n >= 1; n-- {
		c.say(answer{number: n, source: "A", claim: "c", figure: "f", verdict: "true", command: own})
	}
	rows := 0
	for line := range strings.Lines(c.page("day/claims.txt")) {
		if strings.HasSuffix(line, "| A | c | f | true | `"+own+"` |\n") {
			rows++
			if cells := strings.Split(line, "|"); strings.TrimSpace(cells[1]) != strings.TrimSpace(thousands(float64(rows))) {
				t.Errorf("row %d is %s", rows, line)
			}
		}
	}
	if rows != 27 {
		t.Errorf("%d rows", rows)
	}
}

func TestEditedTextsDifferInAllPlaces(t *testing.T) {
	l := language{units: strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z"), separator: " "}
	if texts := l.apart(10, 5); len(texts) != 2 || texts[1] != "k l m n o p q r s t" {
		t.Errorf("%q", texts)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		a := l.at(r, 10)
		b, changes := l.edited(r, a, 4), 0
		for i := range a {
			if a[i] != b[i] {
				changes++
			}
		}
		if changes != 4 {
			t.Fatalf("%q and %q", a, b)
		}
	}
	for name, want := range map[string]uint32{"": 0, "a": 97, "hello": 99162322} {
		if got := hashCode(name); got != want {
			t.Errorf("hashCode(%q) = %d, want %d", name, got, want)
		}
	}
	if got := thousands(43745); got != "43,745" {
		t.Error(got)
	}
}

// Each row of the committed page has a figure, one of the three verdicts, and a command.
func TestCommittedPage(t *testing.T) {
	page, err := os.ReadFile("../../claims.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 6 || strings.TrimPrefix(cells[0], "| ") != strconv.Itoa(rows+1) {
			continue
		}
		rows++
		if !strings.ContainsAny(cells[3], "0123456789") || !verdict.MatchString(cells[4]) || !strings.HasPrefix(cells[5], "`") {
			t.Errorf("row %d: %q", rows, cells[3:])
		}
	}
	if rows != 27 {
		t.Errorf("%d rows", rows)
	}
}

func TestTruth(t *testing.T) {
	for want, got := range map[string]string{"true": truth(true, "", "no"), "true of words": truth(true, "of words", "no"), "false: no": truth(false, "of words", "no")} {
		if got != want || !verdict.MatchString(got) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFoundAt(t *testing.T) {
	near, far := [65]int{10, 20, 30}, [65]int{0, 4, 10, 100}
	for falsePairs, want := range map[float64]float64{0: 10, 1: 15, 4: 30, 9: 45, 14: 60, 50: 60} {
		if got := foundAt(near, far, falsePairs); got != want {
			t.Errorf("with %v false pairs: %v, want %v", falsePairs, got, want)
		}
	}
}

func TestValueIsTheBestSample(t *testing.T) {
	samples := []resultfile.Sample{{Iterations: 1, Value: 3}, {Iterations: 1, Value: 2}, {Iterations: 1, Value: 5}}
	c := &claims{rows: []resultfile.Row{{Name: "Search/n=1", Unit: terms.NanosecondsPerQuery, Samples: samples}, {Name: "Search/n=1", Unit: terms.Recall, Samples: samples}}}
	if ns, recall := c.value("Search/n=1", terms.NanosecondsPerQuery), c.value("Search/n=1", terms.Recall); ns != 2 || recall != 5 {
		t.Errorf("%v ns and a recall of %v", ns, recall)
	}
}
