package fphash

import (
	"slices"
	"strings"
	"testing"
)

// FuzzParseDefinition holds for any text: a definition that is written as a text that reads back to
// the same, has every part of the text that is not a default, and keeps a key to itself in String;
// or an error that quotes the text.
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
			case part == "widen=none", part == "sketch=simhash", d.Sketch == MinHash && (part == "tie=zero" || part == "order=grouped"):
				continue
			}
			if !slices.Contains(parts, part) {
				t.Errorf("%q is %q, which lacks %q", text, full, part)
			}
		}
	})
}
