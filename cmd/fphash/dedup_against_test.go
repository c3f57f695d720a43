package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An index, a file and the brute force agree on which records duplicate old ones, also if ids of
// old and new records are equal: without --update, ids identify nothing across files.
func TestAgainstSameIDs(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(52, 1))
	_, old := nearOnes(r, 300, "", nil)
	_, fresh := nearOnes(r, 300, "", old)
	lines := func(list []uint64) []byte {
		var s strings.Builder
		for i, f := range list {
			fmt.Fprintf(&s, "%016x\t%d\n", f, i+1)
		}
		return []byte(s.String())
	}
	texts := func(order ...int) []byte {
		var s strings.Builder
		for _, i := range order {
			fmt.Fprintf(&s, "text %d of the word%d word%d word%d\n", i, i, i*i, i+7)
		}
		return []byte(s.String())
	}
	for name, content := range map[string][]byte{
		"old.tsv": lines(old), "new.tsv": lines(fresh), "old.txt": texts(1, 2, 3, 4), "new.txt": texts(4, 2, 1, 9, 3), // text 2 has the same number in both
	} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for _, line := range strings.Fields(dropsOf(old, fresh)) {
		i, _ := strconv.Atoi(line[1:])
		want = append(want, fmt.Sprint(i+1))
	}
	for ending, want := range map[string][]string{"tsv": want, "txt": {"1", "2", "3", "5"}} {
		if code, _, stderr := execute(t, "", "index", "build", ending+".index", "old."+ending, "--bits", "64"); code != exitSuccess {
			t.Fatal(stderr)
		}
		for _, against := range []string{"old." + ending, ending + ".index"} {
			code, stdout, stderr := execute(t, "", "dedup", "new."+ending, "--against", against, "--k", "3", "--by", "first", "--list", "drop")
			if code != exitSuccess || !slices.Equal(strings.Fields(stdout), want) {
				t.Errorf("--against %s: drops %.100q, expected %.100q: %s", against, strings.Fields(stdout), want, stderr)
			}
		}
	}
	for name, want := range map[string]string{
		"tsv": "is already in the index; nothing was written",
		"txt": "an index needs ids, and record 1 of new.txt has none: name their field with --id",
	} {
		code, _, stderr := execute(t, "", "dedup", "new."+name, "--against", name+".index", "--update", "--k", "3")
		if code != exitFailed || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
	}
}

// With --update, an entry is ignored only as a duplicate of its own record.
func TestUpdateOfOwnEntries(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(52, 2))
	text, fresh := nearOnes(r, 600, "n", nil)
	lines := strings.SplitAfter(text, "\n")
	var own []int // records in the index, some of them near each other
	var indexed strings.Builder
	for i := range fresh {
		if r.IntN(3) == 0 {
			own = append(own, i)
			indexed.WriteString(lines[i])
		}
	}
	otherText, others := nearOnes(r, 50, "o", fresh)
	for name, text := range map[string]string{"old.tsv": indexed.String() + otherText, "new.tsv": text} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	near := func(a, b uint64) bool { return bits.OnesCount64(a^b) <= 3 }
	var kept []uint64
	var want []string
	for i, f := range fresh {
		_, isOwn := slices.BinarySearch(own, i)
		drop := slices.ContainsFunc(others, func(o uint64) bool { return near(o, f) }) ||
			slices.ContainsFunc(own, func(o int) bool { return (o < i || o > i && !isOwn) && near(fresh[o], f) }) ||
			slices.ContainsFunc(kept, func(k uint64) bool { return near(k, f) })
		if drop {
			want = append(want, fmt.Sprintf("n%d", i))
		} else {
			kept = append(kept, f)
		}
	}
	if code, _, stderr := execute(t, "", "index", "build", "x.index", "old.tsv"); code != exitSuccess {
		t.Fatal(stderr)
	}
	for range 2 {
		code, stdout, stderr := execute(t, "", "dedup", "new.tsv", "--against", "x.index", "--update", "--list", "drop")
		if code != exitSuccess || !slices.Equal(strings.Fields(stdout), want) {
			t.Errorf("%d drops, expected %d: %s", strings.Count(stdout, "\n"), len(want), stderr)
		}
	}
}
