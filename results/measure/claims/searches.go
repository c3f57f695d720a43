package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/internal/bench/naive"
	"simhashkit/internal/bench/terms"
)

// searches answers the claims about distances and searches: 15 to 23.
func (c *claims) searches() error {
	distance := func(method string) (list [3]float64) {
		for i, d := range []int{3, 16, 32} {
			list[i] = c.value(fmt.Sprintf("Distance/method=%s/f=64/differing=%d", method, d), terms.NanosecondsPerComparison)
		}
		return list
	}
	stringsOf, clearing, count := distance(terms.Strings), distance(terms.Clearing), distance(terms.Count)
	kernel := 0.0
	for _, r := range c.rows {
		if strings.HasPrefix(r.Name, terms.HammingScan+"/") && strings.HasSuffix(r.Name, "/n=10000") && r.Err == "" {
			kernel = max(kernel, c.value(r.Name, r.Unit))
		}
	}
	scan := 8e3 / kernel
	c.say(answer{15, "C", "count bits by p &= p−1", fmt.Sprintf("ns per comparison at 3, 16, 32 differing bits: p &= p−1 %.2f, %.2f, %.2f; strings %.0f, %.0f, %.0f; bits.OnesCount64 %.2f; fastest kernel %.3f", clearing[0], clearing[1], clearing[2], stringsOf[0], stringsOf[1], stringsOf[2], count[1], scan),
		"true, and its time grows with the distance", methods, ""})
	slowest := max(slices.Max(stringsOf[:]), clearing[2], count[2], scan)
	c.say(answer{16, "A", "10^6 comparisons take 100 ms", fmt.Sprintf("ms for 10^6: strings %.0f, p &= p−1 at 32 bits %.1f, OnesCount64 %.2f, fastest kernel %.2f", slices.Max(stringsOf[:]), clearing[2], count[2], scan),
		truth(slowest >= 100, "on this machine", fmt.Sprintf("the slowest way takes %.0f ms", slowest)), methods, ""})
	search := func(rest, n, unit string) float64 { return c.value("Search/method="+rest+"/n="+n, unit) }
	million := func(method, keys string) float64 {
		return search(method+"/f=64/k=3"+keys, "1000000", terms.NanosecondsPerQuery)
	}
	times := func(method, keys string) float64 { return million(method, keys) / million("scan", "") }
	ns := func(method, keys string) string {
		var list []string
		for _, n := range []string{"100000", "1000000", "10000000"} {
			name := method + "/f=64/k=3" + keys
			if slices.ContainsFunc(c.rows, func(r resultfile.Row) bool {
				return r.Name == "Search/method="+name+"/n="+n && r.Unit == terms.NanosecondsPerQuery
			}) {
				list = append(list, microseconds(search(name, n, terms.NanosecondsPerQuery)))
			}
		}
		return strings.Join(list, ", ")
	}
	facts := func(method, keys string) string {
		name := method + "/f=64/k=3" + keys
		return fmt.Sprintf("%.0f B per entry, built in %.2g s at 10^6", search(name, "1000000", terms.BytesPerEntry), search(name, "1000000", terms.BuildPerEntry)/1e3)
	}
	var perHour []string
	slowest = 0
	for _, m := range [][2]string{{"scan", ""}, {"postings", ""}, {"neighbours", ""}, {"blocks", ""}, {"manku", "/tables=10"}, {"index", ""}} {
		perHour = append(perHour, fmt.Sprintf("%s%s %s", m[0], m[1], thousands(3600e9/million(m[0], m[1]))))
		slowest = max(slowest, million(m[0], m[1]))
	}
	inserts := 1e9 / search("index/f=64/k=3", "1000000", terms.BuildPerEntry)
	c.say(answer{17, "A", "one thread answers 10 queries a second, 36,000 an hour; 10^6 an hour need 30 threads", "queries an hour of one core against 10^6: " + strings.Join(perHour, ", ") + "; the index takes " + thousands(inserts) + " inserts a second",
		truth(3600e9/slowest < 1e6, "of the slowest method", "one core answers 10^6 an hour with every method"), methods, ""})
	c.say(answer{18, "B 3.1", "compare with all earlier ones", "per query at 10^5, 10^6, 10^7: " + ns("scan", ""),
		fmt.Sprintf("true, and the time grows with the number: %.0f times as long at 10^6 as at 10^5", million("scan", "")/search("scan/f=64/k=3", "100000", terms.NanosecondsPerQuery)), methods, ""})
	c.say(answer{19, "B 3.2", "64 posting lists, one per bit; take the candidates that agree in many bits", "per query: " + ns("postings", "") + "; " + facts("postings", ""),
		fmt.Sprintf("true, but it counts every entry, and takes %.1f times as long as a scan of 10^6", times("postings", "")), methods, ""})
	c.say(answer{20, "C", "flip up to 3 bits and look up 43,745 values", "per query: " + ns("neighbours", "") + "; " + facts("neighbours", ""),
		fmt.Sprintf("true, but it takes %.1f times as long as a scan of 10^6", times("neighbours", "")), methods, ""})
	c.say(answer{21, "B 3.3, C, M07", "4 pieces of 16 bits, of which one must be equal; four tables",
		fmt.Sprintf("per query: four tables %s (%s), 10 permuted tables %s (%s), 20 %s (%s), the kit's index %s (%s); candidates at 10^6: %.0f, %.1f, %.1f", ns("blocks", ""), facts("blocks", ""), ns("manku", "/tables=10"), facts("manku", "/tables=10"),
			ns("manku", "/tables=20"), facts("manku", "/tables=20"), ns("index", ""), facts("index", ""), search("blocks/f=64/k=3", "1000000", terms.CandidatesPerQuery), search("manku/f=64/k=3/tables=10", "1000000", terms.CandidatesPerQuery), search("manku/f=64/k=3/tables=20", "1000000", terms.CandidatesPerQuery)),
		fmt.Sprintf("true: they are exact, and a scan of 10^6 takes %s times as long as four tables", thousands(1/times("blocks", ""))), methods, ""})
	c.pictures(million)
	if err := c.realCandidates(search("blocks/f=64/k=3", "1000000", terms.CandidatesPerQuery)); err != nil {
		return err
	}
	window := func(n string) string {
		return fmt.Sprintf("%.1f%% in %s", 100*search("permutations/f=64/k=3/permutations="+n, "1000000", terms.Recall), microseconds(search("permutations/f=64/k=3/permutations="+n, "1000000", terms.NanosecondsPerQuery)))
	}
	c.say(answer{23, "R05", "random permutations, sorted lists, a window around the query", "recall at 3 bits with a window of 20, at 10^6: 10 permutations " + window("10") + ", 100 permutations " + window("100"),
		fmt.Sprintf("true, but not exact, and 10 permutations take %.0f times as long as four tables", million("permutations", "/permutations=10")/million("blocks", "")), methods, ""})
	return nil
}

// realCandidates answers row 22 with fingerprints of verses.
func (c *claims) realCandidates(random float64) error {
	plain := newSplitter(weights.Options{})
	var fingerprints []uint64
	for _, version := range []string{"KJVPCE", "ASV"} {
		err := c.lines("neardup/bible/"+version+".tsv.gz", func(line string) error {
			_, verse, _ := strings.Cut(line, "\t")
			fingerprints = append(fingerprints, plain.sketch(verse, 0))
			return nil
		})
		if err != nil {
			return err
		}
	}
	table, r := naive.NewBlocks(fingerprints), rand.New(rand.NewPCG(22, 22))
	const queries = 2000
	sum := 0
	for range queries {
		_, n := table.AppendWithin(nil, fingerprints[r.IntN(len(fingerprints))])
		sum += n
	}
	measured := c.put("Claim/row=22", terms.CandidatesPerQuery, float64(sum)/queries)
	c.say(answer{22, "C", "5·10^7 texts: about 1,000 candidates per table, 4,000 in all",
		fmt.Sprintf("expected 4·N/2^16 = 3,052 at 5·10^7; at 10^6 61, measured %.1f on random fingerprints; on %s fingerprints of verses %.1f instead of %.1f", random, thousands(float64(len(fingerprints))), measured, 4*float64(len(fingerprints))/65536),
		fmt.Sprintf("depends on the data: true of random fingerprints; verses have %.0f times as many candidates as expected", measured*65536/4/float64(len(fingerprints))), own, ""})
	return nil
}

// others answers row 24: how many unrelated vectors have equal codes.
func (c *claims) others() error {
	const n = 1_000_000
	s := must(fphash.New(fphash.Definition{}, fphash.WithWorkers(1)))
	r := rand.New(rand.NewPCG(24, 24))
	indices := make([]uint64, 0, 51)
	fingerprints := make([]uint64, 0, n)
	for range n {
		indices = indices[:0]
		for range 51 { // an odd number has no ties
			indices = append(indices, r.Uint64())
		}
		var err error
		if fingerprints, _, err = fphash.AppendUnit(s, fingerprints, indices); err != nil {
			return err
		}
	}
	var cells []string
	for _, f := range []int{20, 30, 40, 64} {
		short := slices.Clone(fingerprints)
		for i := range short {
			short[i] &= ^uint64(0) >> (64 - f)
		}
		slices.Sort(short)
		pairs, run := 0, 0
		for i := 1; i < n; i++ {
			if run++; short[i] != short[i-1] {
				run = 0
			}
			pairs += run
		}
		c.put(fmt.Sprintf("Claim/row=24/f=%d", f), "equal-pairs", float64(pairs))
		cells = append(cells, fmt.Sprintf("%d bits %s", f, thousands(float64(pairs))))
	}
	c.say(answer{24, "C", "20 hyperplanes tell 10^6 documents apart, 30 tell 10^9", "pairs with equal codes among 10^6 unrelated vectors: " + strings.Join(cells, ", ") + "; expected N²/2^(f+1) = 476,837 at 20 bits", "false", own, ""})
	return nil
}

func microseconds(ns float64) string {
	switch {
	case ns >= 1e6:
		return short(ns/1e6) + " ms"
	case ns >= 1e3:
		return short(ns/1e3) + " µs"
	}
	return fmt.Sprintf("%.0f ns", ns)
}

// short formats a number with two digits or more.
func short(v float64) string {
	if v < 9.95 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

// thousands formats a whole number with commas.
func thousands(v float64) string {
	digits := fmt.Sprintf("%.0f", v)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
