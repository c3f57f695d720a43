package page

import (
	"fmt"
	"strconv"

	"simhashkit/datasets/text/weights"
	"simhashkit/internal/english"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/collections"
	"simhashkit/results/measure/texts/measure"
)

const p90 = evidence.Recall + evidence.AtPrecision90

// features compares features, all with the same weights, by collection: exactly, and by
// fingerprints.
func (f figures) features() (out string, err error) {
	for _, language := range []string{collections.English, collections.Chinese, collections.Japanese} {
		var list []collection
		header := []string{languages[language]}
		for _, c := range f.fit() {
			if c.language == language {
				list, header = append(list, c), append(header, c.String())
			}
		}
		out += line(header...) + rule(1, len(list))
		for _, d := range definitionsOf(language) {
			if d.Weights != weights.LogCount {
				continue
			}
			cells := []string{"`" + d.Features + "`"}
			for _, c := range list {
				cell := ""
				for i, way := range [][]string{{"by", "cosine"}, {"f", "64"}, {"f", "128"}} {
					v, err := f.value(c.rows(evidence.Texts, keysOf(d, way...)...), p90)
					if err != nil {
						return "", err
					}
					cell += []string{"", " · ", " · "}[i] + english.Hundred(v)
				}
				cells = append(cells, cell)
			}
			out += line(cells...)
		}
		out += "\n"
	}
	return out, nil
}

func definitionsOf(language string) []measure.Definition {
	return measure.Definitions(&collections.Collection{Language: language})
}

// weights compares weights: the mean over the collections of a language and over features.
func (f figures) weights() (string, error) {
	out := line("", "English: exact", "64 bits", "128", "Chinese: exact", "64 bits", "128", "Japanese: exact", "64 bits", "128") + rule(1, 9)
	for _, scheme := range []weights.Scheme{weights.Count, weights.LogCount, weights.TFIDF, weights.LogTFIDF} {
		cells := []string{"`" + string(scheme) + "`"}
		for _, language := range []string{collections.English, collections.Chinese, collections.Japanese} {
			for _, way := range [][]string{{"by", "cosine"}, {"f", "64"}, {"f", "128"}} {
				sum, n := 0.0, 0
				for _, c := range f.fit() {
					for _, d := range definitionsOf(language) {
						if c.language != language || d.Weights != scheme || !d.SingleWords() {
							continue // of all schemes, the same features
						}
						v, err := f.value(c.rows(evidence.Texts, keysOf(d, way...)...), p90)
						if err != nil {
							return "", err
						}
						sum, n = sum+v, n+1
					}
				}
				if n == 0 {
					return "", fmt.Errorf("there is no collection of language %s", language)
				}
				cells = append(cells, english.Hundred(sum/float64(n)))
			}
		}
		out += line(cells...)
	}
	return out, nil
}

// ways are the columns of the table of widths.
var ways = [][]string{{"by", "cosine"}, {"f", "64"}, {"f", "64", "t", "8"}, {"f", "64", "t", "4", "masks", "2"}, {"f", "128"}, {"f", "128", "t", "16"}, {"f", "256"}}

// widths compares widths and masks, by what is recommended.
func (f figures) widths() (string, error) {
	out := line("", "features, weights", "exact cosine", "64 bits, k", "t = 8 of one", "t = 4 of both", "128 bits, k", "t = 16 of one", "256 bits, k") + rule(2, 7)
	for _, a := range advised {
		for _, c := range f.fit() {
			if c.language != a.language || c.length != a.length {
				continue
			}
			cells := []string{languages[c.language] + ": " + c.String(), "`" + a.Features + "`, `" + string(a.Weights) + "`"}
			for _, way := range ways {
				name := c.rows(evidence.Texts, keysOf(a.Definition, way...)...)
				v, err := f.value(name, p90)
				if err != nil {
					return "", err
				}
				cell := english.Hundred(v)
				if k, ok := f.values[name+" "+evidence.Threshold+evidence.AtPrecision90]; ok {
					cell += ", " + strconv.FormatFloat(k, 'g', 3, 64)
				}
				cells = append(cells, cell)
			}
			out += line(cells...)
		}
	}
	return out, nil
}

// cosines says how many of the pairs of a cosine fingerprints find, at the default k and at best.
func (f figures) cosines() (string, error) {
	out := line("", "cosine", "pairs", "64 bits, k = 3", "at best", "128 bits, k = 6", "at best", "256 bits, k = 12", "at best") + rule(1, 8)
	for _, a := range advised {
		for _, c := range f.fit() {
			if c.language != a.language || c.length != a.length {
				continue
			}
			for _, least := range []string{"0.9", "0.8"} {
				keys := append([]string{"truth", "cosine" + least}, keysOf(a.Definition)...)
				pairs, ok := f.values[c.rows(evidence.Texts, append(keys, "f", "64")...)+" "+evidence.SamePairs]
				if !ok {
					continue // too few
				}
				cells := []string{languages[c.language] + ": " + c.String(), least, strconv.FormatFloat(pairs, 'f', 0, 64)}
				for _, bits := range []string{"64", "128", "256"} {
					var err error
					if cells, err = f.cells(cells, c.rows(evidence.Texts, append(keys, "f", bits)...), evidence.Recall+evidence.AtDefaultK, p90); err != nil {
						return "", err
					}
				}
				out += line(cells...)
			}
		}
	}
	return out, nil
}
