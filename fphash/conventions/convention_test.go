package conventions

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// Names of presets are stored in files, so they must never change and must be unique.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All() {
		for _, name := range append(c.Aliases, c.Name) {
			if seen[name] {
				t.Errorf("%s has two meanings", name)
			}
			seen[name] = true
			if got, err := Lookup(name); err != nil || got.Name != c.Name {
				t.Errorf("%s: %s, %v, expected %s", name, got.Name, err, c.Name)
			}
		}
		d := c.Definition()
		read, err := fphash.ParseDefinition(d.String())
		if err != nil || read.Convention != c.Name || read.String() != d.String() {
			t.Errorf("%s: read back as %s (%v)", d, read, err)
		}
		if _, err := fphash.New(d); err == nil || !strings.Contains(err.Error(), "simhashkit/fphash/conventions") {
			t.Errorf("%s: package fphash says %v", c.Name, err)
		}
	}
	for name, want := range map[string]string{"nosuch": "expected mfonda, ", "": "unknown convention"} {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", name, err, want)
		}
	}
}

// README.md lists all conventions correctly.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range All() {
		row := fmt.Sprintf("%s | %s | %d | %s |", c.System, c.Hash, c.FingerprintBits(), strings.Join(c.Differences(), ", "))
		if names := "| `" + strings.Join(append([]string{c.Name}, c.Aliases...), "`, `") + "` | "; !strings.Contains(string(page), names+row) {
			t.Errorf("README.md: expected the row %s%s", names, row)
		}
	}
}

// with returns a changed copy of the preset.
func with(t interface {
	Helper()
	Fatal(...any)
}, name string, change func(*Convention)) Convention {
	t.Helper()
	c, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	c.Name += "-changed"
	change(&c)
	return c
}

// sketcherNamed returns a Sketcher for the preset.
func sketcherNamed(t *testing.T, name string) *Sketcher {
	t.Helper()
	c, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConventionsThatCannotBe(t *testing.T) {
	for want, change := range map[string]func(*Convention){
		"expected letters, digits":            func(c *Convention) { c.Name = "a,b" },
		`unknown hash "nosuch"`:               func(c *Convention) { c.Hash = "nosuch" },
		"0 bits, expected 1 to 128":           func(c *Convention) { c.Bits = 0 },
		"129 bits, expected 1 to 128":         func(c *Convention) { c.Bits = 129 },
		"63 bits, expected a multiple of 8":   func(c *Convention) { c.Bits = 63 },
		"the last bytes of a hash of 32 bits": func(c *Convention) { c.Hash, c.Bits = "crc32c", 32 },
		"Python's numbers require":            func(c *Convention) { c.BitOrder = firstBytes },
		"ties that alternate": func(c *Convention) {
			c.Weights, c.Inverted, c.Tie = wholeNumbers, true, fphash.TieAlternate
		},
		"framing rust-bytes: expected only with": func(c *Convention) {
			c.Hash, c.Weights, c.Framing, c.Bits = "identity", wholeNumbers, rustBytes, 64
		},
		`framing "x", expected one of ["" "rust-string" "rust-bytes"]`:                 func(c *Convention) { c.Framing = "x" },
		`weights "x", expected one of ["" "integers" "rounded up" "float64" "python"]`: func(c *Convention) { c.Weights = "x" },
		"unknown tie rule":            func(c *Convention) { c.Tie, c.Weights = 9, wholeNumbers },
		"hash md5 takes no key":       func(c *Convention) { c.Key = []byte{1} },
		"key of 3 bytes, expected 16": func(c *Convention) { c.Hash, c.Key, c.Weights = sipHash128, []byte("abc"), unweighted },
	} {
		if _, err := New(with(t, "1e0ng-128", change)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

func TestMisuse(t *testing.T) {
	named := func(name string) *Sketcher { return sketcherNamed(t, name) }
	words := []string{"a", "b"}
	for want, call := range map[string]func() ([]uint64, fphash.Status, error){
		"len(features) is 2 but len(weights) is 1":   func() ([]uint64, fphash.Status, error) { return Append(named("mfonda"), nil, words, []int{1}) },
		"go-simstore: the convention has no weights": func() ([]uint64, fphash.Status, error) { return Append(named("go-simstore"), nil, words, []int{1, 1}) },
		"mfonda: weight 2 is 0.5, expected a whole":  func() ([]uint64, fphash.Status, error) { return Append(named("mfonda"), nil, words, []float32{1, .5}) },
		"hash identity takes integers only":          func() ([]uint64, fphash.Status, error) { return AppendUnit(named("seomoz"), nil, words) },
		"hash splitmix64-stream takes integers":      func() ([]uint64, fphash.Status, error) { return AppendUnit(named("hash4j-simhash-v1"), nil, words) },
		"digest 1 has 1 bytes, expected 32":          func() ([]uint64, fphash.Status, error) { return AppendUnit(named("iscc-digests"), nil, words) },
		"expected digests of 32 bytes, not":          func() ([]uint64, fphash.Status, error) { return AppendUnit(named("iscc-digests"), nil, []uint32{1}) },
		"weight 2 is NaN, expected a number": func() ([]uint64, fphash.Status, error) {
			return Append(named("blog-python"), nil, words, []float64{1, math.NaN()})
		},
		"weight 1 is 1e+20, expected a number": func() ([]uint64, fphash.Status, error) {
			return Append(named("blog-python"), nil, words, []float64{1e20, 1})
		},
		"weight 1 is 9.223372036854776e+18": func() ([]uint64, fphash.Status, error) {
			return Append(named("blog-python"), nil, words, []float64{1 << 63, 1})
		},
		"weight 2 is -9.223372036854776e+18": func() ([]uint64, fphash.Status, error) {
			return Append(named("blog-python"), nil, words, []float64{1, -1 << 63})
		},
		"weight 1 is +Inf, expected a number": func() ([]uint64, fphash.Status, error) {
			return Append(named("blog-python"), nil, words, []float64{math.Inf(1), 1})
		},
	} {
		got, status, err := call()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "conventions: ") || len(got) > 0 || status != fphash.NoInformation {
			t.Errorf("%x, %v, %v; expected %q", got, status, err, want)
		}
	}
	for _, name := range []string{"mfonda", "blog-python"} { // integers are not rounded to float64
		s := named(name)
		got, _, err := Append(s, nil, []string{"a", "a"}, []int64{1<<60 + 1, -1 << 60})
		want, _, wantErr := Append(s, nil, []string{"a"}, []int64{1})
		if err != nil || wantErr != nil || s.Hex(got) != s.Hex(want) {
			t.Errorf("%s: %x, expected %x: %v, %v", name, got, want, err, wantErr)
		}
	}
	largest := math.Nextafter(1<<63, 0) // the largest accepted weight
	for _, weight := range []float64{largest, -largest} {
		if _, status, err := Append(named("blog-python"), nil, words[:1], []float64{weight}); err != nil || status != fphash.Informative {
			t.Errorf("weight %v: %v, %v", weight, status, err)
		}
	}
	for _, name := range []string{"yanyiwu", "1e0ng-64", "1e0ng-128"} {
		for _, weights := range [][]float64{{math.Inf(1), 1}, {math.NaN(), 1}, {math.MaxFloat64, math.MaxFloat64}} {
			s := named(name)
			got, status, err := Append(s, nil, []string{"a", "a"}, weights)
			if err != nil || status != fphash.NotFinite || strings.Trim(s.Hex(got), "0") != "" {
				t.Errorf("%s: %x, %v, %v; expected zeros that are not finite", name, got, status, err)
			}
		}
	}
}

// Named types, indices, and types that the kernels do not support.
func TestTypes(t *testing.T) {
	type word string
	type bytes []byte
	type id uint32
	type hash uint64
	same := func(what string, s *Sketcher, a, b []uint64, errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		if s.Hex(a) != s.Hex(b) {
			t.Errorf("%s: %s and %s", what, s.Hex(a), s.Hex(b))
		}
	}
	for _, c := range All() {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.Hash == "identity" || isStream(c.Hash):
			a, _, errA := AppendUnit(s, nil, []uint64{5, 6, 7})
			b, _, errB := AppendUnit(s, nil, []id{5, 6, 7})
			d, _, errD := AppendUnit(s, nil, []hash{5, 6, 7})
			same(c.Name, s, a, b, errA, errB)
			same(c.Name, s, a, d, errD)
		case c.Hash == digest:
		default:
			a, _, errA := AppendUnit(s, nil, []string{"12", "7", "x"})
			b, _, errB := AppendUnit(s, nil, []word{"12", "7", "x"})
			d, _, errD := AppendUnit(s, nil, []bytes{bytes("12"), bytes("7"), bytes("x")})
			same(c.Name, s, a, b, errA, errB)
			same(c.Name, s, a, d, errD)
			c.Encoding = fphash.Dec
			decimal, err := New(c)
			if err != nil {
				t.Fatal(err)
			}
			a, _, errA = AppendUnit(decimal, nil, []string{"12", "7"})
			b, _, errB = AppendUnit(decimal, nil, []id{12, 7})
			same(c.Name+" of indices", s, a, b, errA, errB)
			if c.Weights == pythonNumbers {
				a, _, errA = Append(decimal, nil, []string{"12", "7"}, []float64{-1, 2})
				b, _, errB = Append(decimal, nil, []hash{12, 7}, []float64{-1, 2})
				d, _, errD = Append(decimal, nil, []word{"12", "7"}, []float64{-1, 2})
				same(c.Name+" with weights", s, a, b, errA, errB)
				same(c.Name+" with weights", s, a, d, errD)
			}
		}
	}
}
