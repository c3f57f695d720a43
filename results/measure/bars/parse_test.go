package main

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/benchname"
)

// units knows the cases of an imagined suite.
func units(name benchname.Name) ([]string, error) {
	switch unit := map[string]string{"Accumulate": "ns/nnz", "Sketch": "ns/nnz", "Hash": "ns/key", "MemoryRead": "MB/s", "HammingScan": "MB/s", "Build": "ns/op"}[name.Base]; {
	case unit == "" || name.Get("kernel") == "avx3":
		return nil, errors.New("there is no case " + name.String())
	case name.Base == "Build":
		return []string{unit, "bytes/entry"}, nil
	default:
		return []string{unit}, nil
	}
}

func TestParseErrors(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", "f.txt: no bars in it"},
		{"# nothing\n\n   # at all\n", "f.txt: no bars in it"},
		{"\n\n  Accumulat/kernel=avx2/nnz=1 <= 1 ns/nnz\n", "f.txt:3:3: there is no case Accumulat/kernel=avx2/nnz=1"},
		{"Accumulate/kernel={avx2,avx3}/nnz=1 <= 1 ns/nnz\n", "f.txt:1:1: there is no case Accumulate/kernel=avx3/nnz=1"},
		{"Accumulate/kernel <= 1 ns/nnz\n", `f.txt:1:1: expected the name of a case: benchname: "Accumulate/kernel": expected key=value, got "kernel"`},
		{"Accumulate/nnz={1,2 <= 1 ns/nnz\n", "f.txt:1:1: expected every { to be followed by one }"},
		{"Accumulate/nnz=1} <= 1 ns/nnz\n", "f.txt:1:1: expected { before }"},
		{"Accumulate/nnz={8..1} <= 1 ns/nnz\n", "f.txt:1:1: expected {FROM..TO} with two ascending whole numbers, got {8..1}"},
		{"Accumulate/nnz={1..999}/f={1..999} <= 1 ns/nnz\n", "f.txt:1:1: expected at most 10000 names, got 998001"},
		{"Accumulate/nnz={,1} <= 1 ns/nnz\n", "f.txt:1:1: expected the name of a case"},
		{"Accumulate/nnz=1 # <= 1\n", "f.txt:1:17: expected <=, got the end of the line"},
		{"Accumulate/nnz=1 = 1 ns/nnz\n", `f.txt:1:18: expected <=, got "=": less is better in ns/nnz`},
		{"Accumulate/nnz=1 >= 1 ns/nnz\n", `f.txt:1:18: expected <=, got ">=": less is better in ns/nnz`},
		{"MemoryRead/n=1 <= 1 GB/s\n", `f.txt:1:16: expected >=, got "<=": more is better in MB/s`},
		{"Accumulate/nnz=1 <=\n", "f.txt:1:20: expected a figure or a reference, got the end of the line"},
		{"Accumulate/nnz=1 <= 5\n", "f.txt:1:22: expected a unit or x, got the end of the line"},
		{"Accumulate/nnz=1 <= 5 x\n", "f.txt:1:24: expected a reference, got the end of the line"},
		{"Accumulate/nnz=1 bytes/entry <= 1 bytes/entry\n", `f.txt:1:18: expected <=, got "bytes/entry"`},
		{"Build/n=1 bytes/entry <= 1 ns/op\n", `f.txt:1:28: expected x or a unit that goes with bytes/entry, got "ns/op"`},
		{"Build/n=1 bytes/entry <= 2 x Hash/n=1\n", "f.txt:1:30: expected a reference in a unit that goes with bytes/entry, got ns/key"},
		{"Build/n=1 bytes/entry\n", "f.txt:1:22: expected <=, got the end of the line"},
		{"Accumulate/nnz=1 <= -5 ns/nnz\n", `f.txt:1:21: expected a number above 0, got "-5"`},
		{"Accumulate/nnz=1 <= 5/0 ns/nnz\n", `f.txt:1:21: expected a number above 0, got "5/0"`},
		{"Accumulate/nnz=1 <= NaN ns/nnz\n", "f.txt:1:21: there is no case NaN"},
		{"Accumulate/nnz=1 <= 5 ns\n", `f.txt:1:23: expected x or a unit that goes with ns/nnz, got "ns"`},
		{"Accumulate/nnz=1 <= 5 GB/s\n", `f.txt:1:23: expected x or a unit that goes with ns/nnz, got "GB/s"`},
		{"Hash/n=1 <= 5 ns/sketch\n", `f.txt:1:15: expected x or a unit that goes with ns/key, got "ns/sketch"`},
		{"Sketch/data=x/nnz=mixed <= 5 ns/sketch\n", "f.txt:1:30: expected a unit other than ns/sketch: the vectors of Sketch/data=x/nnz=mixed are of no fixed size"},
		{"Accumulate/nnz=1 <= probe:\n", "f.txt:1:21: expected the name of a probe after probe:"},
		{"Accumulate/nnz=1 <= probe:f32/nnz=$n\n", `f.txt:1:21: expected a key of Accumulate/nnz=1 after $, got "$n"`},
		{"Accumulate/nnz=1 <= 2 x Accumulate/kernel=avx3/nnz=1\n", "f.txt:1:25: there is no case Accumulate/kernel=avx3/nnz=1"},
		{"Accumulate/nnz=1 <= 2 x MemoryRead/n=1\n", "f.txt:1:25: expected a reference in a unit that goes with ns/nnz, got MB/s"},
		{"é/n=1 Accumulate/nnz=1\n", "f.txt:1:1: there is no case é/n=1"},
		// columns are characters
		{"Accumulate/weights=é/nnz=1 == 1 ns/nnz\n", `f.txt:1:28: expected <=, got "=="`},
		{"Accumulate/nnz=1 <= 1 ns/nnz 2 ns/nnz\n", `f.txt:1:30: expected + or the end of the line, got "2"`},
		{"Accumulate/nnz=1 <= 1 ns/nnz +\n", "f.txt:1:31: expected a figure or a reference, got the end of the line"},
		{"Accumulate/nnz=1 <= 1 ns/nnz\r\nHash/n={1,2} <=\r\n", "f.txt:2:16: expected a figure"},
	} {
		_, err := Parse(strings.NewReader(tc.text), "f.txt", units)
		if err == nil || !strings.HasPrefix(err.Error(), "bars: "+tc.want) {
			t.Errorf("%q:\n got %v\nwant bars: %s", tc.text, err, tc.want)
		}
	}
	broken := errors.New("broken")
	if _, err := Parse(iotest.ErrReader(broken), "f.txt", units); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestExpand(t *testing.T) {
	for text, want := range map[string][]string{
		"a": {"a"}, "a{1..3}": {"a1", "a2", "a3"}, "{x,y}/{1,2}z": {"x/1z", "x/2z", "y/1z", "y/2z"}, "{a}": {"a"},
	} {
		got, err := expand(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", text, err, diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("Accumulate/f={64,128}/nnz={1..8} <= 1.1 x Accumulate/f=64/nnz=$nnz + 8 ns/sketch # why\n")
	f.Add("MemoryRead/n=1 >= 1/2 x probe:scan/n=$n\n")
	f.Fuzz(func(t *testing.T, text string) {
		bars, err := Parse(strings.NewReader(text), "f", units)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "bars: f:") {
				t.Errorf("error %v does not say where", err)
			}
			return
		}
		for _, b := range bars {
			if len(b.terms) == 0 || b.Line.Unit == "" || strings.ContainsAny(b.Case.String(), "{}") {
				t.Errorf("bar %+v", b)
			}
		}
	})
}
