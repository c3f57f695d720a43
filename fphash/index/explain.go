package index

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"text/tabwriter"

	"simhashkit/internal/binomial"
	"simhashkit/internal/english"
)

// Forecast is the expected work of a structure for a query that is similar to the stored
// fingerprints.
type Forecast struct {
	Name     string
	Design   Design  // of tables; else zero
	Bytes    int64   // of memory, beyond the set's
	Buckets  float64 // that a query looks up
	Compared float64 // fingerprints in these buckets, or all
	Skew     float64 // size of the buckets of stored fingerprints, relative to random ones; 0: not sampled
	Excluded string  // why it cannot be chosen; empty if it can

	cost float64
}

// Explanation says which structure Explain chose, and why.
type Explanation struct {
	Entries, Bits, K int
	Memory           int64 // that may be used; 0 means any
	Chosen           string
	Forecasts        []Forecast // cheapest first, excluded ones last
}

// worthBytes is how much more than the cheapest a structure may cost that needs less memory.
const worthBytes = 1.1

// Explain computes what a query of every structure would cost over a set, and chooses: the one that
// needs the least memory among those that cost at most a tenth more than the cheapest. For each
// design that may be cheaper than a scan it looks at a sample of the set, for some tens of
// milliseconds together. The costs are the same on every machine, and so is the choice.
func Explain(set *Set, o Options) (*Explanation, error) {
	if err := checkFor(set, o); err != nil {
		return nil, err
	}
	return explain(set, o), nil
}

func explain(set *Set, o Options) *Explanation {
	e := &Explanation{Entries: set.Len(), Bits: set.Bits, K: o.K, Memory: o.Memory}
	e.Forecasts = forecastScans(set, o.K)
	for _, d := range designsFor(o.K) {
		if f := forecastTables(set, d, o.K, scanCost(set)); f.Buckets > 0 {
			e.Forecasts = append(e.Forecasts, f)
		}
	}
	for i := range e.Forecasts {
		f := &e.Forecasts[i]
		switch {
		case f.Excluded != "":
		case o.Memory > 0 && f.Bytes > o.Memory:
			f.Excluded = "more memory than allowed"
		case o.inFile && f.Design == (Design{}) && f.Name != "scan":
			f.Excluded = "not in files"
		}
	}
	e.sort()
	e.Chosen = e.choose().Name
	return e
}

func (e *Explanation) sort() {
	slices.SortStableFunc(e.Forecasts, func(a, b Forecast) int {
		if (a.Excluded == "") != (b.Excluded == "") {
			return len(a.Excluded) - len(b.Excluded)
		}
		return cmp.Compare(a.cost, b.cost)
	})
}

// choose returns the forecast of the structure to take. A scan is never excluded.
func (e *Explanation) choose() *Forecast {
	best := &e.Forecasts[0]
	for i := range e.Forecasts {
		f := &e.Forecasts[i]
		if f.Excluded == "" && f.cost <= worthBytes*e.Forecasts[0].cost && f.Bytes < best.Bytes {
			best = f
		}
	}
	return best
}

func (e *Explanation) build(set *Set, o Options) (Structure, error) {
	if f := e.choose(); f.Design != (Design{}) {
		return newTables(f.Name, set, f.Design, o.workers())
	}
	o.Structure = e.Chosen
	return build(set, o)
}

// String returns the choice in a sentence, and a table of all structures.
func (e *Explanation) String() string {
	var b strings.Builder
	chosen := &e.Forecasts[slices.IndexFunc(e.Forecasts, func(f Forecast) bool { return f.Name == e.Chosen })]
	fmt.Fprintf(&b, "%s: a query compares %s of %d fingerprints", chosen.Name, english.Approximate(chosen.Compared), e.Entries)
	if chosen.Buckets > 0 {
		fmt.Fprintf(&b, ", from %.4g buckets", chosen.Buckets)
	}
	fmt.Fprintf(&b, ".\nIt needs %s beyond the set. ", english.Bytes(chosen.Bytes))
	if cheapest := &e.Forecasts[0]; cheapest != chosen {
		fmt.Fprintf(&b, "%s is at most 10%% cheaper, but needs %s. ", cheapest.Name, english.Bytes(cheapest.Bytes))
	}
	fmt.Fprintf(&b, "%d bits, k = %d", e.Bits, e.K)
	if e.Memory > 0 {
		fmt.Fprintf(&b, ", memory limit %s", english.Bytes(e.Memory))
	}
	b.WriteString(".\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "structure\tbuckets\tcompared\tskew\tmemory\t")
	for _, f := range e.Forecasts {
		fmt.Fprintf(w, "%s\t%.4g\t", f.Name, f.Buckets)
		if f.Skew > 0 {
			fmt.Fprintf(w, "%s\t%.2f\t", english.Approximate(f.Compared), f.Skew)
		} else {
			fmt.Fprint(w, "?\t?\t") // not sampled
		}
		fmt.Fprintf(w, "%s\t", english.Bytes(f.Bytes))
		if f.Excluded != "" {
			fmt.Fprintf(w, "  (%s)", f.Excluded)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}

// Costs by which a structure is chosen, the same on every machine: they are about nanoseconds on
// one core of an AMD EPYC (Zen 5) with AVX-512 that shares its caches and memory with busy cores.
// Only their ratios matter. Joins have costs of their own.
const (
	costOfQuery   = 60  // of every query
	costOfFar     = 300 // of finding a bucket and waiting for a line of it, as for others meanwhile
	costOfShared  = 150 // of the same where the whole structure is in a cache that cores share
	costOfNear    = 65  // of the same where it is in the core's own
	costOfScreen  = 0.6 // of comparing one screen of a bucket
	costOfPassing = 150 // of looking at a fingerprint that passes

	costOfWord     = 0.13  // of a word of a fingerprint, from memory
	costOfNearWord = 0.055 // of the same from the cache
	costOfWideWord = 0.19  // of the same of fingerprints of several words
	costOfParts    = 0.07  // of a fingerprint in parts, from memory
	costOfLists    = 0.06  // of a fingerprint in lists, from memory
	costOfListsBit = 0.01  // of the same for each bit of the distance: more lists are read
)

// How much of a structure stays near the core, and how much in the cache that cores share.
const (
	cacheBytes  = 2 << 20
	sharedBytes = 16 << 20
)

// scanCost returns the cost of comparing a query with all fingerprints of a set.
func scanCost(set *Set) float64 {
	n, w := float64(set.Len()), float64(set.Stride())
	switch {
	case n*w*8 >= cacheBytes:
		return costOfQuery + n*w*costOfWord
	case w > 1:
		return costOfQuery + n*w*costOfWideWord
	}
	return costOfQuery + n*costOfNearWord
}

// tablesCost returns the cost of looking up some buckets of tables of so many bytes, comparing what
// they hold, and verifying what passes.
func tablesCost(bytes int64, buckets, compared, passing float64) float64 {
	bucket := float64(costOfFar)
	switch {
	case bytes < cacheBytes:
		bucket = costOfNear
	case bytes < sharedBytes:
		bucket = costOfShared
	}
	return costOfQuery + buckets*bucket + compared*costOfScreen + passing*costOfPassing
}

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
	scan := Forecast{Name: "scan", Compared: n, Skew: 1, cost: scanCost(set)}
	split := Forecast{Name: "split", Compared: n, Skew: 1, Bytes: 8 * int64(set.Len())}
	split.cost = costOfQuery + n*costOfParts
	postings := Forecast{Name: "postings", Compared: n, Skew: 1, Bytes: postingsBytes(set)}
	postings.cost = costOfQuery + n*(costOfLists+float64(k)*costOfListsBit)
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
		split.cost = scan.cost
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

// forecastTables forecasts permuted tables. A design that does not fit the fingerprints has no
// buckets. The set is not sampled for a design that cannot be chosen: looking up its buckets alone
// costs more than the limit, or there are too many of them.
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
	f.cost = tablesCost(f.Bytes, f.Buckets, f.Compared, f.Compared*like.passes)
	return f
}

// sampled is how many fingerprints say what all are like, and sampledTables how many tables what
// those of a design are like.
const (
	sampled       = 1 << 13
	sampledTables = 4
)

// likeness is how much the fingerprints of a set agree in the keys of a design.
type likeness struct {
	share  float64 // of all fingerprints in the bucket of one of them, on average over them
	skew   float64 // the same, as a multiple of what random fingerprints would have
	passes float64 // of those in its bucket, the share that passes the screen
}

// like samples a set: a query meets a fingerprint in a bucket as often as two stored fingerprints
// share one, since queries are similar to what is stored.
func (s *Set) like(d Design, k int) (l likeness) {
	keys := d.keys(s.Bits)
	step := (len(keys) + sampledTables - 1) / sampledTables
	var pairs, same, compared, passed, expected float64
	n := min(s.Len(), sampled)
	entries, used := make([]uint64, n), 0.0
	for i := 0; i < len(keys); i += step {
		t := newTable(keys[i], s)
		for j := range entries {
			entries[j] = s.sample(&t, j, n)
		}
		slices.Sort(entries)
		a, b, c := pairsIn(entries, k)
		pairs, same, compared, passed = pairs+float64(n)*float64(n-1)/2, same+a, compared+b, passed+c
		expected += 1 / float64(uint64(1)<<(t.window.width-t.shift))
		used++
	}
	expected /= used
	l.share, l.skew = expected, 1
	if pairs > 0 && same > 0 {
		l.share, l.skew = same/pairs, same/pairs/expected
	}
	if compared > 0 {
		l.passes = passed / compared
	}
	return l
}

// sample returns the bucket of one of n fingerprints that lie evenly in the set, and below it its
// screen.
func (s *Set) sample(t *table, j, n int) uint64 {
	x := t.window.of(s.At(int(int64(j) * int64(s.Len()) / int64(n))))
	return x>>t.shift<<32 | x&(1<<32-1)
}

// mostNear is how many of the fingerprints of a bucket are compared with each other: enough to know
// whether a large bucket holds copies or unrelated fingerprints.
const mostNear = 64

// pairsIn returns how many pairs of sorted entries are in the same bucket, how many of them have
// been compared, and how many of these pass the screen.
func pairsIn(entries []uint64, k int) (same, compared, passed float64) {
	for from := 0; from < len(entries); {
		to := from + 1
		for to < len(entries) && entries[to]>>32 == entries[from]>>32 {
			to++
		}
		n := float64(to - from)
		same += n * (n - 1) / 2
		step := max(1, (to-from)/mostNear)
		for i := from; i < to; i += step {
			for j := i + step; j < to; j += step {
				compared++
				if bits.OnesCount32(uint32(entries[i]^entries[j])) <= k {
					passed++
				}
			}
		}
		from = to
	}
	return same, compared, passed
}
