package table

import (
	"fmt"
	"strconv"

	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/texttable"
)

// The sizes of the rows that sketches are compared with.
const (
	hashKeys  = "1024"    // keys in a batch of Hash
	readWords = "1000000" // of MemoryRead: more than the caches near the core hold
)

const limitsTitle = `Limits  a sketch beside its parts, ns/feature

  hash: hashing alone, batches in L1. accumulate: adding and signs alone, codes in L1. memory: reading index and weight
  from memory, which goes on at the same time. rest: what one sketch costs beyond hash and accumulate, in ns.`

// renderLimits sets sketches of fixed sizes beside what their parts cost in the same run. It is ""
// if no sketch has both parts.
func renderLimits(lines []line) string {
	index := resultfile.NewIndex(lines)
	t := texttable.Aligned([]int{0, 1, 4}, "hash", "weights", "f", "nnz", "kernel", "hash", "accumulate", "memory", "sketch", "of hash+acc.", "rest")
	for _, l := range lines {
		if p, ok := partsOf(l, index); ok {
			n := l.Name
			sum, sketch := p.hash+p.accumulate, l.Median
			t.AppendRow(texttable.Row{n.Get("hash"), n.Get("weights"), n.Get("f"), n.Get("nnz"), n.Get("kernel"),
				fmt.Sprintf("%.3f", p.hash), fmt.Sprintf("%.3f", p.accumulate), p.memory, fmt.Sprintf("%.3f", sketch),
				fmt.Sprintf("%.0f%%", 100*sketch/sum), fmt.Sprintf("%.1f", (sketch-sum)*p.features)})
		}
	}
	if t.Length() == 0 {
		return ""
	}
	return limitsTitle + "\n\n" + texttable.Render(t)
}

// parts is what the parts of a sketch cost, in nanoseconds per feature.
type parts struct {
	hash, accumulate float64
	memory           string  // "" where it was not measured
	features         float64 // of a vector
}

// partsOf returns the parts of a sketch at a tier, one vector of a fixed size after the other, by
// the kernels that it uses.
func partsOf(l line, index resultfile.Index) (parts, bool) {
	n := l.Name
	features, err := strconv.Atoi(n.Get("nnz"))
	usual := benchname.New(terms.Sketch, "hash", n.Get("hash"), "weights", n.Get("weights"), "f", n.Get("f"), "kernel", n.Get("kernel"), "nnz", n.Get("nnz"))
	if l.Err != "" || err != nil || n.String() != usual.String() {
		return parts{}, false
	}
	hash, hashed := advice.AtTier(index, benchname.New(terms.Hash, "hash", n.Get("hash"), "encoding", terms.LE64, "kernel", n.Get("kernel"), "n", hashKeys), terms.NanosecondsPerKey)
	accumulate, accumulated := advice.AtTier(index, benchname.New(terms.Accumulate, "weights", n.Get("weights"), "f", n.Get("f"), "kernel", n.Get("kernel"), "nnz", n.Get("nnz")), terms.NanosecondsPerFeature)
	if !hashed || !accumulated || hash.Err != "" || accumulate.Err != "" {
		return parts{}, false
	}
	p := parts{hash: hash.Median, accumulate: accumulate.Median, features: float64(features)}
	if read, ok := index.Get(benchname.New(terms.MemoryRead, "n", readWords), terms.MegabytesPerSecond); ok && read.Err == "" {
		// bytes over MB/s
		p.memory = fmt.Sprintf("%.3f", bytesOfFeature(n.Get("weights"))*1e3/read.Median)
	}
	return p, true
}

// bytesOfFeature is the size of an index and its weight.
func bytesOfFeature(weights string) float64 {
	switch weights {
	case "unit":
		return 8
	case "i32", "f32":
		return 12
	default:
		return 16
	}
}
