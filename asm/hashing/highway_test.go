package hashing

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestHighwayAgainstTheLibrary compares all kernels with recorded values of the reference library.
// The other tests use the generic code as their oracle, so this test is what checks that code.
func TestHighwayAgainstTheLibrary(t *testing.T) {
	f, err := os.Open("testdata/highway.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for scanner := bufio.NewScanner(f); scanner.Scan(); {
		if strings.HasPrefix(scanner.Text(), "#") {
			continue
		}
		lines++
		var words []uint64
		for field := range strings.FieldsSeq(scanner.Text()) {
			word, err := strconv.ParseUint(field, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, word)
		}
		secret, keys, want := [4]uint64(words), words[4:5], words[5:]
		for _, o := range ops {
			if o.file != "highway" {
				continue
			}
			for _, k := range o.kernels {
				if !k.Available() {
					continue
				}
				got := make([]uint64, o.words)
				if k.Call(got, keys, &secret); !slices.Equal(got, want[:o.words]) {
					t.Errorf("%s/%s, secret %#x, key %#x: %#x, want %#x", o.name, k.Name, secret, keys, got, want[:o.words])
				}
			}
			want = want[o.words:]
		}
	}
	if lines != 40 {
		t.Errorf("the file has %d lines of values, want 40", lines)
	}
}
