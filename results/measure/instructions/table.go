// Package instructions counts the instructions that the kernels of hashes take for a key.
package instructions

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// shown are the kernels of the table by the hash, the tier and the function: those that README's
// table of hashes has the times of.
var shown = []struct{ hash, tier, function string }{
	{"splitmix64", "avx512", "splitMix64AVX512"}, {"fmix64", "avx512", "fmix64AVX512"}, {"xxh3", "avx512", "xxh3AVX512"},
	{"lookup3", "avx512", "lookup3AVX512"}, {"xxh64", "avx512", "xxh64AVX512"}, {"crc32c", "avx2", "crc32cAVX2"},
	{"fnv1-64", "avx512", "fnv1AVX512"}, {"fnv1a64", "avx512", "fnv1aAVX512"}, {"murmur3-128", "avx512", "murmur3AVX512"},
	{"rapidhash", "avx512", "rapidHashAVX512"}, {"wyhash", "avx512", "wyHashAVX512"}, {"siphash", "avx512", "sipHashAVX512"},
	{"md5", "avx512", "md5AVX512"}, {"sha1", "avx512", "sha1AVX512"}, {"sha256", "avx512", "sha256AVX512"},
	{"highway64", "avx512", "highway64AVX512"}, {"highway128", "avx512", "highway128AVX512"}, {"highway256", "avx512", "highway256AVX512"},
}

// Table has a line for each kernel, the fewest instructions a key first, beside the times of a
// result file below root.
func Table(root, file string) (string, error) {
	f, err := os.Open(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	defer f.Close()
	times, err := resultfile.Read(f, file)
	if err != nil {
		return "", err
	}
	loops, err := loopsIn(filepath.Join(root, "asm", "hashing"))
	if err != nil {
		return "", err
	}
	type line struct {
		perKey float64
		text   string
	}
	var lines []line
	for _, s := range shown {
		l, ok := loops[s.function]
		if !ok {
			return "", fmt.Errorf("there is no loop of %s", s.function)
		}
		ns := nanoseconds(times, s.hash, s.tier)
		if ns == 0 {
			return "", fmt.Errorf("%s: there is no time of %s by %s", file, s.hash, s.tier)
		}
		keys := float64(l.keys)
		perKey := float64(l.instructions) / keys
		lines = append(lines, line{perKey, fmt.Sprintf("| `%s` | `%s` | %d | %.3g | %.3g | %.3g |\n", s.hash, s.tier, l.keys, perKey, float64(l.multiplications)/keys, ns)})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.perKey, b.perKey) })
	var out strings.Builder
	out.WriteString("| hash | kernel | keys at a time | instructions a key | of which multiplications | ns a key |\n| --- | --- | ---: | ---: | ---: | ---: |\n")
	for _, l := range lines {
		out.WriteString(l.text)
	}
	return out.String(), nil
}

// nanoseconds is the median time of a key in large batches of indices, 0 if there is none.
func nanoseconds(f resultfile.File, hash, tier string) float64 {
	for _, r := range resultfile.Summarize(f.Rows) {
		n := r.Name
		if n.Base == "Hash" && n.Get("hash") == hash && n.Get("kernel") == tier && n.Get("n") == "1024" && (n.Get("encoding") == "le64" || n.Get("encoding") == "") && r.Unit == "ns/key" {
			return r.Median
		}
	}
	return 0
}
