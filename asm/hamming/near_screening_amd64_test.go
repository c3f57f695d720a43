//go:build !purego

package hamming

import (
	"math/bits"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/registers"
)

// A screening that stops too often only costs time, so results do not show it. These tests compare
// the positions where it stops with the definition: groups that have a pair within the limit. Where
// bits are cleared instead of counted, the limit is at least 3.

func screenedLimit(tier cpu.Tier, limit int) int {
	if tier != cpu.AVX512GFNI {
		return max(limit, 3)
	}
	return limit
}

// stopModel returns the first group, starting at from, that has a pair within the limit. The
// columns of a row start at first(row).
func stopModel(rows, columns []uint32, from, last, limit int, first func(row int) int) int {
	for ; from < last; from += rowsOfGroup {
		base := min(from, len(rows)-rowsOfGroup)
		for i, row := range rows[base : base+rowsOfGroup] {
			for _, column := range columns[min(first(base+i), len(columns)):] {
				if bits.OnesCount32(row^column) <= limit {
					return from
				}
			}
		}
	}
	return from
}

func TestScreeningOfPairsStopsWhereItShould(t *testing.T) {
	right := func(row int) int { return row + 1 }
	all := func(int) int { return 0 }
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		for _, n := range []int{4, 5, 9, 17, 20, 21, 37} {
			words := randomWords32(r, n+8)[:n] // with more words after the end
			rows := randomWords32(r, n+8)[:max(4, n/3)]
			rows[1], words[2] = 1<<5, 1<<6 // near 0, which masked loads return for missing columns
			for _, limit := range []int{0, 2, 3, 4, 7} {
				for i := range n * n {
					row, column, distance := i/n, i%n, limit+r.IntN(2)
					former := words[column]
					if row != column {
						words[column] = words[row] ^ randomBits32(r, distance)
					}
					from := r.IntN(n)
					registers.Spoil(i%2 == 0)
					got, want := screenPairsAt(tier, words, from, uint64(limit)), stopModel(words, words, from, n-1, screenedLimit(tier, limit), right)
					if got != want {
						t.Fatalf("%v: n=%d limit=%d from=%d, pair %d %d at %d: stopped at %d, want %d", tier, n, limit, from, row, column, distance, got, want)
					}
					words[column] = rows[row%len(rows)] ^ randomBits32(r, distance)
					from %= len(rows)
					got, want = screenRowsAt(tier, rows, words, from, uint64(limit)), stopModel(rows, words, from, len(rows), screenedLimit(tier, limit), all)
					if got != want {
						t.Fatalf("%v: n=%d limit=%d from=%d, row %d column %d at %d: stopped at %d, want %d", tier, n, limit, from, row%len(rows), column, distance, got, want)
					}
					words[column] = former
				}
			}
		}
	})
}

// TestScreeningOfPairsCountsEveryBit has one pair that differs in limit or limit+1 bits, while all
// others are far apart. A kernel must stop at that pair's row, or nowhere. The differing bits are
// adjacent, so that they fill nibbles and bytes. The words after the last column are near a row,
// and must be ignored.
func TestScreeningOfPairsCountsEveryBit(t *testing.T) {
	const height, mostColumns = 6, 53
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		far := farWords(height + mostColumns)
		rows := far[:height]
		for n := mostColumns - 7; n <= mostColumns; n++ { // all remainders of columns
			words := slices.Concat(far[height:height+n], slices.Repeat(rows[:1], 16))[:n]
			behind := words[n : n+16]
			check := func(name string, screen func(from int, limit uint64) int, row, last, column int, word uint32) {
				t.Helper()
				former := words[column]
				for _, limit := range []int{3, 7} {
					for _, distance := range []int{limit, limit + 1} {
						words[column] = word ^ bits.RotateLeft32(1<<distance-1, 4*(row+column))
						from := row / rowsOfGroup * rowsOfGroup
						want := from
						if distance > limit {
							want = (last + rowsOfGroup - 1) / rowsOfGroup * rowsOfGroup
						}
						registers.Spoil(column%2 == 0)
						if got := screen(from, uint64(limit)); got != want {
							t.Fatalf("%v, %s: %d columns, limit %d, row %d column %d at %d: stopped at %d, want %d", tier, name, n, limit, row, column, distance, got, want)
						}
					}
				}
				words[column] = former
			}
			for column := range words {
				for i := range behind {
					behind[i] = rows[0]
				}
				for row := range rows {
					check("rows", func(from int, limit uint64) int { return screenRowsAt(tier, rows, words, from, limit) }, row, len(rows), column, rows[row])
				}
				for row := range column {
					for i := range behind {
						behind[i] = words[row]
					}
					check("pairs", func(from int, limit uint64) int { return screenPairsAt(tier, words, from, limit) }, row, n-1, column, words[row])
				}
			}
		}
	})
}

// TestScreeningOfManyPairsSeesTheFirstColumns uses more columns than a byte can count, because the
// mask of a row's first columns is computed from the number of remaining columns.
func TestScreeningOfManyPairsSeesTheFirstColumns(t *testing.T) {
	const n, first = 540, 16
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		words := randomWords32(r, n)
		for _, limit := range []int{3, 4} {
			for i := range (n - first) * first {
				row := i / first
				column, from := row+1+i%first, row/rowsOfGroup*rowsOfGroup
				former := words[column]
				words[column] = words[row] ^ randomBits32(r, limit)
				registers.Spoil(i%2 == 0)
				if got := screenPairsAt(tier, words, from, uint64(limit)); got != from {
					t.Fatalf("%v: limit %d, row %d column %d: stopped at %d, want %d", tier, limit, row, column, got, from)
				}
				words[column] = former
			}
		}
	})
}

// columnsModel returns what nearColumns must return: the first whole block that screening keeps, or
// the rest.
func columnsModel(columns []uint32, row uint32, screened, limit int) (at int, hits uint64) {
	for ; ; at += 64 {
		block, seems := columns[at:min(at+64, len(columns))], false
		hits = 0
		for i, column := range block {
			d := bits.OnesCount32(column ^ row)
			seems = seems || d <= screened
			if d <= limit {
				hits |= 1 << i
			}
		}
		if seems || len(block) < 64 {
			return at, hits
		}
	}
}

func TestScreeningOfColumnsStopsWhereItShould(t *testing.T) {
	onVectorTiers(t, func(t *testing.T, tier cpu.Tier) {
		r := seeded(t)
		for _, n := range []int{0, 1, 7, 8, 15, 16, 17, 63, 64, 65, 128, 140, 200} {
			columns := randomWords32(r, n+8)[:n]
			for _, limit := range []int{0, 2, 3, 4, 7, 31} {
				for i := range max(n, 1) * 2 {
					row, distance := r.Uint32()&(r.Uint32()>>(i%3*12)), min(limit+i%2, 32)
					if n > 0 {
						columns[i/2] = row ^ randomBits32(r, distance)
					}
					registers.Spoil(i%4 < 2)
					at, hits := nearColumnsAt(tier, columns, row, uint64(limit))
					wantAt, wantHits := columnsModel(columns, row, screenedLimit(tier, limit), limit)
					if at != wantAt || hits != wantHits {
						t.Fatalf("%v: n=%d limit=%d, column %d at %d: %d %x, want %d %x", tier, n, limit, i/2, distance, at, hits, wantAt, wantHits)
					}
				}
			}
		}
	})
}
