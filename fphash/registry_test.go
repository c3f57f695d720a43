package fphash

import (
	"slices"
	"strings"
	"testing"
)

// unregister removes a family when the test ends.
func unregister(t *testing.T, name string) {
	t.Cleanup(func() {
		registry.Lock()
		defer registry.Unlock()
		registry.families = slices.DeleteFunc(registry.families, func(f Family) bool { return f.Name == name })
	})
}

func TestRegister(t *testing.T) {
	f := wideHash(100)
	f.Name = "own-hash"
	unregister(t, f.Name)
	if err := Register(f); err != nil {
		t.Fatal(err)
	}
	s := mustNew(t, Definition{Hash: "own-hash", Bits: 100})
	if s.family.Name != "own-hash" || s.Words() != 2 {
		t.Errorf("%s, %d words", s.family.Name, s.Words())
	}
	if !slices.IsSortedFunc(Families(), func(a, b Family) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the families are not sorted")
	}
	change := func(edit func(*Family)) Family {
		g := f
		g.Name = "another"
		edit(&g)
		return g
	}
	for want, g := range map[string]Family{
		"own-hash is registered already": f,
		"xxh64 is registered already":    change(func(g *Family) { g.Name = "xxh64" }),
		`hash name ""`:                   change(func(g *Family) { g.Name = "" }),
		`hash name "a/b"`:                change(func(g *Family) { g.Name = "a/b" }),
		"width of 0 bits":                change(func(g *Family) { g.Bits = 0 }),
		"width of 4097 bits":             change(func(g *Family) { g.Bits = 4097 }),
		"has no New":                     change(func(g *Family) { g.New = nil }),
		"not both":                       change(func(g *Family) { g.Seeded, g.KeyBytes = true, 16 }),
	} {
		if err := Register(g); err == nil || !strings.HasPrefix(err.Error(), "fphash: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

func TestFamiliesIsACopy(t *testing.T) {
	Families()[0].Name = "changed"
	if f := Families()[0]; f.Name == "changed" {
		t.Error("the caller can change the registry")
	}
}

// TestLookupNamesThePackage: for a hash of package families that is not imported, the error names
// the package. The tests of package families compare this list with what it registers.
func TestLookupNamesThePackage(t *testing.T) {
	for _, name := range elsewhere {
		if _, err := Lookup(name); err == nil || !strings.Contains(err.Error(), "hash "+name+" is not linked; import _ \"simhashkit/fphash/families\"") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := wideHash(64)
	f.Name = elsewhere[0]
	unregister(t, f.Name)
	if err := Register(f); err != nil {
		t.Fatal(err)
	}
	if _, err := Lookup(f.Name); err != nil {
		t.Errorf("registered: %v", err)
	}
}

// A function that differs in each process cannot be used for stored fingerprints.
func TestLookupRefusesTheUnstable(t *testing.T) {
	if _, err := Lookup("maphash"); err == nil || err.Error() != "fphash: hash maphash cannot be chosen: it is a different function in each process, so fingerprints cannot be compared; fphash bench measures it" {
		t.Error(err)
	}
}

func TestLookupSuggests(t *testing.T) {
	for written, want := range map[string]string{
		"xxhash64": "xxh64", "XXH64": "xxh64", "fnv1a": "fnv1a64", "fnv-1a64": "fnv1a64", "highway": "highway64", "md-5": "md5", "splitmix": "splitmix64",
		"high": "highway128",
	} {
		_, err := Lookup(written)
		if err == nil || !strings.Contains(err.Error(), `did you mean "`+want+`"?`) || !strings.HasSuffix(err.Error(), "? fphash kernels lists the hashes") {
			t.Errorf("%q: %v, want %q", written, err, want)
		}
	}
	if _, err := Lookup("murmur3-1288"); err == nil || !strings.Contains(err.Error(), `did you mean "murmur3-128" (import _ "simhashkit/fphash/families")? fphash`) {
		t.Errorf("murmur3-1288: %v", err)
	}
	for _, written := range []string{"", "blake", "x", "whirlpool"} {
		if _, err := Lookup(written); err == nil || strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%q: %v, want no guess", written, err)
		}
	}
}
