package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestReviewed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reviewed.txt")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# about the list\n\n# one\n# reason\na: .*\n\n# another\nb: x\n")
	list, err := readReviewed(path)
	if err != nil || len(list) != 2 || list[0].reason != "one reason" {
		t.Fatalf("%v %v", list, err)
	}
	for id, want := range map[string]bool{"a: anything": true, "b: x": true, "b: xy": false, "ab: x": false} {
		if isReviewed(list, id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
	for text, want := range map[string]string{"a: .*\n": ":1: a pattern without a reason", "# r\n(\n": ":2: error parsing"} {
		write(text)
		if _, err := readReviewed(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestEveryPackageIsReviewed checks that every package with assembly has a valid list.
func TestEveryPackageIsReviewed(t *testing.T) {
	files, err := filepath.Glob("../../asm/*/*_a[mr][dm]64.s")
	if err != nil || len(files) == 0 {
		t.Fatal("no assembly found", err)
	}
	if _, err := (&options{reviewed: "reviewed", files: files}).readReviews(); err != nil {
		t.Error(err)
	}
}

func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	l, err := newLog(path, false)
	if err != nil {
		t.Fatal(err)
	}
	l.add("a", killed)
	l.add("b", survived)
	l.add("c", endless)
	l.add("d", notAssembled)
	if _, err := l.f.WriteString("kil"); err != nil { // interrupted
		t.Fatal(err)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	again, err := newLog(path, true)
	if err != nil {
		t.Fatal(err)
	}
	again.add("e", killed)
	if err := again.close(); err != nil {
		t.Fatal(err)
	}
	done, err := readOutcomes(path)
	if err != nil || len(done) != 3 || done["a"] != killed || done["d"] != notAssembled || done["e"] != killed {
		t.Errorf("%v %v", done, err)
	}
	if none, err := readOutcomes(path + ".none"); err != nil || len(none) != 0 {
		t.Errorf("%v %v", none, err)
	}
}

func TestReportCountsSurvivorsThatNobodyReviewed(t *testing.T) {
	var out strings.Builder
	list := []review{{regexp.MustCompile("^k: swap.*$"), "symmetric"}}
	fresh := report(&out, outcomes{"k: delete: x #1 -> nothing": killed}, outcomes{"k: swap: y #1 -> z": survived, "k: delete: y #1 -> nothing": survived, "k: delete: z #1 -> nothing": endless}, list)
	if fresh != 1 || !strings.Contains(out.String(), "SURVIVED k: delete: y #1 -> nothing") || strings.Contains(out.String(), "SURVIVED k: swap") {
		t.Errorf("%d\n%s", fresh, out.String())
	}
}
