package advice

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// summary describes a recommendation without empty parts, as in "use a: cheaper; weak c".
func summary(r *Recommendation) string {
	var parts []string
	add := func(what string, list []*Choice) {
		if len(list) > 0 {
			var names []string
			for _, c := range list {
				name := c.Hash
				if c.Encoding != "le64" {
					name += " " + c.Encoding
				}
				names = append(names, name)
			}
			parts = append(parts, what+" "+strings.Join(names, ", "))
		}
	}
	if r.Best != nil {
		parts = append(parts, "use "+r.Best.Hash+": "+[]string{"nothing cheaper", "cheaper", "the default fails", "no default", "cannot tell"}[r.Why])
	}
	add("untimed", slices.DeleteFunc(slices.Clone(r.Ranked), func(c *Choice) bool { _, timed := r.Times.Get(c); return timed }))
	add("fewer", r.Fewer)
	add("here only", r.HereOnly)
	add("undecided", r.Undecided)
	add("weak", r.Weak)
	return strings.Join(parts, "; ")
}

func TestRecommend(t *testing.T) {
	for _, tc := range []struct {
		name string
		make func(r *results)
		want string
	}{
		{"the default, if no good hash is cheaper", func(r *results) {
			r.cell("crc32c", "le64", onQ, 9, -1)
			r.cell("xxh64", "le64", onQ, 63, 1)
			r.cell("md5", "le64", onQ, 64, 1)
			r.good("crc32c", "xxh64", "md5")
			r.hashed("crc32c", 1)
			r.hashed("xxh64", 2)
			r.hashed("md5", 9)
		}, "use xxh64: nothing cheaper; weak crc32c"},
		{"of clearly cheaper hashes, the one with the fewest instructions", func(r *results) {
			r.good("xxh64", "xxh3", "fmix64", "splitmix64")
			r.hashed("xxh64", 2)
			r.hashed("xxh3", 1)
			r.hashed("fmix64", 1.5)
			r.hashed("splitmix64", 1.2) // within a fifth of the cheapest
		}, "use splitmix64: cheaper"},
		{"saving less than 30 percent is not clearly cheaper", func(r *results) {
			r.good("xxh64", "fmix64")
			r.hashed("xxh64", 2)
			r.hashed("fmix64", 1.41)
		}, "use xxh64: nothing cheaper"},
		{"saving 30 percent is clearly cheaper", func(r *results) {
			r.good("xxh64", "fmix64")
			r.hashed("xxh64", 2)
			r.hashed("fmix64", 1.39)
		}, "use fmix64: cheaper"},
		{"saving half in one of two rounds is not clearly cheaper", func(r *results) {
			r.good("xxh64", "fmix64")
			for i, hash := range []string{"xxh64", "fmix64"} {
				row := resultfile.Row{Name: fmt.Sprintf(hashRow, hash, "le64"), Unit: "ns/key"}
				for n := range 62 { // a burst of load in 45 samples of the default
					slow := 1 + 0.01*float64(n%7)
					if i == 0 && n < 45 {
						slow *= 2
					}
					row.Samples = append(row.Samples, resultfile.Sample{Iterations: 1, Value: 2 * slow})
				}
				*r = append(*r, row)
			}
		}, "use xxh64: nothing cheaper"},
		{"saving 25 to 85 percent is not clearly cheaper", func(r *results) {
			r.good("xxh64", "fmix64")
			r.hashed("xxh64", 2)
			row := resultfile.Row{Name: fmt.Sprintf(hashRow, "fmix64", "le64"), Unit: "ns/key"}
			for n := range 62 {
				row.Samples = append(row.Samples, resultfile.Sample{Iterations: 1, Value: []float64{0.3, 1.5}[n%2]})
			}
			*r = append(*r, row)
		}, "use xxh64: nothing cheaper"},
		{"the first of those that take about the same time must save as much itself", func(r *results) {
			r.good("xxh64", "fmix64", "xxh3")
			r.hashed("xxh64", 2)
			r.hashed("xxh3", 1.2)
			r.hashed("fmix64", 1.45)
		}, "use xxh64: nothing cheaper"},
		{"saving 30 percent by the median alone is not clearly cheaper", func(r *results) {
			r.good("xxh64", "fmix64")
			r.hashed("xxh64", 2)
			r.samples(fmt.Sprintf(hashRow, "fmix64", "le64"), "ns/key", 1.35, 8, 0.1)
		}, "use xxh64: nothing cheaper"},
		{"saving 30 percent in some samples is not clearly cheaper", func(r *results) {
			r.good("xxh64", "fmix64")
			r.hashed("xxh64", 2)
			r.samples(fmt.Sprintf(hashRow, "fmix64", "le64"), "ns/key", 1.7, 8, 0.9)
		}, "use xxh64: nothing cheaper"},
		{"saving 30 percent in too few samples is not clearly cheaper", func(r *results) {
			r.good("xxh64", "fmix64")
			for i, hash := range []string{"xxh64", "fmix64"} {
				r.exact(fmt.Sprintf(hashRow, hash, "le64"), []float64{2, 1}[i], "ns/key")
			}
		}, "use xxh64: nothing cheaper"},
		{"slow rounds affect both hashes", func(r *results) {
			r.good("xxh64", "fmix64")
			slow := []float64{1, 5, 1, 1, 7, 1, 2, 1}
			for _, h := range []struct {
				hash string
				ns   float64
			}{{"xxh64", 2}, {"fmix64", 1.3}} {
				row := resultfile.Row{Name: fmt.Sprintf(hashRow, h.hash, "le64"), Unit: "ns/key"}
				for _, times := range slow {
					row.Samples = append(row.Samples, resultfile.Sample{Iterations: 1, Value: h.ns * times})
				}
				*r = append(*r, row)
			}
		}, "use fmix64: cheaper"},
		{"cheaper, but surely worth fewer bits", func(r *results) {
			r.cell("xxh64", "le64", onP, 63, 1)
			r.cell("fmix64", "le64", onP, 58.9, 1)
			r.hashed("xxh64", 2)
			r.hashed("fmix64", 1)
		}, "use xxh64: nothing cheaper"},
		{"instead of a weak default, the hash with the fewest instructions", func(r *results) {
			r.cell("xxh64", "le64", onP, 20, -1)
			r.good("md5", "sha1")
			r.hashed("md5", 9)
			r.hashed("sha1", 8.8)
		}, "use md5: the default fails; weak xxh64"},
		{"an undecided default is kept if nothing is surely better", func(r *results) {
			r.cell("xxh64", "le64", onP, 57.7, 0)
			r.cell("fmix64", "le64", onP, 59, 1)
			r.hashed("xxh64", 2)
			r.hashed("fmix64", 1)
		}, "use xxh64: cannot tell; undecided xxh64"},
		{"an undecided default is replaced if a hash is surely better", func(r *results) {
			r.cell("xxh64", "le64", onP, 57.7, 0)
			r.cell("fmix64", "le64", onP, 63.5, 1)
		}, "use fmix64: the default fails; untimed fmix64; undecided xxh64"},
		{"without the default, the first in order", func(r *results) {
			r.good("wyhash", "rapidhash", "siphash")
			r.hashed("rapidhash", 5)
			r.hashed("wyhash", 4.9)
			r.hashed("siphash", 9)
		}, "use rapidhash: no default"},
		{"undecided, missing and unknown verdicts are not good", func(r *results) {
			r.good("good")
			r.cell("open", "le64", onP, 57, 0)
			r.cell("odd", "le64", onP, 63, 0.5)
			r.exact("Quality/hash=none/encoding=le64/"+onP+"/f=64", 64.0, "effective-bits")
			for _, hash := range []string{"open", "odd", "none"} {
				r.hashed(hash, 1)
			}
			r.hashed("good", 2)
		}, "use good: no default; undecided open, odd, none"},
		{"the worst first, hashes without figures last", func(r *results) {
			r.cell("bad", "le64", onP, 20, -1)
			r.cell("worse", "le64", onP, 10, -1)
			r.exact("Quality/hash=a-blank/encoding=le64/"+onP+"/f=64", -1.0, "verdict")
		}, "weak worse, bad, a-blank"},
		{"a hash with fewer cases is not recommended", func(r *results) {
			r.good("a", "b", "c", "d")
			r.cell("b", "le64", onQ, 63, 1)
			r.cell("d", "le64", onQ, 63, 1)
			for i, hash := range []string{"a", "b", "c", "d"} {
				r.hashed(hash, float64(i+1))
			}
		}, "use b: no default; fewer a, c"},
		{"a hash with fewer cases is recommended if none has all", func(r *results) {
			r.good("a")
			r.cell("b", "le64", onQ, 63, 1)
		}, "use a: no default; untimed a, b; fewer a, b"},
		{"a case that few hashes have is not required", func(r *results) {
			r.good("a", "b", "c")
			r.cell("a", "le64", onQ, 63, 1)
			r.hashed("a", 2)
			r.hashed("b", 1)
		}, "use b: no default; untimed c"},
		{"times of naive loops, of two cores and of 0 ns are ignored", func(r *results) {
			r.good("a", "b", "c", "d")
			r.times(strings.ReplaceAll(fmt.Sprintf(hashRow, "a", "le64"), "avx2", "naive"), "ns/key", 1)
			r.times(strings.ReplaceAll(fmt.Sprintf(hashRow, "c", "le64"), "/n=", "/cpus=2/n="), "ns/key", 1)
			r.hashed("d", 0)
			r.hashed("b", 2)
		}, "use a: no default; untimed a, c, d"},
		{"the faster kernel counts", func(r *results) {
			r.good("fmix64", "xxh64")
			r.hashed("fmix64", 5)
			r.times(strings.ReplaceAll(fmt.Sprintf(hashRow, "fmix64", "le64"), "avx2", "avx512"), "ns/key", 1)
			r.hashed("xxh64", 2)
		}, "use fmix64: cheaper"},
		{"times of whole sketches take precedence", func(r *results) {
			r.good("fmix64", "xxh64")
			r.times(fmt.Sprintf(sketchRow, "fmix64"), "ns/nnz", 4)
			r.times(fmt.Sprintf(sketchRow, "xxh64"), "ns/nnz", 3)
			r.hashed("fmix64", 1)
			r.hashed("xxh64", 2)
		}, "use xxh64: nothing cheaper"},
		{"times of hashing alone, if more hashes have these", func(r *results) {
			r.good("fmix64", "xxh64")
			r.times(fmt.Sprintf(sketchRow, "xxh64"), "ns/nnz", 3)
			r.hashed("fmix64", 1)
			r.hashed("xxh64", 2)
		}, "use fmix64: cheaper"},
		{"only times of the same work, with f32 weights and the right width", func(r *results) {
			r.good("fmix64", "xxh64")
			r.times(fmt.Sprintf(sketchRow, "fmix64"), "ns/nnz", 4)
			r.times(fmt.Sprintf(sketchRow, "xxh64"), "ns/nnz", 3)
			r.times(fmt.Sprintf(ownSketch, "fmix64"), "ns/nnz", 1)
			for _, hash := range []string{"fmix64", "xxh64"} {
				r.times(strings.ReplaceAll(fmt.Sprintf(sketchRow, hash), "f32", "unit"), "ns/nnz", 1)
				r.times(strings.ReplaceAll(fmt.Sprintf(sketchRow, hash), "f=64", "f=32"), "ns/nnz", 1)
			}
		}, "use xxh64: nothing cheaper"},
		{"other widths are ignored", func(r *results) {
			r.good("fmix64", "xxh64")
			r.exact("Quality/hash=splitmix64/encoding=le64/"+onP+"/f=32", 32.0, "effective-bits", 1.0, "verdict")
			r.hashed("fmix64", 3)
			r.hashed("xxh64", 3)
			r.hashed("splitmix64", 1)
		}, "use xxh64: nothing cheaper"},
		{"in order of hash and encoding", func(r *results) {
			for _, encoding := range []string{"dec", "be64", "le64"} {
				r.cell("b", encoding, onP, 63, 1)
				r.cell("a", encoding, onP, 63, 1)
			}
		}, "use a: no default; untimed a, a be64, a dec, b, b be64, b dec"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var r results
			tc.make(&r)
			if got := summary(Recommend(set(r))); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}

// For a data set, only its own cases and times count. Choices that are weak elsewhere come last.
func TestRecommendOnData(t *testing.T) {
	var r results
	r.cell("xxh64", "le64", onData, 64, 1)
	r.cell("fast", "le64", onData, 63, 1)
	r.cell("open", "le64", onData, 57, 0)
	r.cell("fast", "le64", onP, 11, -1)
	r.cell("other", "le64", onP, 64, 1)
	for i, hash := range []string{"fast", "xxh64"} {
		r.times(fmt.Sprintf(sketchRow, hash), "ns/nnz", float64(4-i))
		r.times(fmt.Sprintf(ownSketch, hash), "ns/nnz", []float64{1.3, 2}[i])
	}
	r.times(fmt.Sprintf(sketchRow, "open"), "ns/nnz", 1)
	a := Recommend(set(r))
	// fast is weak on other vectors, so another choice is recommended
	if got, want := summary(a), "use xxh64: nothing cheaper; here only fast; undecided open"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if e := a.HereOnly[0].Elsewhere; e == nil || e.Row.Name.Get("pattern") != "p" || a.Default.Elsewhere != nil {
		t.Errorf("elsewhere: %v and %v", e, a.Default.Elsewhere)
	}
	r.cell("xxh64", "le64", onP, 11, -1)
	a = Recommend(set(r))
	if got, want := summary(a), "use fast: cheaper; here only fast, xxh64; undecided open"; got != want {
		t.Errorf("nothing is good elsewhere: %s, want %s", got, want)
	}
	if s := a.Saves; a.Default.Hash != "xxh64" || s == nil || s.Median < 0.34 || s.Median > 0.36 {
		t.Errorf("changing from %v saves %v", a.Default, s)
	}
	// fmix64 is good on other vectors, but worth fewer bits there
	r = r[:0]
	for i, hash := range []string{"xxh64", "fmix64"} {
		r.cell(hash, "le64", onData, 63, 1)
		r.cell(hash, "le64", onP, []float64{63, 58.9}[i], 1)
		r.times(fmt.Sprintf(ownSketch, hash), "ns/nnz", []float64{2, 1}[i])
	}
	if got, want := summary(Recommend(set(r))), "use xxh64: nothing cheaper"; got != want {
		t.Errorf("worth less elsewhere: %s, want %s", got, want)
	}
}

// If another hash is cheaper by its median but not clearly, the reason does not call it cheaper.
func TestReasonInNoise(t *testing.T) {
	for spread, want := range map[float64]string{
		0.9:  "It is the default, and no other good hash is clearly cheaper (by 30% or more).",
		0.01: "It is clearly cheaper than the default, xxh64 with le64 keys (2.00 ns): changing saves",
	} {
		var r results
		r.good("xxh64", "fmix64", "md5")
		r.hashed("xxh64", 2)
		r.samples(fmt.Sprintf(hashRow, "fmix64", "le64"), "ns/key", 1, 7, spread)
		r.hashed("md5", 9)
		a := Recommend(set(r))
		if got := a.reason(); !strings.HasPrefix(got, want) {
			t.Errorf("spread %v: %q, want %q", spread, got, want)
		}
	}
	var r results
	r.good("xxh64", "fmix64")
	r.hashed("xxh64", 2)
	r.hashed("fmix64", 1.85)
	a := Recommend(set(r))
	if got, want := a.reason(), "It is the default, and no other good hash is clearly cheaper (by 30% or more)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Without times, the reason does not speak of cheaper hashes.
func TestReasonWithoutTimes(t *testing.T) {
	var r results
	r.good("xxh64", "fmix64")
	a := Recommend(set(r))
	if got, want := a.reason(), "It is the default, and without times no other good hash can replace it."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Nearly all of 200 runs on a busy machine recommend the same hash, although several hashes take
// about 40% of the default's time and many samples are slow.
func TestRecommendInNoise(t *testing.T) {
	costs := map[string]float64{"xxh64": 3, "fmix64": 1.2, "splitmix64": 1.3, "lookup3": 1.15, "xxh3": 1.2, "rapidhash": 2.7, "wyhash": 2.75, "md5": 40}
	random := rand.New(rand.NewPCG(1, 2))
	answers := map[string]int{}
	for range 200 {
		var r results
		for hash := range costs {
			r.good(hash)
		}
		rows := map[string]*resultfile.Row{}
		for hash := range costs {
			rows[hash] = &resultfile.Row{Name: fmt.Sprintf(sketchRow, hash), Unit: "ns/nnz"}
		}
		for range 62 { // two rounds of the suite choose
			round := 1 + 2*random.Float64() // frequency and load of the machine
			for _, hash := range slices.Sorted(maps.Keys(costs)) {
				slow := 1.0
				if random.IntN(4) == 0 {
					slow = 1 + 2*random.Float64() // interrupted
				}
				rows[hash].Samples = append(rows[hash].Samples, resultfile.Sample{Iterations: 9, Value: costs[hash] * round * slow * (1 + 0.1*random.NormFloat64())})
			}
		}
		for _, hash := range slices.Sorted(maps.Keys(costs)) {
			r = append(r, *rows[hash])
		}
		answers[summary(Recommend(set(r)))]++
	}
	if answers["use fmix64: cheaper"] < 198 {
		t.Errorf("answers of 200 runs: %v", answers)
	}
}

// A hash that exceeds the ideal by the luck of a pattern does not replace an undecided default.
func TestLuckIsNotBetter(t *testing.T) {
	var r results
	for i, hash := range []string{"xxh64", "fnv1-64"} {
		name := "Quality/hash=" + hash + "/encoding=le64/" + onQ + "/sketch=hashing/buckets=1024/f=64"
		low, value, high := []float64{799, 1600}[i], []float64{915, 1660}[i], []float64{1044, 1720}[i]
		r.exact(name, value, "effective-buckets", low, "effective-buckets-low", high, "effective-buckets-high", float64(i), "verdict")
	}
	if got := summary(Recommend(set(r).For("hashing"))); !strings.HasPrefix(got, "use xxh64: cannot tell") {
		t.Error(got)
	}
}

// A set judges one kind of sketch. Sizes may differ: the shares of them are compared.
func TestSketchesAreJudgedApart(t *testing.T) {
	var r results
	r.cell("xxh64", "le64", onQ, 63, 1)
	r.exact("Quality/hash=xxh64/encoding=le64/"+onQ+"/sketch=hashing/buckets=1024/f=64", 500.0, "effective-buckets", 600.0, "effective-buckets-norms", -1.0, "verdict")
	r.exact("Quality/hash=xxh64/encoding=le64/"+onQ+"/sketch=hashing/buckets=262144/f=64", 262000.0, "effective-buckets", 262000.0, "effective-buckets-norms", 1.0, "verdict")
	r.exact("Quality/method=gaussian/"+onQ+"/f=64", 60.0, "effective-bits", 1.0, "verdict")
	all := set(r)
	if got := summary(Recommend(all)); got != "use xxh64: nothing cheaper; untimed xxh64" {
		t.Errorf("simhash: %s", got)
	}
	for _, hash := range []string{"xxh64", "fmix64"} { // a time of hashing alone decides nothing
		r.exact("Quality/hash="+hash+"/encoding=le64/"+onQ+"/sketch=minhash/f=64", 64.0, "effective-bits", 64.0, "effective-bits-j80", 1.0, "verdict")
		r.hashed(hash, map[string]float64{"xxh64": 2, "fmix64": 1}[hash])
	}
	if got := summary(Recommend(set(r).For("minhash"))); got != "use xxh64: nothing cheaper" {
		t.Errorf("MinHash: %s", got)
	}
	if got := summary(Recommend(all.For("hashing"))); got != "weak xxh64" {
		t.Errorf("hashing: %s", got)
	}
	if got := Recommend(all.For("minhash")); len(got.Choices) != 0 {
		t.Errorf("MinHash has %d choices", len(got.Choices))
	}
	choice := Choices(all.For("hashing"), func(Case) bool { return true })[0]
	if got, want := choice.Worst().Why(), "500 of 1024 buckets (600 for norms)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
