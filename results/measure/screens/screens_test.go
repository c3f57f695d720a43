package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"simhashkit/internal/testing/long"
)

const realData = "../../../../shared/data/sparse"

// shown returns what the page has of a screen.
func shown(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile("../../../cmd/fphash/screens.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)<!-- " + name + " -->\n(.*?)<!-- end of " + name + " -->").FindSubmatch(page)
	if m == nil || len(m[1]) == 0 {
		t.Fatalf("the page shows nothing of %s", name)
	}
	return string(m[1])
}

// Every screen fits a terminal of 24 lines, and 120 columns; choose, bench and doctor fit 80.
func TestScreensFit(t *testing.T) {
	for _, s := range screens {
		lines := strings.Split(strings.TrimSpace(shown(t, s.name)), "\n")
		if len(lines) > 24+2 { // with the fence
			t.Errorf("%s has %d lines", s.name, len(lines))
		}
		width := 120
		if s.name == "choose" || s.name == "bench" {
			width = 80
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > width {
				t.Errorf("%s: longer than %d: %s", s.name, width, line)
			}
		}
	}
}

// The page shows what the commands print, where that is the same each time.
func TestScreensAreTrue(t *testing.T) {
	long.Skip(t, "builds the tool and runs its commands")
	if _, err := os.Stat(realData); err != nil {
		t.Skip("the collection of real data is not here")
	}
	folder, err := filepath.Abs(realData)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	dir, err := workshop(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, s := range screens {
		if !s.same {
			continue
		}
		got, err := s.block(dir)
		t.Chdir("measure/screens")
		if want := shown(t, s.name); err != nil || got != want {
			t.Errorf("%s (%v):\n%s\nthe page has\n%s", s.name, err, got, want)
		}
		t.Chdir("../..")
	}
}
