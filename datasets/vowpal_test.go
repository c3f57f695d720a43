package datasets

import (
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

func readVowpal[W Weight](t *testing.T, text string, options ReadOptions) (CSR[W], error) {
	return readAll(t.Context(), newVowpalReader[W](strings.NewReader(text), options), options.Unit)
}

func TestVowpalLines(t *testing.T) {
	for text, want := range map[string][]string{
		"-1 |f 9:0.0625 14:2\n":               {"0 9:0.0625 14:2"},
		"1 2.0 'tag|a 3:1 4:0.5 |b 7:1\n":     {"0 3:1 4:0.5 7:1 # tag"},
		"| 5:1\n\n|5 7\r\n":                   {"0 5:1", "0 7:1"},
		"1| 3":                                {"0 3:1 # 1"}, // a tag, since it touches the bar
		"cat tag| 3":                          {"0 3:1 # tag"},
		"1 0.5 -2 'it's | 3":                  {"0 3:1 # it's"},
		"x 1:0.5 2:.5 | 3":                    {"0 3:1"},
		"1 |f:2 3:1.5 4 |g:0.5 5:3|h 6:1 7:0": {"0 3:3 4:2 5:1.5 6:1"},
		"1 | 4:1 3:2 4:1 5:1 5:-1":            {"0 3:2 4:2"},
		"1 |a 3 |b 4 |a 3":                    {"0 3:2 4:1"},
		"1 | 18446744073709551615:1e-3 007:1": {"0 7:1 18446744073709551615:0.001"},
		"\ufeff1 | 3":                         {"0 3:1"},
		"1 '| 3":                              {"0 3:1"},
		"1 |f\n":                              {"0"},
		"1\t|f\t3:1\t4:2\n":                   {"0 3:1 4:2"},
	} {
		set, err := readVowpal[float64](t, text, ReadOptions{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := describeRows(&set); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A name that is not a number is hashed with its namespace.
func TestVowpalNames(t *testing.T) {
	for text, want := range map[string][]string{
		"1 | #x:1\n":                {"^#x"},
		"1 |user name |user:2 n2\n": {"user^name", "user^n2"},
		"1 | 3x -3 3.5:1\n":         {"^3x", "^-3", "^3.5"},
	} {
		set, err := readVowpal[float64](t, text, ReadOptions{Unit: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range want {
			if len(set.Indices) != len(want) || set.Indices[i] != xxhash.Sum64String(name) {
				t.Errorf("%q: %x, want the hash of %q at %d", text, set.Indices, name, i)
			}
		}
	}
}

// The index of a name is frozen, since fingerprints of stored vectors depend on it.
func TestVowpalNamesAreFrozen(t *testing.T) {
	set, err := readVowpal[float32](t, "|user name:2 | name", ReadOptions{Unit: true})
	if err != nil || len(set.Indices) != 2 || set.Indices[0] != 0x56cd26e4774eb025 || set.Indices[1] != 0xfb60df06f81db87b {
		t.Errorf("%x, %v", set.Indices, err)
	}
}

func TestVowpalUnit(t *testing.T) {
	set, err := readVowpal[int32](t, "1 |f:0.5 7:0.5 3:0.25 7:2 8:0\n1 |f:0 9\n", ReadOptions{Unit: true, Base: 1})
	if err != nil || set.Weights != nil || strings.Join(describeRows(&set), "|") != "0 6:1 2:1 6:1|0" {
		t.Errorf("%q, %v", describeRows(&set), err)
	}
}

func TestVowpalRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"1 3:1\n":                  `v:1:1: expected a bar before the features, got "1"`,
		"1 |f 3:1\n1 2 x |f":       `v:2:5: expected a number, or a tag such as 'name, got "x"`,
		"1 'tag 2 |f 3":            `v:1:3: expected a bar after the tag, got "'tag"`,
		"\x00 |f 3":                `v:1:1: expected a label, numbers and a tag before the bar, got "\x00"`,
		"1 |f :3":                  `v:1:6: expected a name before the colon, got ":3"`,
		"1 |f 3:":                  `v:1:8: expected a number after the colon, got ""`,
		"1 |f 3:1:2":               `v:1:8: expected a number after the colon, got "1:2"`,
		"1 |f 3:nan":               `v:1:8: expected a finite weight, got "nan"`,
		"1 |f 3:-inf":              `v:1:8: expected a finite weight, got "-inf"`,
		"1 |f:inf 3":               `v:1:6: expected a finite scale of the namespace, got "inf"`,
		"1 |f:x 3":                 `v:1:6: expected a number after the colon, got "x"`,
		"1 |f:1e200 3:1e200":       `v:1:12: expected a weight that fits float64 when it is scaled, got "3:1e200"`,
		"1 |f 3:1e400":             `v:1:8: expected a weight that fits float64, got "1e400"`,
		"1 | 3:1e308 3:1e308":      `v:1:13: expected a sum of repeated features that fits float64, got "3:1e308"`,
		"1 | 18446744073709551616": `v:1:5: expected an index from 0 to 18446744073709551615, got "18446744073709551616"`,
		"1 |a 3 4|b 5 3|c 5":       `v:1:14: expected index 3 in one namespace only, and it is in "a" too, got "3"`,
	} {
		_, err := readVowpal[float64](t, text, ReadOptions{Name: "v"})
		wantError(t, err, want)
	}
	_, err := readVowpal[int32](t, "1 |f:65536 3:-32768\n1 |f:65536 3:65536", ReadOptions{Name: "v"})
	wantError(t, err, `v:2:12: expected a weight that fits int32 when it is scaled, got "3:65536"`)
	_, err = readVowpal[int32](t, "1 | 3:0.5", ReadOptions{Name: "v"})
	wantError(t, err, `v:1:7: expected an integer weight, got "0.5"`)
	_, err = readVowpal[int32](t, "1 | 3", ReadOptions{Name: "v", Base: 4})
	wantError(t, err, `v:1:5: expected an index from 4 to 18446744073709551615, got "3"`)
}

// Malformed lines are skipped one by one, each with an error.
func TestVowpalGoesOn(t *testing.T) {
	var seen []string
	set, err := readVowpal[float64](t, "1 | 3\nx\n2 | 4:y\n3 | 5\n", ReadOptions{Name: "v", OnError: func(err error) { seen = append(seen, err.Error()) }})
	if err != nil || strings.Join(describeRows(&set), "|") != "0 3:1|0 5:1" || len(seen) != 2 || !strings.HasPrefix(seen[1], "v:3:7: ") {
		t.Errorf("%q, %v, %q", describeRows(&set), err, seen)
	}
}
