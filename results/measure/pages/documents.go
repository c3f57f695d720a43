package main

import (
	"fmt"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/binomial"
)

// settings lists the rows of the table of documents: how a row is called, the name of its tool in
// the result files, and what of the fingerprints is compared; nothing for other tools.
var settings = []struct {
	name, tool  string
	k, unsure   int
	fingerprint bool
}{
	{"`dedup-corpus`, the default, k = 3", "fphash/features=words,n=3,fold", 3, 0, true},
	{"k = 5", "fphash/features=words,n=3,fold/k=5", 5, 0, true},
	{"`--unsure 4`, k = 3", "fphash/features=words,n=3,fold/t=4", 3, 4, true},
	{"`--unsure 8`, k = 3", "fphash/features=words,n=3,fold/t=8", 3, 8, true},
	{"text-dedup SimHash", "text-dedup-simhash", 0, 0, false},
	{"text-dedup MinHash", "text-dedup-minhash", 0, 0, false},
}

// documents is the table of what runs over documents find and take: ours from a file, other tools
// from the newest documents.txt of the same processor.
func documents(root, file string) (string, error) {
	ours, err := resultsIn(root, file)
	if err != nil {
		return "", err
	}
	other, err := newest(root, file, "documents.txt")
	if err != nil {
		return "", err
	}
	peers, err := resultsIn(root, other)
	if err != nil {
		return "", err
	}
	out := fmt.Sprintf("Made-up documents of 1.2 kB with planted copies, two cores: of 100 copies with that edit, how many are found (unchanged copies always are), what that costs in pairs of strangers, "+
		"seconds and memory ([ours](../%s), [text-dedup](../%s), [how](../METHODOLOGY.md#documents)).\n\n", file, other)
	out += line("", "one word", "1% of words", "5%", "10% longer", "strangers in 10^12 pairs", "10^5: s", "MB", "10^6: s", "MB") + rule(10)
	for _, s := range settings {
		rows := times(resultfile.Summarize(ours.Rows))
		if !s.fingerprint {
			rows = resultfile.Summarize(peers.Rows)
		}
		cells := []string{s.name}
		for _, edit := range []string{"one-word", "words-1%", "words-5%", "longer-10%"} {
			cells = append(cells, rows.value("CorpusFound/tool="+s.tool+"/edit="+edit+"/n=100000", "recall", 100))
		}
		cells = append(cells, "–")
		if s.fingerprint {
			cells[len(cells)-1] = fmt.Sprintf("%.2g", 1e12*strangers(s.k, s.unsure))
		}
		for _, n := range []string{"100000", "1000000"} {
			total := "Corpus/tool=" + s.tool + "/stage=total/cpus=2/n=" + n
			cells = append(cells, rows.value(total, "ns/op", 1e-9), rows.value(total, "peak-bytes", 1e-6))
		}
		out += line(cells...)
	}
	return out, nil
}

// value shows the median of a row in whole units, or a dash where there is none.
func (t times) value(name, unit string, factor float64) string {
	for _, row := range t {
		if row.Name.String() == name && row.Unit == unit && row.Err == "" {
			if v := row.Median * factor; v < 9.5 {
				return fmt.Sprintf("%.2g", v)
			}
			return fmt.Sprintf("%.0f", row.Median*factor)
		}
	}
	return "–"
}

// strangers is the probability that two random fingerprints of 64 bits are within k, where each of
// them leaves t bits out.
func strangers(k, t int) float64 {
	const bits = 64
	overlap := make([]float64, t+1) // of two sets of t bits
	sum := 0.0
	for same := range overlap {
		overlap[same] = choose(t, same) * choose(bits-t, t-same)
		sum += overlap[same]
	}
	p := 0.0
	for same, weight := range overlap {
		atMost := make([]float64, bits-2*t+same+1)
		binomial.AtMost(atMost, 0.5)
		p += weight / sum * atMost[k]
	}
	return p
}

// choose is the number of ways to take k of n.
func choose(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways *= float64(n-i) / float64(i+1)
	}
	return ways
}
