package main

import (
	"testing"

	"simhashkit/results/measure/madeup"
)

// firstCopies returns the first copy of each of two edits, and how many documents that takes.
func firstCopies(t *testing.T, edits ...string) (copies, originals []int, n int) {
	for _, name := range edits {
		for i := 0; ; i++ {
			if of, e := madeup.Planted(i); of >= 0 && e.Name == name {
				copies, originals, n = append(copies, i), append(originals, of), max(n, i+1)
				break
			}
		}
	}
	return copies, originals, n
}

// What is found is counted by edit; groups of strangers are dropped wrongly.
func TestCompare(t *testing.T) {
	copies, originals, n := firstCopies(t, "none", "words-1%")
	groups := make([]int, n)
	groups[copies[0]], groups[originals[0]] = 7, 7
	groups[copies[1]], groups[originals[1]] = 8, 9
	stranger := 0
	for groups[stranger] != 0 {
		stranger++
	}
	groups[stranger] = 9
	f := compare(groups)
	if f.joined["none"] != 1 || f.joined["words-1%"] != 0 || f.copies["none"] < 1 || f.copies["words-1%"] < 1 {
		t.Errorf("found %v of %v", f.joined, f.copies)
	}
	if f.dropped != 2 || f.right != 1 || f.precision() != 0.5 {
		t.Errorf("%d of %d documents are dropped rightly, %v; expected 1 of 2", f.right, f.dropped, f.precision())
	}
	if f.near != 1 || f.precisionByJaccard() != 0.5 {
		t.Errorf("%d of the dropped documents are near one before them, expected 1", f.near)
	}
	sum := 0
	for _, number := range f.copies {
		sum += number
	}
	if number, recall := f.all(); number != sum || recall != 1/float64(sum) {
		t.Errorf("%v of %d copies, expected one of %d", recall, number, sum)
	}
}

func TestJaccard(t *testing.T) {
	a, b := shinglesOf("One, two three.\nFour"), shinglesOf("one two three five one two")
	if got := a.jaccard(b); got != 2./5 { // one two, two three; three four; three five, five one
		t.Errorf("%v, expected 2/5", got)
	}
	if got := shinglesOf("one").jaccard(shinglesOf("")); got != 0 {
		t.Errorf("%v of empty sets, expected 0", got)
	}
}
