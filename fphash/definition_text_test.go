package fphash

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Frozen definitions: every later version must read them and give them the same meaning. The
// fingerprints are those of the indices 1, 2 and 3 with weights 1, 2 and 4.
var frozenDefinitions = []struct{ text, fingerprint string }{
	{"xxh64,le64,64,tie=zero,order=grouped", "87b8166da7ec4841"},
	{"splitmix64,le64,64,tie=zero,order=grouped,seed=7", "75cc7191379f4728"},
	{"md5,dec,128,tie=one,order=sequential", "f3baa7f2d98f3028fee25c4b7ec8cbec"},
	{"xxh64,be64,256,widen=mix,tie=alternate,order=grouped,seed=18446744073709551615", "493dc40fcda26681e96cf26f41bcdbf3f8b0079d588560576a749552e9134ba7"},
	{"highway64,le64,64,tie=zero,order=grouped,key#630dcd2966c43366", "d30c6cd8c84fba99"},
	{"fnv1a64,le64,33,tie=zero,order=grouped", "1330983e6"},
}

var risingKey = []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f")

func TestFrozenDefinitions(t *testing.T) {
	for _, c := range frozenDefinitions {
		d, err := ParseDefinition(c.text)
		if err != nil || d.String() != c.text {
			t.Errorf("%s: read as %s, %v", c.text, d, err)
			continue
		}
		if strings.Contains(c.text, "key#") {
			d.Key = risingKey
		}
		s, err := New(d)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		words, _, err := Append(s, nil, []uint64{1, 2, 3}, []int32{1, 2, 4})
		if got := Fingerprint(words).Hex(s.Bits()); err != nil || got != c.fingerprint {
			t.Errorf("%s: fingerprint %s, want %s (%v)", c.text, got, c.fingerprint, err)
		}
		if s.String() != c.text || fmt.Sprint(s) != c.text || fmt.Sprint(s.Local()) != c.text {
			t.Errorf("%s: the Sketchers are formatted as %v and %v", c.text, s, s.Local())
		}
		again, err := New(s.Definition())
		if err != nil || again.differs(s.definition) != "" || again.tie != s.tie || again.String() != c.text {
			t.Errorf("%s: a Sketcher of this definition is %v (%v)", c.text, again, err)
		}
		full, err := ParseDefinition(s.Definition().Full())
		if err != nil || !bytes.Equal(full.Key, s.Definition().Key) || full.String() != c.text {
			t.Errorf("%s: in full %s (%v)", c.text, s.Definition().Full(), err)
		}
		var read Definition
		text, err := json.Marshal(s.Definition())
		if err == nil {
			err = json.Unmarshal(text, &read)
		}
		if err != nil || read.String() != c.text {
			t.Errorf("%s: %s in JSON (%v)", c.text, text, err)
		}
	}
}

func TestDefinitionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "expected HASH,ENCODING,BITS",
		"xxh64":                                "expected HASH,ENCODING,BITS",
		",le64,64":                             "expected HASH,ENCODING,BITS",
		"xxh64\n,le64,64":                      "expected HASH,ENCODING,BITS",
		"xxh64,le32,64":                        `unknown encoding "le32"`,
		"xxh64,le64,0":                         "expected a number of bits, 1 to 4096",
		"xxh64,le64,4097":                      "expected a number of bits, 1 to 4096",
		"xxh64,le64,64,sketch=maxhash":         `unknown sketch "maxhash"`,
		"xxh64,le64,64,sketch=minhash,tie=one": "tie rule one cannot be combined with MinHash",
		"xxh64,le64,64,order=sequential,sketch=minhash": "order of summation sequential cannot be combined with MinHash",
		"xxh64,le64,96,widen=mix,sketch=minhash":        "widening mix cannot be combined with MinHash",
		"xxh64,le64,64,sketch=minhash,convention=x":     "convention x cannot be combined with MinHash",
		"xxh64,le64,64,tie=two":                         `unknown tie rule "two"`,
		"xxh64,le64,64,tie=one,tie=one":                 "tie occurs twice",
		"xxh64,le64,64,seed=-1":                         "expected a number below 2^64",
		"xxh64,le64,64,salt=1":                          `unknown part "salt=1"`,
		"xxh64,le64,64,":                                `unknown part ""`,
		"xxh64,le64,64,convention=":                     "expected the name of a convention",
		"xxh64,le64,64,convention=a b":                  "expected the name of a convention",
		"highway64,le64,64,key=xy":                      "key: expected hexadecimal digits",
		"highway64,le64,64,key#12":                      "expected key# and 16 hexadecimal digits",
		"highway64,le64,64,key=00,key#1":                "key occurs twice",
	} {
		if _, err := ParseDefinition(text); err == nil || !strings.HasPrefix(err.Error(), "fphash: definition ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	d, err := ParseDefinition("highway64,le64,64,key#630dcd2966c43366")
	if err != nil {
		t.Fatal(err)
	}
	other := d
	other.Key = make([]byte, 32)
	for want, d := range map[string]Definition{
		"expected the key in Definition.Key":                           d,
		"expected the key of the definition":                           other,
		`unknown hash "nosuch"`:                                        {Hash: "nosuch"},
		"by the convention mfonda are computed by":                     {Hash: "fnv1-64", Convention: "mfonda"},
		"-1 bits, expected 1 to":                                       {Bits: -1},
		"unknown tie rule Tie(9)":                                      {Tie: 9},
		"unknown sketch Kind(7)":                                       {Kind: 7},
		"cannot be combined with MinHash":                              {Kind: MinHash, Tie: TieOne},
		"code is 32 bits wide, 64 wanted":                              {Hash: "crc32c", Bits: 8, Kind: MinHash},
		"hash xxh64 takes no key":                                      {Key: []byte{1}},
		"code is 64 bits wide, 128 wanted; ask for at most 64 bits of": {Bits: 128},
	} {
		if _, err := New(d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := New(Definition{}, WithWorkers(1), nil); err == nil || !strings.Contains(err.Error(), "option 2 is nil") {
		t.Errorf("%v, want an error for a nil option", err)
	}
}

// A definition refers to a user's hash by name.
func TestDefinitionOfAHashOfOnesOwn(t *testing.T) {
	own := wideHash(64)
	d := mustNew(t, Definition{}, WithFamily(own)).Definition()
	if _, err := New(d); err == nil {
		t.Errorf("%s is not registered", own.Name)
	}
	if s, err := New(d, WithFamily(own)); err != nil || s.String() != d.String() {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := New(Definition{Hash: DefaultHash}, WithFamily(own)); err == nil || !strings.Contains(err.Error(), "expected one name") {
		t.Errorf("two hashes: %v", err)
	}
}

func TestTextOfEnumerations(t *testing.T) {
	type all struct {
		E Encoding
		T Tie
		O Order
		W Widen
	}
	want := all{Dec, TieAlternate, Sequential, WidenMix}
	text, err := json.Marshal(want)
	if err != nil || string(text) != `{"E":"dec","T":"alternate","O":"sequential","W":"mix"}` {
		t.Errorf("%s, %v", text, err)
	}
	var got all
	if err := json.Unmarshal(text, &got); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []any{Encoding(9), Tie(9), Order(9), Widen(9)} {
		if text, err := json.Marshal(bad); err == nil {
			t.Errorf("%T(9) is marshaled as %s", bad, text)
		}
	}
	if err := json.Unmarshal([]byte(`{"E":"le32"}`), &got); err == nil || got.E != Dec {
		t.Errorf("an unknown name: %v, %v", got.E, err)
	}
}

// A nil key equals a key of zeros in all comparisons.
func TestNilKeyIsZeros(t *testing.T) {
	a, b := NewAccumulator[int64](mustNew(t, Definition{Hash: "highway64"})), NewAccumulator[int64](mustNew(t, Definition{Hash: "highway64", Key: make([]byte, 32)}))
	if err := a.Merge(b); err != nil {
		t.Error(err)
	}
	state, err := b.MarshalBinary()
	if err == nil {
		err = a.UnmarshalBinary(state)
	}
	if err != nil {
		t.Error(err)
	}
	if err := a.Merge(NewAccumulator[int64](mustNew(t, Definition{Hash: "highway64", Key: risingKey}))); err == nil {
		t.Error("keys differ")
	}
}

// FuzzParseDefinition checks that any text either gives an error that quotes it, or a definition
// that survives formatting and parsing, has all parts of the text that are not defaults, and does
// not reveal its key in String.
func FuzzParseDefinition(f *testing.F) {
	for _, text := range []string{
		"xxh64,le64,64", "xxh64,le64,100,widen=mix,tie=one,order=sequential,seed=7", "highway256,be64,130,key#630dcd2966c43366,seed=18446744073709551615",
		"siphash,dec,64,key=000102030405060708090a0b0c0d0e0f", "siphash,dec,64,key=00,key#630dcd2966c43366", "a,le64,8,convention=b", "a,le64,8,seed=007", "xxh64,le64,256,sketch=minhash,seed=3", "xxh64,le64,8,order=grouped,sketch=minhash,tie=zero", "a,le64,8,sketch=simhash", "a,le64,+8", "", ",,", "a,b,1,,",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDefinition(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), `fphash: definition "`) {
				t.Errorf("error %v, expected the definition", err)
			}
			return
		}
		full := d.Full()
		again, err := ParseDefinition(full)
		if err != nil || again.Full() != full || again.String() != d.String() {
			t.Fatalf("%q is %q, which is %q, %v", text, full, again.Full(), err)
		}
		if public, err := ParseDefinition(d.String()); err != nil || public.String() != d.String() {
			t.Fatalf("%q is %q, which is %q, %v", text, d.String(), public.String(), err)
		}
		if strings.Contains(d.String(), ",key=") {
			t.Errorf("%q has the key", d.String())
		}
		parts := strings.Split(full, ",")
		for i, part := range strings.Split(text, ",") {
			name, value, _ := strings.Cut(part, "=")
			switch {
			case i == 2:
				part = strings.TrimLeft(part, "+0")
			case name == "seed":
				if part = "seed=" + strings.TrimLeft(value, "0"); part == "seed=" {
					continue
				}
			case name == "key":
				part = strings.ToLower(part)
			case part == "widen=none", part == "sketch=simhash", d.Kind == MinHash && (part == "tie=zero" || part == "order=grouped"):
				continue
			}
			if !slices.Contains(parts, part) {
				t.Errorf("%q is %q, which lacks %q", text, full, part)
			}
		}
	})
}
