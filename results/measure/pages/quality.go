package main

import (
	"errors"
	"fmt"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// filed is a result file of which figures are shown; err is what it lacks.
type filed struct {
	rows []resultfile.Summary
	err  error
}

func figuresIn(root, file string) *filed {
	f, err := resultsIn(root, file)
	return &filed{resultfile.Summarize(f.Rows), err}
}

// figure shows the median of a row.
func (f *filed) figure(format, name, unit string) string {
	for _, row := range f.rows {
		if row.Name.String() == name && row.Unit == unit && row.Err == "" {
			return fmt.Sprintf(format, row.Median)
		}
	}
	f.err = errors.Join(f.err, fmt.Errorf("there is no %s of %s", unit, name))
	return ""
}

// unsure is the table of what unsure bits find.
func unsure(root, file string) (string, error) {
	rows := figuresIn(root, file)
	out := line("vectors", "cosine", "k = 3", "k = 5", "k = 3, 8 ignored", "4 + 4 ignored", "by distance", "by sums", "bias") + rule(9)
	for _, v := range []struct{ name, vectors, cosines string }{
		{"100 features, weights e^(0.8·N)", "weights=lognormal/f=64/nnz=100", "0.99 0.98 0.95 0.90 0.80"},
		{"10 features, weights e^(0.8·N)", "weights=lognormal/f=64/nnz=10", "0.98 0.95 0.80"},
		{"100 features, weight 1", "weights=unit/f=64/nnz=100", "0.98 0.95"},
		{"100 features, one of them 82 % of the squared length", "weights=outlier/f=64/nnz=100", "0.98 0.95 0.80"},
	} {
		for _, cosine := range strings.Fields(v.cosines) {
			name := "Unsure/hash=xxh64/" + v.vectors + "/cosine=" + cosine
			cells := []string{v.name, cosine}
			for _, way := range []string{"/k=3", "/k=5", "/t=8/k=3", "/t=4/masks=2/k=3"} {
				cells = append(cells, rows.figure("%.2f", name+way, "recall"))
			}
			out += line(append(cells, rows.figure("%.3f", name+"/by=distance", "cosine-rmse"), rows.figure("%.3f", name+"/by=sums", "cosine-rmse"), rows.figure("%+.3f", name+"/by=sums", "cosine-bias"))...)
		}
	}
	wide := func(way string) string {
		var found []any
		for _, cosine := range []string{"0.98", "0.95", "0.90"} {
			found = append(found, rows.figure("%.2f", "Unsure/hash=md5/weights=lognormal/f=128/nnz=100/cosine="+cosine+way, "recall"))
		}
		return fmt.Sprintf("%s, %s and %s", found...)
	}
	out += fmt.Sprintf("\nOf 128 bits, 16 ignored and k = 6 find %s at cosine 0.98, 0.95 and 0.90, where plain k = 10, the least that lets as many strangers pass, finds %s.\n",
		wide("/t=16/k=6"), wide("/k=10"))
	return out, rows.err
}

// bits shows the effective bits of 64 over all angles and, behind the separator, at cosine 0.9 and
// above.
func (f *filed) bits(hash, vectors, separator string) string {
	name := "Quality/hash=" + hash + "/" + vectors + "/f=64"
	return f.figure("%.1f", name, "effective-bits") + separator + f.figure("%.1f", name, "effective-bits-cos90")
}

// bands is the table that shows what bands and kinds of weights amount to.
func bands(root, file string) (string, error) {
	rows := figuresIn(root, file)
	out := line("", "SplitMix64", "FNV-1a le64", "FNV-1a be64", "FNV-1a dec") + "|---|---|---|---|---|\n"
	for _, pattern := range []string{"uniform1e7", "dense1e3", "consecutive"} {
		for _, weights := range []string{"unit", "signed"} {
			cells := []string{pattern + ", " + weights}
			for _, hash := range []string{"splitmix64/encoding=le64", "fnv1a64/encoding=le64", "fnv1a64/encoding=be64", "fnv1a64/encoding=dec"} {
				cells = append(cells, rows.bits(hash, "pattern="+pattern+"/weights="+weights, ", "))
			}
			out += line(cells...)
		}
	}
	return out, rows.err
}

// proved is the table of hashes of which something is proved.
func proved(root, file string) (string, error) {
	rows := figuresIn(root, file)
	out := line("indices", "mixed-tabulation", "multiply-shift") + "|---|---|---|\n"
	for _, p := range [][2]string{
		{"uniform64", "uniform below 2^64"}, {"uniform1e7", "uniform below 10^7"}, {"dense1e3", "dense below 10^3"}, {"consecutive", "runs of consecutive ones"},
		{"strided", "runs with a stride"}, {"pow2", "sums of one or two powers of two"}, {"bitrev", "bit-reversed runs"},
	} {
		out += line(p[1], rows.bits("mixed-tabulation/encoding=le64", "pattern="+p[0]+"/weights=unit", " / "), rows.bits("multiply-shift/encoding=le64", "pattern="+p[0]+"/weights=unit", " / "))
	}
	return out, rows.err
}
