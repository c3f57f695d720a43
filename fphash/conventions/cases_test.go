package conventions

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// cases has the outputs of a system for generated features. testdata/cases.json names the
// repositories and commits.
type cases struct {
	Repository string
	Cases      []peerCase
}

type peerCase struct {
	Name, Encoding, Item string
	Text                 *string
	Components           int
	SipKey               []string `json:"sip_key"`
	Features             []json.RawMessage
	Fingerprint          *string
	Error                string
}

// runs has the Convention and the function to compute the cases of each system.
var runs = map[string]struct {
	convention string
	compute    func(*Sketcher, peerCase) ([]uint64, error)
}{
	"mfonda/simhash":                      {"mfonda", integers},
	"go-dedup/simhash":                    {"go-dedup", integers},
	"gitchander/simhash":                  {"gitchander", integers},
	"mfonda/simhash text":                 {"mfonda", unit},
	"dgryski/go-simstore":                 {"go-simstore", unit},
	"yanyiwu/simhash":                     {"yanyiwu", floats},
	"seomoz/simhash-cpp":                  {"seomoz", unit},
	"1e0ng/simhash f=64":                  {"1e0ng-64", list},
	"1e0ng/simhash text f=64":             {"1e0ng-64", integers},
	"1e0ng/simhash f=128":                 {"1e0ng-128", list},
	"1e0ng/simhash text f=128":            {"1e0ng-128", integers},
	"blog Go code (FNV-1a 64, intended)":  {"blog-go", floats},
	"iscc/iscc-lib":                       {"iscc-digests", unit},
	"serega/gaoya f=64":                   {"gaoya-64", unit},
	"serega/gaoya f=128":                  {"gaoya-128", unit},
	"dynatrace-oss/hash4j SimHash v1":     {"hash4j-simhash-v1", unit},
	"dynatrace-oss/hash4j FastSimHash v1": {"hash4j-fastsimhash-v1", unit},
}

func TestCasesOfOtherSystems(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var systems map[string]cases
	if err := json.Unmarshal(data, &systems); err != nil {
		t.Fatal(err)
	}
	if len(systems) != len(runs) {
		t.Errorf("%d systems, expected %d", len(systems), len(runs))
	}
	for name, system := range systems {
		how := runs[name]
		for i, c := range system.Cases {
			at := fmt.Sprintf("%s, %s (%d)", name, c.Name, i)
			s := sketcherOf(t, how.convention, c)
			if s == nil {
				continue // digests without a length
			}
			words, err := how.compute(s, c)
			checkCase(t, at, s, c, words, err)
			if c.Text != nil {
				words, _, err := s.AppendText(nil, []byte(*c.Text))
				checkCase(t, at+" as text", s, c, words, err)
			}
		}
	}
}

func checkCase(t *testing.T, at string, s *Sketcher, c peerCase, words []uint64, err error) {
	t.Helper()
	if c.Fingerprint == nil {
		if err == nil {
			t.Errorf("%s: %s, expected an error: %s", at, s.Hex(words), c.Error)
		}
		if len(c.Features) == 0 && !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: %v, expected ErrEmpty", at, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", at, err)
	} else if got := s.Hex(words); got != *c.Fingerprint {
		t.Errorf("%s: %s, expected %s", at, got, *c.Fingerprint)
	}
}

// sketcherOf returns the Sketcher of the Convention with the settings of the case.
func sketcherOf(t *testing.T, name string, c peerCase) *Sketcher {
	t.Helper()
	if c.Item == "bytes" {
		name = strings.Replace(name, "gaoya", "gaoya-bytes", 1)
	}
	convention, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, half := range c.SipKey {
		word, err := strconv.ParseUint(half, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		convention.Key = binary.LittleEndian.AppendUint64(convention.Key, word)
	}
	if c.Components > 0 {
		convention.Bits = c.Components
	}
	if name == "iscc-digests" && len(c.Features) > 0 {
		convention.Bits = 8 * len(textsOf(c)[0])
	}
	s, err := New(convention)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// textsOf returns the features as byte strings.
func textsOf(c peerCase) (list [][]byte) {
	for _, f := range c.Features {
		item := itemOfCase(f)
		text := []byte(item.Feature)
		if c.Encoding == "hex" {
			text, _ = hex.DecodeString(item.Feature)
		}
		list = append(list, text)
	}
	return list
}

// caseItem is a feature with its weight: an int64, a float64, or nil.
type caseItem struct {
	Feature string
	Weight  any
}

// itemOfCase parses a string, or a pair of a string and a number. A number with a decimal point is
// a float64.
func itemOfCase(data json.RawMessage) (item caseItem) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	pair, ok := value.([]any)
	if !ok {
		return caseItem{Feature: value.(string)}
	}
	number := pair[1].(json.Number)
	if n, err := number.Int64(); err == nil {
		return caseItem{pair[0].(string), n}
	}
	x, err := number.Float64()
	if err != nil {
		panic(err)
	}
	return caseItem{pair[0].(string), x}
}

func hashesOf(c peerCase) (list []uint64) {
	for _, f := range c.Features {
		n, err := strconv.ParseUint(itemOfCase(f).Feature, 16, 64)
		if err != nil {
			panic(err)
		}
		list = append(list, n)
	}
	return list
}

func unit(s *Sketcher, c peerCase) (words []uint64, err error) {
	if c.Encoding == "u64hex" {
		words, _, err = AppendUnit(s, nil, hashesOf(c))
	} else {
		words, _, err = AppendUnit(s, nil, textsOf(c))
	}
	return words, err
}

func integers(s *Sketcher, c peerCase) (words []uint64, err error) {
	if c.Encoding == "u64hex" {
		convention, err := Lookup("gitchander-hashes")
		if err != nil {
			return nil, err
		}
		hashes, err := New(convention)
		if err != nil {
			return nil, err
		}
		words, _, err = Append(hashes, nil, hashesOf(c), weightsOf[int64](c))
		return words, err
	}
	words, _, err = Append(s, nil, textsOf(c), weightsOf[int64](c))
	return words, err
}

func floats(s *Sketcher, c peerCase) ([]uint64, error) {
	words, _, err := Append(s, nil, textsOf(c), weightsOf[float64](c))
	return words, err
}

func weightsOf[W int64 | float64](c peerCase) (weights []W) {
	for _, f := range c.Features {
		switch w := itemOfCase(f).Weight.(type) {
		case int64:
			weights = append(weights, W(w))
		case float64:
			weights = append(weights, W(w))
		default: // a string among tuples
			weight := W(1)
			if n := len(weights); n > 0 {
				weight = weights[n-1]
			}
			weights = append(weights, weight)
		}
	}
	return weights
}

// list computes the fingerprint of a Python list of strings, or of tuples with weights of one type.
// A string after tuples has the weight of the tuple before it. Before any tuple, its weight is 1.
func list(s *Sketcher, c peerCase) ([]uint64, error) {
	for _, f := range c.Features {
		switch itemOfCase(f).Weight.(type) {
		case int64:
			return integers(s, c)
		case float64:
			return floats(s, c)
		}
	}
	return unit(s, c)
}

// blog-python gives the codes in the description of the Python code.
func TestBlogPythonCodes(t *testing.T) {
	s := sketcherNamed(t, "blog-python")
	for word, want := range map[string]string{"a": "00000002e40db1e0", "word": "cd155f5f0a85a164", "感冒": "2c2a73892bf2e50d", "治": "0000033d8cd5143a", "": "0000000000000000"} {
		for _, weight := range []float64{0.01, 1, 7.5} {
			words, _, err := Append(s, nil, []string{word}, []float64{weight})
			if err != nil || s.Hex(words) != want {
				t.Errorf("%q with weight %v: %s, %v, expected %s", word, weight, s.Hex(words), err, want)
			}
		}
	}
}
