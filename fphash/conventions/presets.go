package conventions

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/fphash"
)

// presets lists the presets in the order of README.md, which describes them.
var presets = []Convention{
	{
		Name: "mfonda", System: "github.com/mfonda/simhash", Aliases: []string{"go-dedup", "gitchander"},
		Hash: "fnv1-64", Bits: 64, Weights: Integers, Tie: fphash.TieOne,
	},
	{
		Name: "gitchander-hashes", System: "github.com/gitchander/simhash, hashes of the caller's",
		Hash: "identity", Bits: 64, Weights: Integers, Tie: fphash.TieOne,
	},
	{
		Name: "go-simstore", System: "github.com/dgryski/go-simstore", Aliases: []string{"simstore"},
		Hash: "siphash", Bits: 64, Inverted: true,
	},
	{
		Name: "yanyiwu", System: "github.com/yanyiwu/simhash (cppjieba)",
		Hash: "lookup3", Bits: 64, Weights: Float64, Order: fphash.Sequential,
	},
	{
		Name: "seomoz", System: "github.com/seomoz/simhash-cpp, hashes of the caller's",
		Hash: "identity", Bits: 64,
	},
	{
		Name: "1e0ng-64", System: "github.com/1e0ng/simhash (PyPI simhash)", Aliases: []string{"1e0ng"},
		Hash: "md5", Bits: 64, Weights: Python, Order: fphash.Sequential, BitOrder: lastBytes,
	},
	{
		Name: "1e0ng-128", System: "github.com/1e0ng/simhash (PyPI simhash), f=128",
		Hash: "md5", Bits: 128, Weights: Python, Order: fphash.Sequential, BitOrder: lastBytes,
	},
	{
		Name: "gaoya-64", System: "github.com/serega/gaoya, strings",
		Hash: "siphash", Framing: rustString, Bits: 64, Inverted: true,
	},
	{
		Name: "gaoya-128", System: "github.com/serega/gaoya, strings",
		Hash: "siphash-128", Framing: rustString, Bits: 128, Inverted: true,
	},
	{
		Name: "gaoya-bytes-64", System: "github.com/serega/gaoya, vectors of bytes",
		Hash: "siphash", Framing: rustBytes, Bits: 64, Inverted: true,
	},
	{
		Name: "gaoya-bytes-128", System: "github.com/serega/gaoya, vectors of bytes",
		Hash: "siphash-128", Framing: rustBytes, Bits: 128, Inverted: true,
	},
	{
		Name: "hash4j-simhash-v1", System: "com.dynatrace.hash4j SimHash, version 1",
		Hash: "splitmix64-stream", Bits: 64, Tie: fphash.TieAlternate, BitOrder: firstBytes, Empty: emptyRefused,
	},
	{
		Name: "hash4j-fastsimhash-v1", System: "com.dynatrace.hash4j FastSimHash, version 1",
		Hash: "splitmix64-transposed", Bits: 64, Tie: fphash.TieAlternate, BitOrder: firstBytes, Empty: emptyRefused,
	},
	{
		Name: "iscc", System: "ISO 24138 (ISCC) similarity hash, of byte strings",
		Hash: "blake3", Bits: 256, Tie: fphash.TieOne, BitOrder: firstBytes, Empty: emptyZero,
	},
	{
		Name: "iscc-digests", System: "ISO 24138 (ISCC) similarity hash, of digests",
		Hash: "digest", Bits: 256, Tie: fphash.TieOne, BitOrder: firstBytes, Empty: emptyZero,
	},
	{
		Name: "blog-go", System: "the Go code of the blog tradition, as intended",
		Hash: "fnv1a64", Bits: 64, Weights: Float64, Order: fphash.Sequential,
	},
	{
		Name: "blog-python", System: "the Python code of the blog tradition",
		Hash: "python-string", Bits: 64, Weights: RoundedUp,
	},
}

// All returns the presets.
func All() []Convention { return slices.Clone(presets) }

// Lookup returns the preset with the name or alias. The error for an unknown name lists all names.
func Lookup(name string) (Convention, error) {
	var names []string
	for _, c := range presets {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Convention{}, fmt.Errorf("conventions: unknown convention %q; expected %s", name, strings.Join(names, ", "))
}
