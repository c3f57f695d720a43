package conventions

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simhashkit/fphash"
)

// with returns the preset of that name, changed.
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

// A conversion gives what the features would have given.
func TestConversionsAreExact(t *testing.T) {
	plain := func(name string) Convention { return with(t, name, func(c *Convention) {}) }
	for _, both := range [][2]Convention{
		{plain("mfonda"), plain("mfonda")},
		{plain("go-simstore"), with(t, "go-simstore", func(c *Convention) { c.Inverted, c.Tie = false, fphash.TieOne })},
		{with(t, "gaoya-64", func(c *Convention) { c.Inverted, c.Tie = false, fphash.TieOne }), plain("gaoya-64")},
		{with(t, "gaoya-128", func(c *Convention) { c.Framing = plainFraming }), with(t, "gaoya-128", func(c *Convention) { c.Framing, c.Bits, c.BitOrder = plainFraming, 48, firstBytes })},
		{plain("1e0ng-128"), plain("1e0ng-64")},
		{plain("1e0ng-128"), with(t, "1e0ng-128", func(c *Convention) { c.Bits = 40 })},
		{plain("iscc"), with(t, "iscc", func(c *Convention) { c.Bits = 64 })},
		{plain("iscc"), with(t, "iscc", func(c *Convention) { c.Bits = 72 })},
		{plain("iscc"), with(t, "iscc", func(c *Convention) { c.BitOrder, c.Empty = numberOrder, emptyZero })},
		{plain("iscc"), with(t, "iscc", func(c *Convention) { c.BitOrder = lastBytes })},
		{with(t, "iscc", func(c *Convention) { c.BitOrder, c.Bits = lastBytes, 64 }), with(t, "iscc", func(c *Convention) { c.BitOrder, c.Bits = lastBytes, 24 })},
		{with(t, "hash4j-simhash-v1", func(c *Convention) { c.Bits = 200 }), with(t, "hash4j-simhash-v1", func(c *Convention) { c.Bits = 75 })},
		{with(t, "hash4j-fastsimhash-v1", func(c *Convention) { c.Bits = 100 }), with(t, "hash4j-fastsimhash-v1", func(c *Convention) { c.Bits = 64 })},
		{plain("seomoz"), with(t, "seomoz", func(c *Convention) { c.Weights = Integers })},
		// a short key is the same with zeros behind it
		{plain("gaoya-64"), with(t, "gaoya-64", func(c *Convention) { c.Key = make([]byte, 16) })},
		{with(t, "gaoya-64", func(c *Convention) { c.Key = make([]byte, 16) }), plain("gaoya-64")},
		// whole numbers have the same sum in every order
		{plain("mfonda"), with(t, "mfonda", func(c *Convention) { c.Order = fphash.Sequential })},
		// without features: zeros by the rule for ties as well, and an error where there is no rule
		{plain("yanyiwu"), with(t, "yanyiwu", func(c *Convention) { c.Empty = emptyZero })},
		{plain("mfonda"), with(t, "mfonda", func(c *Convention) { c.Empty = emptyRefused })},
		{plain("blog-python"), with(t, "blog-python", func(c *Convention) { c.BitOrder, c.Bits = firstBytes, 64 })},
	} {
		from, to := both[0], both[1]
		conversion, err := NewConversion(from, to)
		if err != nil {
			t.Error(err)
			continue
		}
		old, errOld := New(from)
		new, errNew := New(to)
		if errOld != nil || errNew != nil {
			t.Fatal(errOld, errNew)
		}
		rapid.Check(t, func(t *rapid.T) {
			features := featuresFor(t, from)
			a, _, err := appendAs(old, features, nil)
			want, _, errWant := appendAs(new, features, nil)
			if err != nil || errWant != nil {
				return // no features
			}
			got, err := conversion.Append([]uint64{1}, a)
			if err != nil || !slices.Equal(got[1:], want) {
				t.Fatalf("%s to %s of %q: %x, %v, expected %x", from.Name, to.Name, features, got, err, want)
			}
		})
	}
}

func TestConversionsThatAreNotExact(t *testing.T) {
	for _, c := range []struct {
		from, to string
		change   func(*Convention)
		want     string
	}{
		{"mfonda", "yanyiwu", nil, "the hashes differ (fnv1-64, lookup3)"},
		{"seomoz", "gitchander-hashes", nil, "bits whose votes were equal"},
		{"go-simstore", "go-simstore", func(c *Convention) { c.Inverted = false }, "bits whose votes were equal"},
		{"go-simstore", "gaoya-64", nil, "the bytes that are hashed differ"},
		{"gaoya-64", "gaoya-64", func(c *Convention) { c.Key = []byte("0123456789abcdef") }, "the keys of the hash differ"},
		{"1e0ng-64", "1e0ng-128", nil, "lack bits"},
		{"1e0ng-64", "1e0ng-64", func(c *Convention) { c.Weights = Integers }, "the votes differ"},
		{"iscc", "iscc", func(c *Convention) { c.Empty = emptyByTie }, "no features give another"},
		{"iscc", "iscc", func(c *Convention) { c.Empty = emptyRefused }, "no features give another"},
		{"mfonda", "mfonda", func(c *Convention) { c.Empty = emptyZero }, "no features give another"},
		{"yanyiwu", "yanyiwu", func(c *Convention) { c.Order = fphash.Grouped }, "in another order"},
		{"1e0ng-64", "1e0ng-64", func(c *Convention) { c.Order = fphash.Grouped }, "in another order"},
		{"mfonda", "mfonda", func(c *Convention) { c.Weights = Unweighted }, "the weights differ"},
		{"hash4j-simhash-v1", "hash4j-simhash-v1", func(c *Convention) { c.Bits = 72 }, "lack bits"},
		{"mfonda", "mfonda", func(c *Convention) { c.Encoding = fphash.Dec }, "the bytes that are hashed differ"},
	} {
		from, err := Lookup(c.from)
		if err != nil {
			t.Fatal(err)
		}
		if c.change == nil {
			c.change = func(*Convention) {}
		}
		_, err = NewConversion(from, with(t, c.to, c.change))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s to %s: %v, expected %q", c.from, c.to, err, c.want)
		}
	}
	conversion, err := NewConversion(with(t, "iscc", func(*Convention) {}), with(t, "iscc", func(*Convention) {}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conversion.Append(nil, []uint64{1}); err == nil {
		t.Error("a fingerprint of one word is taken for one of 256 bits")
	}
}
