package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/internal/similarity"
)

// lines calls take for each line of a compressed file of the reference data.
func (c *claims) lines(name string, take func(line string) error) error {
	f, err := os.Open(filepath.Join(c.data, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	scanner := bufio.NewScanner(z)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if err := take(scanner.Text()); err != nil {
			return err
		}
	}
	return scanner.Err()
}

// language is running text in one language, as units: words, or characters without spaces.
type language struct {
	name      string
	units     []string
	separator string
}

// languages returns the text of an English and of a Chinese translation of the Bible.
func (c *claims) languages() ([]language, error) {
	en, zh := language{name: "English words", separator: " "}, language{name: "Chinese characters"}
	err := c.lines("neardup/bible/KJVPCE.tsv.gz", func(line string) error {
		_, verse, _ := strings.Cut(line, "\t")
		en.units = append(en.units, strings.Fields(verse)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = c.lines("neardup/bible/ChiUn.tsv.gz", func(line string) error {
		_, verse, _ := strings.Cut(line, "\t")
		for _, r := range verse {
			zh.units = append(zh.units, string(r))
		}
		return nil
	})
	return []language{en, zh}, err
}

// at returns the n units from a random place.
func (l language) at(r *rand.Rand, n int) []string {
	from := r.IntN(len(l.units) - n)
	return slices.Clone(l.units[from : from+n])
}

// apart returns at most count texts of n units that do not overlap.
func (l language) apart(n, count int) (texts []string) {
	for i := 0; i+n <= len(l.units) && len(texts) < count; i += n {
		texts = append(texts, l.text(l.units[i:i+n]))
	}
	return texts
}

// edited returns a copy in which n units are replaced by units of other places.
func (l language) edited(r *rand.Rand, units []string, n int) []string {
	copied := slices.Clone(units)
	for _, i := range r.Perm(len(units))[:n] {
		for copied[i] == units[i] {
			copied[i] = l.units[r.IntN(len(l.units))]
		}
	}
	return copied
}

func (l language) text(units []string) string { return strings.Join(units, l.separator) }

// splitter sketches texts by the words of package text, with a scheme of weights.
type splitter struct {
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	unit     bool               // ignore the weights
	sketcher []*fphash.Sketcher // with different seeds
}

// seeds is the number of hash functions over which figures about texts are averaged: a few frequent
// words decide the fingerprints of texts, so one function could have luck.
const seeds = 20

func newSplitter(o weights.Options) *splitter {
	s := &splitter{analyzer: must(text.New(text.Options{Fold: true})), weigher: must(weights.New(o))}
	for seed := range uint64(seeds) {
		s.sketcher = append(s.sketcher, must(fphash.New(fphash.Definition{Seed: seed})))
	}
	return s
}

func (s *splitter) vector(t string) weights.Vector {
	v := s.weigher.Weigh(s.analyzer.Append(nil, []byte(t)))
	for i := range v.Weights {
		if s.unit {
			v.Weights[i] = 1
		}
	}
	return v
}

// sketch returns the fingerprint of a text with one of the seeds.
func (s *splitter) sketch(t string, seed int) uint64 { return s.fingerprint(s.vector(t), seed) }

func (s *splitter) fingerprint(v weights.Vector, seed int) uint64 {
	dst, _, err := fphash.Append(s.sketcher[seed%seeds], nil, v.Features, v.Weights)
	must(0, err)
	return dst[0]
}

// others counts the distances of all pairs of the texts, with all seeds. It returns the number of
// pairs, too.
func (s *splitter) others(texts []string) (far [65]int, pairs int) {
	var vectors []weights.Vector
	for _, t := range texts {
		vectors = append(vectors, s.vector(t).Clone())
	}
	for seed := range seeds {
		var fingerprints []uint64
		for _, v := range vectors {
			f := s.fingerprint(v, seed)
			for _, g := range fingerprints {
				far[int(differing(f, g))]++
			}
			fingerprints = append(fingerprints, f)
		}
	}
	return far, seeds * len(texts) * (len(texts) - 1) / 2
}

const textPairs = 500

// texts answers the claims about texts: 7 to 10, 12 and 25.
func (c *claims) texts() error {
	languages, err := c.languages()
	if err != nil {
		return err
	}
	plain := newSplitter(weights.Options{})
	r := rand.New(rand.NewPCG(7, 7))
	sums := [3]float64{}
	for i := range textPairs {
		units := languages[0].at(r, 100)
		a, b := languages[0].text(units), languages[0].text(languages[0].edited(r, units, 1))
		sums[0] += differing(md5Of(a), md5Of(b)) / textPairs
		sums[1] += differing(uint64(hashCode(a)), uint64(hashCode(b))) / textPairs
		sums[2] += differing(plain.sketch(a, i), plain.sketch(b, i)) / textPairs
	}
	for i, name := range []string{"md5", "hashcode", "simhash"} {
		c.put("Claim/row=7/hash="+name, "bits", sums[i])
	}
	c.say(answer{7, "A", "MD5 tells only equal from unequal, simhash tells similar",
		fmt.Sprintf("after one word of 100 has changed, of 500 texts: %.1f of 64 bits of MD5 differ, %.1f of 32 of Java's hashCode, %.1f of 64 of simhash", sums[0], sums[1], sums[2]), "true", own, ""})

	characters := must(text.New(text.Options{Features: "characters", N: 1}))
	near := [2]int{}
	var distances [2]float64
	for pair := range textPairs {
		units := languages[1].at(r, 17)
		a, b := languages[1].text(units), languages[1].text(languages[1].edited(r, units, 2))
		for i, sketch := range []func(string) uint64{
			func(t string) uint64 { return plain.sketch(t, pair) },
			func(t string) uint64 {
				indices := characters.AppendIndices(nil, []byte(t))
				f, _, _ := fphash.SketchUnit64(indices)
				return f
			},
		} {
			d := differing(sketch(a), sketch(b))
			distances[i] += d / textPairs
			if d <= 3 {
				near[i]++
			}
		}
	}
	c.put("Claim/row=8/features=words", "bits", distances[0])
	c.put("Claim/row=8/features=characters", "bits", distances[1])
	c.say(answer{8, "A", "two sentences of 17 characters with two changed characters have near simhashes",
		fmt.Sprintf("500 pairs of Chinese sentences of 17 characters: mean distance %.1f of 64 bits by pairs of characters, %.1f by single characters; k = 3 finds %.1f%% and %.1f%%; S = 15/17 = 0.88", distances[0], distances[1], 100*float64(near[0])/textPairs, 100*float64(near[1])/textPairs),
		"false at k = 3", own, ""})
	c.lengths(languages, plain)
	c.weightings(languages[0])
	return c.paraphrases()
}

var (
	lengths = []int{20, 50, 140, 500, 2000}
	shares  = []int{1, 3, 5, 10} // percent
)

// lengths answers rows 9 and 10 with recall and false pairs by length and by share of changes.
func (c *claims) lengths(languages []language, plain *splitter) {
	const pairs, texts = 300, 1000
	var table strings.Builder
	table.WriteString("## Rows 9 and 10: recall at k = 3 and at k = 10, by length and share of changed words\n\n" +
		"300 pairs of texts of each kind, 64 bits, 20 seeds, words of package text with their counts. \"Other\" is the number\nof unrelated pairs within k among a million. \"k\" finds 95% of the texts with 5% of changes.\n\n" +
		"| text | length | 1% at k = 3 / 10 | 3% | 5% | 10% | other at k = 3 / 10 | k |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	at := func(recalls map[string]float64, l, n, share, k int) float64 {
		return recalls[fmt.Sprint(l, n, share, k)]
	}
	recalls, falseShares := map[string]float64{}, make([]float64, len(languages))
	least, most, mostOthers := 1.0, 0.0, 0.0 // recall at k = 3 with 5% of changes, and unrelated pairs of a million
	for l, language := range languages {
		for _, n := range lengths {
			r := rand.New(rand.NewPCG(uint64(n), uint64(l)))
			cells, wanted := []string{}, 0
			for _, share := range shares {
				var d []int
				for i := range pairs {
					units := language.at(r, n)
					edits := max(1, n*share/100)
					a, b := plain.sketch(language.text(units), i), plain.sketch(language.text(language.edited(r, units, edits)), i)
					d = append(d, int(differing(a, b)))
				}
				slices.Sort(d)
				name := fmt.Sprintf("Claim/row=9/text=%s/changed=%d/n=%d", strings.Fields(language.name)[0], share, n)
				for _, k := range []int{3, 10} {
					at, _ := slices.BinarySearch(d, k+1)
					recalls[fmt.Sprint(l, n, share, k)] = c.put(name, fmt.Sprintf("recall-k%d", k), float64(at)/pairs)
				}
				if share == 5 {
					recall := at(recalls, l, n, share, 3)
					least, most = min(least, recall), max(most, recall)
					wanted = d[(95*pairs+99)/100-1]
				}
				cells = append(cells, fmt.Sprintf("%.0f / %.0f%%", 100*at(recalls, l, n, share, 3), 100*at(recalls, l, n, share, 10)))
			}
			far, all := plain.others(language.apart(n, texts))
			within, sum := [2]int{}, 0
			for d := range 11 {
				if sum += far[d]; d == 3 {
					within[0] = sum
				}
			}
			within[1] = sum
			perMillion := 1e6 / float64(all)
			mostOthers = max(mostOthers, float64(within[0])*perMillion)
			other := fmt.Sprintf("%.0f / %.0f", float64(within[0])*perMillion, float64(within[1])*perMillion)
			falseShares[l] = float64(within[1]) * perMillion / 1e4 // at last, of the longest
			c.put(fmt.Sprintf("Claim/row=9/text=%s/n=%d", strings.Fields(language.name)[0], n), "other-k10-per-million", float64(within[1])*perMillion)
			fmt.Fprintf(&table, "| %s | %d | %s | %s | %d |\n", language.name, n, strings.Join(cells, " | "), other, wanted)
		}
	}
	figure := func(k int) string {
		var list []string
		for l, language := range languages {
			for _, n := range []int{20, 140, 500, 2000} {
				list = append(list, fmt.Sprintf("%d %s %.0f%%", n, strings.Fields(language.name)[0], 100*at(recalls, l, n, 5, k)))
			}
		}
		return fmt.Sprintf("found at k = %d with 5%% of the words changed, by length: %s (table below)", k, strings.Join(list, ", "))
	}
	c.curves(recalls, languages)
	c.say(answer{9, "A, B, E", "a distance of at most 3 of 64 bits means similar", figure(3),
		fmt.Sprintf("depends on the length and the features: k = 3 finds %.0f to %.0f%% of the pairs with 5%% of changes, and up to %.0f of a million unrelated pairs", 100*least, 100*most, mostOthers), own, table.String()})
	c.say(answer{10, "A, C", "good above 500 characters, bad at 140; about 10 for short texts, which is wrong for long ones", figure(10),
		fmt.Sprintf("depends on the features: of unrelated texts of 2,000 units, k = 10 finds %.2g%% with counts of English words and %.2g%% with pairs of Chinese characters", falseShares[0], falseShares[1]), own, ""})
}

// weightings answers row 12: recall at equal numbers of false pairs.
func (c *claims) weightings(en language) {
	const pairs, texts, n, edits = 500, 1500, 200, 10
	r := rand.New(rand.NewPCG(12, 12))
	analyzer := must(text.New(text.Options{Fold: true}))
	builder := weights.NewBuilder("words")
	for i := 0; i+n <= len(en.units); i += n {
		builder.Add(analyzer.Append(nil, []byte(en.text(en.units[i:i+n]))))
	}
	idf := builder.List()
	ways := []struct {
		name string
		*splitter
	}{
		{"weight 1", newSplitter(weights.Options{})},
		{"weight 1 without stop words", newSplitter(weights.Options{})},
		{"counts", newSplitter(weights.Options{})},
		{"TF-IDF", newSplitter(weights.Options{Scheme: weights.TFIDF, List: idf})},
		{"TextRank", newSplitter(weights.Options{Scheme: weights.TextRank})},
		{"top 5", newSplitter(weights.Options{Scheme: weights.TFIDF, List: idf, Top: 5})},
		{"top 22", newSplitter(weights.Options{Scheme: weights.TFIDF, List: idf, Top: 22})},
		{"top 100", newSplitter(weights.Options{Scheme: weights.TFIDF, List: idf, Top: 100})},
	}
	ways[0].unit, ways[1].unit = true, true
	ways[1].analyzer = must(text.New(text.Options{Fold: true, Language: "en", Stop: true}))
	var related [][2]string
	for range pairs {
		units := en.at(r, n)
		related = append(related, [2]string{en.text(units), en.text(en.edited(r, units, edits))})
	}
	others := en.apart(n, texts)
	const margin = 0.03 // two standard errors of a difference
	var cells, better, worse []string
	plain := 0.0 // recall with weight 1
	for _, way := range ways {
		near := [65]int{}
		for i, p := range related {
			near[int(differing(way.sketch(p[0], i), way.sketch(p[1], i)))]++
		}
		far, all := way.others(others)
		recall := c.put("Claim/row=12/weights="+strings.ReplaceAll(way.name, " ", "-"), "recall", foundAt(near, far, 10*float64(all)/1e6)/pairs)
		if way.name == ways[0].name {
			plain = recall
		} else if recall > plain+margin {
			better = append(better, way.name)
		} else if recall < plain-margin {
			worse = append(worse, way.name)
		}
		cells = append(cells, fmt.Sprintf("%s %.0f%%", way.name, 100*recall))
	}
	verdict := truth(len(better) > 0, "of "+strings.Join(better, ", "), "nothing is clearly better than weight 1") + "; worse are " + strings.Join(worse, ", ")
	c.say(answer{12, "A, E", "drop stop words, take the top keywords, weight by TF-IDF or TextRank",
		"recall of texts of 200 words with 5% of them changed, at 10 false pairs of a million: " + strings.Join(cells, ", "), verdict, own, ""})
}

// foundAt returns how many near pairs a threshold finds with that many false pairs, from the
// numbers of pairs by distance. It interpolates between two thresholds, since their numbers of
// false pairs are far apart.
func foundAt(near, far [65]int, falsePairs float64) (found float64) {
	for k := range near {
		others := float64(far[k])
		if others > falsePairs {
			return found + falsePairs/others*float64(near[k])
		}
		found, falsePairs = found+float64(near[k]), falsePairs-others
	}
	return found
}

// paraphrases answers row 25 with Japanese sentences that people judged to mean the same.
func (c *claims) paraphrases() error {
	hasher, comparer := similarity.NewWordHasher(false), similarity.Comparer{}
	n, sum, similar := 0, 0.0, 0
	err := c.lines("neardup/jsts-valid-v1.3.jsonl.gz", func(line string) error {
		var pair struct {
			Sentence1, Sentence2 string
			Label                float64
		}
		if err := json.Unmarshal([]byte(line), &pair); err != nil || pair.Label < 4 {
			return err
		}
		s, _, err := comparer.AtLeast(context.Background(), hasher.Append(nil, []byte(pair.Sentence1)), hasher.Append(nil, []byte(pair.Sentence2)), 0)
		if err != nil {
			return err
		}
		n, sum = n+1, sum+s
		if s >= 0.9 {
			similar++
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.put("Claim/row=25", "mean-similarity", sum/float64(n))
	c.put("Claim/row=25", "share-at-0.9", float64(similar)/float64(n))
	c.say(answer{25, "A", "good deduplication also compares the meaning",
		fmt.Sprintf("%d pairs of Japanese sentences that people rate 4 of 5 or more: S is %.2f on average, and 0.9 or more in %.1f%%", n, sum/float64(n), 100*float64(similar)/float64(n)),
		"true, and a sketch of words does not", own, ""})
	return nil
}
