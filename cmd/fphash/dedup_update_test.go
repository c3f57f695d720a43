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

// nearOnes returns lines of fingerprints with ids. Some fingerprints differ in a few bits from an
// earlier one or from one in old.
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

// dropsOf returns the records that dedup --against must drop: new records within 3 bits of an old
// record or of an earlier new record that is kept.
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

// A repeated --update, even after a kill at a random time, gives the same lists as a single run: an
// entry with the id of a record counts as that record, not as a duplicate of it.
func TestUpdateAgain(t *testing.T) {
	n, kills := 3000, 3
	if long.Enabled() {
		n, kills = 15_000, 100 // entries are added in batches of 10,000
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
		wait := took/2 + time.Duration(r.Int64N(int64(took)*2/3)) // the index is written towards the end
		time.Sleep(wait)
		_ = c.Process.Kill() // the run may have ended
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
