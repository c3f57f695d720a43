//go:build !purego

package accumulate

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
)

// These patterns match the instructions with which kernels compare or decrement the number of
// codes, or initialise a block counter.
var (
	sized  = regexp.MustCompile(`^(?:CMPQ\s+[A-Z0-9]+, \$(0x[0-9a-f]+)|(?:SUBQ|ADDQ)\s+\$(0x[0-9a-f]+), [A-Z0-9]+)$`)
	blocks = regexp.MustCompile(`^MOVQ\s+\$(0x[0-9a-f]+), [A-Z0-9]+$`)
)

// blockLength is the number of codes in a block.
const blockLength = 8

// cutoffs reads from the op's assembly all sizes at which a kernel may choose a different path. So
// no test has to repeat the generator's sizes.
func cutoffs(t *testing.T, op string) (sizes []int) {
	t.Helper()
	paths, err := filepath.Glob(strings.ReplaceAll(op, "-", "_") + "_avx*_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		assembly, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(assembly)) {
			number, codes := "", uint64(1)
			if m := sized.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				number = m[1] + m[2]
			} else if m := blocks.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				number, codes = m[1], blockLength
			}
			if n, err := strconv.ParseUint(number, 0, 64); err == nil && n > 1 && n < 1<<14 {
				sizes = append(sizes, int(n*codes))
			}
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// around returns the first four multiples of each size, and the lengths one below and one above
// them.
func around(sizes []int) (lengths []int) {
	for _, size := range sizes {
		for multiple := 1; multiple <= 4; multiple++ {
			for _, more := range []int{-1, 0, 1} {
				lengths = append(lengths, multiple*size+more)
			}
		}
	}
	slices.Sort(lengths)
	return slices.Compact(lengths)
}

func TestWeightedAroundEveryCutoff(t *testing.T) {
	for _, op := range weightedOps {
		t.Run(op.String(), op.(interface{ aroundCutoffs(*testing.T) }).aroundCutoffs)
	}
}

func TestUnitAroundEveryCutoff(t *testing.T) { unitOp.aroundCutoffs(t) }

func (op weighted[L, W]) aroundCutoffs(t *testing.T) {
	sizes := cutoffs(t, op.name)
	if len(sizes) == 0 && len(op.kernels) > 1 {
		t.Fatal("no size found in the assembly: have its instructions changed?")
	}
	lengths := around(sizes)
	if op.name == "unit" {
		for _, known := range []int{8, 16, 32, 64, 128} {
			if !slices.Contains(sizes, known) {
				t.Fatalf("%d is not among the sizes %v of the assembly: have its instructions changed?", known, sizes)
			}
		}
		// the first limit plus each possible length of the second piece
		for _, limit := range []int{unitLimit(cpu.AVX2), unitLimit(cpu.AVX512)} {
			for _, rest := range []int{-1, 0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129} {
				lengths = append(lengths, limit+rest)
			}
		}
	}
	kinds := weightKinds
	if op.name == "unit" {
		kinds = 1 // all weights are the same
	}
	r := seeded(t)
	for _, n := range lengths {
		codes, weights := make([]uint64, n), make([]W, n)
		for k := range kinds {
			op.fill(r, k, codes, weights)
			for _, tier := range cpu.Supported() {
				if err := op.compare(tier, [64]L{}, codes, weights); err != nil {
					t.Fatalf("n=%d: %v", n, err)
				}
				if n > 1000 {
					break // the dispatch adds no sizes
				}
			}
		}
	}
}
