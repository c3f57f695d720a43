package fphash

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTheTableOfHashes: what the package's documentation says of each hash is so.
func TestTheTableOfHashes(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Skip("no source here: ", err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(source)) {
		if columns := regexp.MustCompile(` {2,}`).Split(strings.TrimSpace(strings.TrimPrefix(line, "//\t")), -1); len(columns) >= 5 {
			rows[columns[0]] = columns
		}
	}
	for _, f := range builtin() {
		key, encodings, ways := "none", "le64, be64, dec", strings.Join(f.wideningNames(), ", ")
		if f.Seeded {
			key = "seed"
		} else if f.KeyBytes > 0 {
			key = strconv.Itoa(f.KeyBytes) + "-byte key"
		}
		if f.Integer {
			encodings = "le64"
		}
		if ways == "" {
			ways = "none"
		}
		row := rows[f.Name]
		if len(row) < 5 || row[1] != strconv.Itoa(f.Bits) || !strings.HasPrefix(row[2], key) || row[3] != encodings || row[4] != ways {
			t.Errorf("%s is documented by %q, want %d bits, %s, %s, %s", f.Name, row, f.Bits, key, encodings, ways)
		}
	}
}
