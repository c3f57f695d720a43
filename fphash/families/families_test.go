package families_test

import (
	"encoding/binary"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dchest/siphash"
	"github.com/spaolacci/murmur3"
	"github.com/zeebo/xxh3"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

// added lists the families of this package.
var added = []string{"murmur3-128", "siphash", "xxh3", "xxh3-128"}

// TestNamedElsewhere checks the list of these hashes in fphash, which cannot import this package.
// Its error for a missing import names the package.
func TestNamedElsewhere(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../registry.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Names[0].Name == "elsewhere" {
			for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
				name, _ := strconv.Unquote(e.(*ast.BasicLit).Value)
				names = append(names, name)
			}
		}
		return true
	})
	if !slices.Equal(names, added) {
		t.Errorf("fphash names %q, want %q", names, added)
	}
}

// TestTablesOfHashes compares the tables of hashes in the documentation with the hashes.
func TestTablesOfHashes(t *testing.T) {
	rows := map[string][]string{}
	for _, path := range []string{"../doc.go", "families.go"} {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Skip("no source code: ", err)
		}
		for line := range strings.Lines(string(source)) {
			columns := regexp.MustCompile(` {2,}`).Split(strings.TrimSpace(strings.TrimPrefix(line, "//\t")), -1)
			if len(columns) == 5 && columns[0] != "name" {
				rows[columns[0]] = columns
			}
		}
	}
	for _, f := range fphash.Families() {
		key, encodings, ways := "none", "le64, be64, dec", "none"
		if f.Seeded {
			key = "seed"
		} else if f.KeyBytes > 0 {
			key = strconv.Itoa(f.KeyBytes) + "-byte key"
		}
		if f.Integer {
			encodings = "le64"
		}
		var names []string
		for _, w := range f.Widenings() {
			names = append(names, w.String())
		}
		if len(names) > 0 {
			ways = strings.Join(names, ", ")
		}
		row := rows[f.Name]
		if len(row) < 5 || row[1] != strconv.Itoa(f.Bits) || !strings.HasPrefix(row[2], key) || row[3] != encodings || row[4] != ways {
			t.Errorf("%s is documented by %q, want %d bits, %s, %s, %s", f.Name, row, f.Bits, key, encodings, ways)
		}
		delete(rows, f.Name)
	}
	for name := range rows {
		t.Errorf("there is a row for %s, but no hash", name)
	}
}

// TestVerify compares batches, single keys, bytes, library calls and the frozen verification codes.
func TestVerify(t *testing.T) {
	for _, name := range added {
		f, err := fphash.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Verify(); err != nil || f.Verification == 0 {
			t.Errorf("%s: %v; the frozen code is %#x", name, err, f.Verification)
		}
	}
}

// TestAgainstLibraries hashes keys of every length to 300 with random seeds and keys.
func TestAgainstLibraries(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	for range 10 {
		var data []byte
		var ends []int
		for n := range 300 {
			data = append(data, random(n)...)
			ends = append(ends, len(data))
		}
		seed, key := r.Uint64(), random(16)
		var k0, k1 uint64
		for i := range 8 {
			k0, k1 = k0|uint64(key[i])<<(8*i), k1|uint64(key[8+i])<<(8*i)
		}
		reference := map[string]func(b []byte) []uint64{
			"xxh3":    func(b []byte) []uint64 { return []uint64{xxh3.HashSeed(b, seed)} },
			"siphash": func(b []byte) []uint64 { return []uint64{siphash.Hash(k0, k1, b)} },
		}
		// On big-endian machines, the library computes a different function.
		if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
			reference["murmur3-128"] = func(b []byte) []uint64 {
				h1, h2 := murmur3.Sum128WithSeed(b, uint32(seed))
				return []uint64{h1, h2}
			}
		}
		for name, library := range reference {
			f, err := fphash.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			k := fphash.Key{Seed: seed}
			if name == "murmur3-128" {
				k.Seed = uint64(uint32(seed))
			} else if f.KeyBytes > 0 {
				k = fphash.Key{Bytes: key}
			}
			h, err := f.New(k)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]uint64, len(ends)*f.Words())
			h.(fphash.ByteHash).HashBytes(got, data, ends)
			start := 0
			for i, end := range ends {
				for word, want := range library(data[start:end]) {
					if got[word*len(ends)+i] != want {
						t.Fatalf("%s: word %d of a key of %d bytes is %x, want %x", name, word, i, got[word*len(ends)+i], want)
					}
				}
				start = end
			}
		}
	}
}

// TestKeys: the seed is added to the first 8 bytes of siphash's key, and keys of other lengths are
// refused.
func TestKeys(t *testing.T) {
	one := func(seed uint64, key []byte) uint64 {
		s, err := fphash.New(fphash.Definition{Hash: "siphash", Seed: seed, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := fphash.AppendUnit(s, nil, []uint64{7})
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	key := slices.Repeat([]byte{0xff}, 16)
	if a, b := one(2, key), one(0, append([]byte{1, 0, 0, 0, 0, 0, 0, 0}, key[8:]...)); a != b {
		t.Errorf("%x with a seed, %x with the equivalent key", a, b)
	}
	for _, name := range []string{"siphash", "xxh3", "xxh3-128"} {
		if _, err := fphash.New(fphash.Definition{Hash: name, Key: make([]byte, 15)}); err == nil || !strings.HasPrefix(err.Error(), "fphash: hash "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := fphash.Lookup("siphash")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.New(fphash.Key{Bytes: make([]byte, 15)}); err == nil {
		t.Error("New accepts a key of 15 bytes")
	}
}

// TestNoAllocation checks fingerprints of indices or words, plain or widened, with every family.
func TestNoAllocation(t *testing.T) {
	indices, weights := make([]uint64, 100), make([]float64, 100)
	words := make([]string, 100)
	for i := range indices {
		indices[i], weights[i], words[i] = uint64(i), 1, strings.Repeat("ab", i%20)
	}
	for _, name := range added {
		f, err := fphash.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range append(f.Widenings(), fphash.WidenNone) {
			bits := f.Bits
			if way != fphash.WidenNone {
				bits = 3 * f.Bits
			}
			s, err := fphash.New(fphash.Definition{Bits: bits, Widen: way}, fphash.WithFamily(f))
			if err != nil {
				t.Fatal(err)
			}
			dst := make([]uint64, 0, s.Words())
			for what, run := range map[string]func(){
				"indices": func() { fphash.Append(s, dst, indices, weights) },
				"words":   func() { fphash.Append(s, dst, words, weights) },
			} {
				// A sync.Pool drops objects, randomly with the race detector and occasionally
				// without it.
				if allocs := testing.AllocsPerRun(20, run); allocs >= 1 && !raceDetector {
					t.Errorf("%s-%v of %s: %v allocations", name, way, what, allocs)
				}
			}
		}
	}
}
