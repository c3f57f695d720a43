package main

import (
	"os"
	"strings"
	"testing"

	"simhashkit/internal/testing/tools"
)

// notices.txt lists exactly the linked modules with their versions.
func TestNoticesAreThoseOfTheModules(t *testing.T) {
	tools.Need(t, "go")
	list, err := modules("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the standard library of Go"}
	for _, line := range list {
		name, _, _ := strings.Cut(line, "\t")
		want = append(want, name)
	}
	embedded, err := os.ReadFile("../notices.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(embedded)) {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			got = append(got, strings.TrimSpace(name))
		}
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w || len(list) < 20 {
		t.Errorf("notices.txt has\n%s\nand the tool links\n%s\nrun go generate ./cmd/fphash", g, w)
	}
	if _, err := noticesIn(t.TempDir()); err == nil {
		t.Error("a module without a licence passes")
	}
}
