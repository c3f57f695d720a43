package hamming

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// nearOracle is the definition of AppendNear. Do not change it.
func nearOracle(rows, columns []uint32, k int) (pairs []NearPair) {
	for i, row := range rows {
		for j, column := range columns {
			if distanceOracle([]uint64{uint64(row)}, []uint64{uint64(column)}) <= k {
				pairs = append(pairs, NearPair{uint32(i), uint32(j)})
			}
		}
	}
	return pairs
}

// nearPairsOracle is the definition of AppendNearPairs. Do not change it.
func nearPairsOracle(words []uint32, k int) (pairs []NearPair) {
	for _, pair := range nearOracle(words, words, k) {
		if pair.Row < pair.Column {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// join is an implementation of AppendNear and AppendNearPairs.
type join struct {
	rows  func(dst []NearPair, rows, columns []uint32, k int) []NearPair
	pairs func(dst []NearPair, words []uint32, k int) []NearPair
}

var joins = kernels.List(nearKernels, func(tier cpu.Tier) join {
	return join{
		func(dst []NearPair, rows, columns []uint32, k int) []NearPair {
			return appendNear(tier, dst, rows, columns, k)
		},
		func(dst []NearPair, words []uint32, k int) []NearPair { return appendNearPairs(tier, dst, words, k) },
	}
})

// onJoins runs body on every kernel that can run here, and on the dispatch at every tier.
func onJoins(t *testing.T, body func(t *testing.T, j join)) {
	kernels.OnEach(t, "", joins, join{AppendNear, AppendNearPairs}, body)
}

// check returns an error if an implementation does not append exactly the wanted pairs to a list
// that is not empty.
func (j join) check(rows, columns []uint32, k int, want, wantPairs []NearPair) error {
	before := []NearPair{{7, 7}, {8, 8}}
	if got := j.rows(slices.Clone(before), rows, columns, k); !slices.Equal(got, slices.Concat(before, want)) {
		return fmt.Errorf("%d rows, %d columns, k=%d: %d pairs, want %d; or the pairs differ\nrows %#x\ncolumns %#x", len(rows), len(columns), k, len(got)-2, len(want), rows, columns)
	}
	if got := j.pairs(slices.Clone(before), columns, k); !slices.Equal(got, slices.Concat(before, wantPairs)) {
		return fmt.Errorf("%d words, k=%d: %d pairs, want %d; or the pairs differ\nwords %#x", len(columns), k, len(got)-2, len(wantPairs), columns)
	}
	return nil
}

func randomWords32(r *rand.Rand, n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = r.Uint32()
	}
	return words
}

// plantNear replaces about one in every words by a copy of an earlier word with a few bits flipped.
func plantNear(r *rand.Rand, words []uint32, every int) {
	for i := 1; i < len(words); i++ {
		if r.IntN(every) == 0 {
			words[i] = words[r.IntN(i)]
			for range r.IntN(6) {
				words[i] ^= 1 << r.IntN(32)
			}
		}
	}
}

// farWords returns up to 64 words of which any two differ in 16 bits or in all 32: rows of a
// Hadamard matrix and their complements.
func farWords(n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		for b := range 32 {
			words[i] |= uint32((bits.OnesCount(uint(i&b))+i/32)%2) << b
		}
	}
	return words
}

// TestNearBetweenGuardPages tests every number of columns from 0 to 512 at eight alignments, and
// flush against inaccessible pages on both sides, with few rows and with many. Some kernels clear
// bits for a k up to 3, and count them for a larger k.
func TestNearBetweenGuardPages(t *testing.T) {
	const longest = 512
	atStart, atEnd := guard.Slices[uint32](t, longest)
	rowsAtStart, rowsAtEnd := guard.Slices[uint32](t, 9)
	r := seeded(t)
	all := randomWords32(r, longest)
	plantNear(r, all, 40)
	copy(atStart, all)
	copy(atEnd, all)
	copy(rowsAtStart, all[3:])
	copy(rowsAtEnd, all[200:])
	rowsAtStart[8], rowsAtEnd[8] = all[511], all[0]^5
	limits := [2]int{3, 4}
	var pairs, fromStart, fromEnd [2][]NearPair
	for i, k := range limits {
		pairs[i], fromStart[i], fromEnd[i] = nearPairsOracle(all, k), nearOracle(rowsAtStart, all, k), nearOracle(rowsAtEnd, all, k)
	}
	between := func(pairs []NearPair, fromRow, toRow, from, to int) (list []NearPair) {
		for _, p := range pairs {
			if int(p.Row) >= fromRow && int(p.Row) < toRow && int(p.Column) >= from && int(p.Column) < to {
				list = append(list, NearPair{p.Row - uint32(fromRow), p.Column - uint32(from)})
			}
		}
		return list
	}
	onJoins(t, func(t *testing.T, j join) {
		for n := range longest + 1 {
			for offset := range min(8, longest-n+1) {
				height := (n + offset) % 10
				for i, k := range limits {
					if i > 0 && offset > 0 {
						break // the first alignment, next to the page, is enough
					}
					check := func(rows, columns []uint32, want []NearPair, from int) {
						t.Helper()
						if err := j.check(rows, columns, k, want, between(pairs[i], from, from+n, from, from+n)); err != nil {
							t.Fatal(err)
						}
					}
					check(rowsAtStart[:height], atStart[offset:offset+n], between(fromStart[i], 0, height, offset, offset+n), offset)
					from := longest - n - offset
					check(rowsAtEnd[9-height:], atEnd[from:from+n], between(fromEnd[i], 9-height, 9, from, from+n), from)
				}
			}
		}
	})
}

// TestNearFindsEveryPlace puts a single pair at the maximum distance at every position.
func TestNearFindsEveryPlace(t *testing.T) {
	const n = 37
	r := seeded(t)
	onJoins(t, func(t *testing.T, j join) {
		for _, k := range []int{0, 3, 4, 9} {
			for row := range n - 1 {
				columns := make([]uint32, n)
				rows := make([]uint32, 1+r.IntN(n))
				for i := range columns { // few of these are near each other
					columns[i] = uint32(i) * 0x9E3779B1
				}
				for i := range rows {
					rows[i] = 0x5A5A5A5A
				}
				for column := row + 1; column < n; column++ {
					former := columns[column]
					columns[column] = columns[row] ^ randomBits32(r, k)
					if err := j.check(rows[:0], columns, k, nil, nearPairsCounted(columns, k)); err != nil {
						t.Fatalf("row %d, column %d: %v", row, column, err)
					}
					place := row % len(rows)
					rows[place] = columns[column] ^ randomBits32(r, k)
					if err := j.check(rows, columns, k, nearCounted(rows, columns, k), nearPairsCounted(columns, k)); err != nil {
						t.Fatalf("row %d, column %d: %v", place, column, err)
					}
					rows[place], columns[column] = 0x5A5A5A5A, former
				}
			}
		}
	})
}

// TestNearAtEveryLimit tests every k from below 0 to more than the number of bits, with distances
// of all sizes.
func TestNearAtEveryLimit(t *testing.T) {
	r := seeded(t)
	columns := make([]uint32, 0, 150)
	for i := range cap(columns) {
		columns = append(columns, 0x12345678^randomBits32(r, i%33))
	}
	rows := slices.Clone(columns[20:31])
	onJoins(t, func(t *testing.T, j join) {
		limits := []int{-1 << 31, 1 << 16, 1<<31 - 1}
		for k := -1; k <= 34; k++ {
			limits = append(limits, k)
		}
		for _, k := range limits {
			if err := j.check(rows, columns, k, nearOracle(rows, columns, k), nearPairsOracle(columns, k)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestNearOfEqualWords tests inputs in which all pairs match, with few and many rows and columns.
func TestNearOfEqualWords(t *testing.T) {
	equal := slices.Repeat([]uint32{0xDEADBEEF}, 2100)
	onJoins(t, func(t *testing.T, j join) {
		for _, size := range [][2]int{{1, 1024}, {3, 1025}, {4, 2048}, {9, 2100}, {0, 5}, {5, 0}, {200, 100}, {2, 16}} {
			rows, columns := equal[:size[0]], equal[:size[1]]
			for _, k := range []int{-1, 0, 3, 20, 31, 32} {
				var want []NearPair
				for i := range size[0] {
					for c := range size[1] {
						if k >= 0 {
							want = append(want, NearPair{uint32(i), uint32(c)})
						}
					}
				}
				if got := j.rows(nil, rows, columns, k); !slices.Equal(got, want) {
					t.Fatalf("%v equal words, k=%d: %d pairs, want %d; or the pairs differ", size, k, len(got), len(want))
				}
			}
		}
		for _, n := range []int{2, 5, 17, 300} {
			if err := j.check(nil, equal[:n], 3, nil, nearPairsCounted(equal[:n], 3)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// nearCounted returns what nearOracle returns, but counts the bits of a whole word at once.
// TestNearCountedEqualsOracle compares them.
func nearCounted(rows, columns []uint32, k int) (pairs []NearPair) {
	for i, row := range rows {
		for j, column := range columns {
			if bits.OnesCount32(row^column) <= k {
				pairs = append(pairs, NearPair{uint32(i), uint32(j)})
			}
		}
	}
	return pairs
}

// nearPairsCounted returns what nearPairsOracle returns.
func nearPairsCounted(words []uint32, k int) (pairs []NearPair) {
	for i, row := range words {
		for j := i + 1; j < len(words); j++ {
			if bits.OnesCount32(row^words[j]) <= k {
				pairs = append(pairs, NearPair{uint32(i), uint32(j)})
			}
		}
	}
	return pairs
}

func TestNearCountedEqualsOracle(t *testing.T) {
	r := seeded(t)
	for range 50 {
		rows, columns := randomWords32(r, r.IntN(30)), randomWords32(r, r.IntN(40))
		plantNear(r, columns, 3)
		for k := -1; k < 34; k++ {
			if got, want := nearCounted(rows, columns, k), nearOracle(rows, columns, k); !slices.Equal(got, want) {
				t.Fatalf("k=%d: %v, want %v", k, got, want)
			}
			if got, want := nearPairsCounted(columns, k), nearPairsOracle(columns, k); !slices.Equal(got, want) {
				t.Fatalf("k=%d: %v, want %v", k, got, want)
			}
		}
	}
}

// randomBits32 returns a word with n ones.
func randomBits32(r *rand.Rand, n int) (word uint32) {
	for bits.OnesCount32(word) < n {
		word |= 1 << r.IntN(32)
	}
	return word
}

// compareJoins compares all kernels, and the dispatch at the tier, with nearCounted and
// nearPairsCounted.
func compareJoins(tier cpu.Tier, rows, columns []uint32, k int) error {
	want, wantPairs := nearCounted(rows, columns, k), nearPairsCounted(columns, k)
	for i, kernel := range joins {
		if !kernel.Available() {
			continue
		}
		registers.Spoil(i%2 == 0)
		if err := kernel.Call.check(rows, columns, k, want, wantPairs); err != nil {
			return fmt.Errorf("%s: %w", kernel.Name, err)
		}
	}
	return kernels.At(tier, func() error {
		if err := (join{AppendNear, AppendNearPairs}).check(rows, columns, k, want, wantPairs); err != nil {
			return fmt.Errorf("dispatch at %v: %w", tier, err)
		}
		return nil
	})
}

// TestNearOnRandomInput tests all numbers of rows and columns, with few near words and with many.
func TestNearOnRandomInput(t *testing.T) {
	r := seeded(t)
	tiers := cpu.Supported()
	for range cases.Rounds(t, 100, 1500) {
		height, width := r.IntN(20), r.IntN(100)
		if r.IntN(20) == 0 {
			width = r.IntN(1500)
		}
		words := randomWords32(r, height+width)
		if r.IntN(4) == 0 {
			for i := range words {
				words[i] &= words[(i*7)%len(words)] & r.Uint32()
			}
		}
		plantNear(r, words, 1+r.IntN(80))
		k := r.IntN(9)
		if r.IntN(8) == 0 {
			k = r.IntN(36) - 2
		}
		if err := compareJoins(tiers[r.IntN(len(tiers))], words[:height], words[height:], k); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkNearPairs joins random words in buckets of several sizes with each kernel and with a
// plain loop. NearRow compares one row with as many columns. The benchmark reports the time per
// pair of words.
func BenchmarkNearPairs(b *testing.B) {
	const k, buckets = 3, 64
	for _, n := range []int{15, 150, 760} {
		words := randomWords32(cases.Seeded(b), n*buckets)
		dst := make([]NearPair, 0, 1000)
		run := func(name string, comparisons int, call func(words []uint32)) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					call(words[i%buckets*n:][:n])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(comparisons), "ns/pair")
			})
		}
		run("naive", n*(n-1)/2, func(words []uint32) { nearPairsCounted(words, k) })
		for _, kernel := range joins {
			if kernel.Available() {
				run(kernel.Name, n*(n-1)/2, func(words []uint32) { kernel.Call.pairs(dst, words, k) })
			}
		}
		for _, kernel := range joins {
			if kernel.Available() {
				run("row/"+kernel.Name, n, func(columns []uint32) { kernel.Call.rows(dst, words[:1], columns, k) })
			}
		}
	}
}
