package index

import (
	"fmt"

	"simhashkit/internal/binomial"
)

// designsFor returns the designs that are worth a look for distances up to k.
func designsFor(k int) (list []Design) {
	list = append(list, pigeonhole(k), Design{Blocks: k + 2, Choose: 2}, Design{Blocks: k + 3, Choose: 3})
	list = append(list, Design{Blocks: k + 1, Choose: 1, Rest: k + 1})
	for errors := 1; errors <= 3; errors++ {
		if blocks := k/(errors+1) + 1; k/blocks == errors { // fewer errors do, else, with as many blocks
			list = append(list, Design{Blocks: blocks, Choose: 1, Errors: errors})
		}
	}
	return list
}

// nameOf returns the name of a design: that of the literature if it has one.
func nameOf(d Design, k int) string {
	if d == pigeonhole(k) {
		return "blocks"
	}
	for name, preset := range presets {
		if d == preset {
			return name
		}
	}
	return d.String()
}

// forecastScans forecasts structures that look at every fingerprint.
func forecastScans(set *Set, k int) []Forecast {
	n := float64(set.Len())
	scan := Forecast{Name: "scan", Compared: n, Skew: 1, work: scanWork(set)}
	split := Forecast{Name: "split", Compared: n, Skew: 1, Bytes: 8 * int64(set.Len())}
	split.work = streamWork(split.Bytes, n*costOfParts)
	postings := Forecast{Name: "postings", Compared: n, Skew: 1, Bytes: postingsBytes(set)}
	postings.work = streamWork(postings.Bytes, n*(costOfLists+float64(k)*costOfListsBit))
	switch {
	case set.Bits%64 != 0 || set.Bits > 256:
		postings.Excluded = "for 64, 128, 192 and 256 bits only"
	case 4*k > set.Bits:
		postings.Excluded = "no faster than a scan so far out"
	}
	switch {
	case set.Bits != 64:
		split.Excluded = "for 64 bits only"
	case k > splitMaxK:
		split.Excluded = fmt.Sprintf("no faster than a scan from k = %d on", splitMaxK+1)
	case n*8 < cacheBytes:
		split.work = scan.work
	}
	return []Forecast{scan, split, postings}
}

// bytesOf returns what tables of a design, which must fit the set, need.
func bytesOf(set *Set, d Design) int64 {
	t, _ := planTables("", set, d)
	return t.Bytes()
}

// mostForecastTables is the number of tables from which on a design is not looked at.
const mostForecastTables = 100

// forecastTables forecasts permuted tables. A design that fingerprints cannot be cut by has no
// buckets. The set is not sampled for one that cannot be chosen, since it takes longer than the
// limit, in nanoseconds, just to ask for its buckets, or would ask for too many.
func forecastTables(set *Set, d Design, k int, limit float64) Forecast {
	f := Forecast{Name: nameOf(d, k), Design: d}
	if d.check(set.Bits) != nil || d.tables() > mostForecastTables || d.MaxK() < k {
		return f
	}
	reach, errors := d.reach(k)
	width := min(directoryBits(set.Len()), set.Bits/d.Blocks*d.Choose)
	f.Buckets = float64(reach) * binomial.Ball(width, errors)
	switch {
	case f.Buckets > mostProbes:
		f.Excluded = fmt.Sprintf("%.0f buckets a query, more than %d", f.Buckets, mostProbes)
	case costOfQuery+f.Buckets*costOfNear > limit:
		f.Excluded = "slower than a scan at best"
	}
	like, n := likeness{}, float64(set.Len())
	if f.Excluded == "" {
		like = set.like(d, k)
	}
	f.Bytes = bytesOf(set, d)
	f.Skew, f.Compared = like.skew, f.Buckets*n*like.share
	f.work = tablesWork(f.Bytes, f.Buckets, f.Compared, f.Compared*like.passes)
	return f
}
