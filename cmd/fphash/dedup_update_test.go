package main

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/internal/testing/long"
)

// nearOnes returns lines of fingerprints with ids, some of which differ in a few bits from one
// before or from one of old.
func nearOnes(r *rand.Rand, n int, prefix string, old []uint64) (text string, fingerprints []uint64) {
	var lines strings.Builder
	for i := range n {
		fingerprint := r.Uint64()
		if n := len(old) + len(fingerprints); n > 0 && r.IntN(4) == 0 {
			if of := r.IntN(n); of < len(old) {
				fingerprint = old[of] ^ 1<<r.IntN(64)
			} else {
				fingerprint = fingerprints[of-len(old)] ^ 1<<r.IntN(64)
			}
		}
		fingerprints = append(fingerprints, fingerprint)
		fmt.Fprintf(&lines, "%016x\t%s%d\n", fingerprint, prefix, i)
	}
	return lines.String(), fingerprints
}

// dropsOf returns what dedup --against drops by its definition: a new record that is within 3 bits
// of an old one or of a kept new one before it.
func dropsOf(old, new []uint64) string {
	kept := slices.Clone(old)
	var drop strings.Builder
	for i, f := range new {
		if slices.ContainsFunc(kept, func(k uint64) bool { return bits.OnesCount64(f^k) <= 3 }) {
			fmt.Fprintf(&drop, "n%d\n", i)
		} else {
			kept = append(kept, f)
		}
	}
	return drop.String()
}

// A repeated --update, and one after a kill at any moment, gives the lists of one run: the entry
// with the id of a record is that record, and no other that it is a duplicate of.
func TestUpdateAgain(t *testing.T) {
	n, kills := 3000, 3
	if long.Enabled() {
		n, kills = 15_000, 100 // entries go in 10,000 at a time
	}
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	r := rand.New(rand.NewPCG(43, 1))
	oldText, old := nearOnes(r, 500, "o", nil)
	newText, fresh := nearOnes(r, n, "n", old)
	for name, text := range map[string]string{"old.tsv": oldText, "new.tsv": newText} {
		if err := os.WriteFile(path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, stderr := execute(t, "", "index", "build", path("empty.index"), path("old.tsv")); code != exitSuccess {
		t.Fatal(stderr)
	}
	built, err := os.ReadFile(path("empty.index"))
	if err != nil {
		t.Fatal(err)
	}
	index := path("x.index")
	again := func() {
		if err := os.WriteFile(index, built, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{"drop": dropsOf(old, fresh)}
	for i := range fresh {
		if id := fmt.Sprintf("n%d\n", i); !strings.Contains("\n"+want["drop"], "\n"+id) {
			want["keep"] += id
		}
	}
	hold := func(what string, lists ...string) {
		t.Helper()
		for _, list := range lists {
			text := want[list]
			code, stdout, stderr := execute(t, "", "dedup", path("new.tsv"), "--against", index, "--update", "--list", list)
			if code != exitSuccess || stdout != text {
				t.Errorf("%s, --list %s: exit code %d, %d lines, expected %d: %.300s", what, list, code, strings.Count(stdout, "\n"), strings.Count(text, "\n"), stderr)
			}
		}
		_, stdout, stderr := execute(t, "", "index", "info", index)
		if total := fmt.Sprint(len(old) + strings.Count(want["keep"], "\n")); !strings.Contains(stdout, total) {
			t.Errorf("%s: expected %s entries: %s%s", what, total, stdout, stderr)
		}
	}
	again()
	hold("undisturbed and repeated", "drop", "keep")

	args := []string{"dedup", path("new.tsv"), "--against", index, "--update", "--list", "drop"}
	again()
	start := time.Now()
	if err := ownProcess(t, args...).Run(); err != nil {
		t.Fatal(err)
	}
	took, partly := time.Since(start), 0
	for n := range kills {
		again()
		c := ownProcess(t, args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		wait := took/2 + time.Duration(r.Int64N(int64(took)*2/3)) // it writes towards the end
		time.Sleep(wait)
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()
		left, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(left, built) {
			partly++
		}
		hold(fmt.Sprintf("killed after %v", wait), []string{"drop", "keep"}[n%2])
	}
	t.Logf("%d runs were killed, %d of them after they had begun to write", kills, partly)
}
