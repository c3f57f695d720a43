package doctor

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"simhashkit/bench/quality"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

const (
	sampleSize      = 1 << 16 // limit of examined fingerprints, which are drawn at random
	leastRecords    = 100     // different fingerprints that an examination needs
	wideBits        = 256     // wider fingerprints are tested on wideRecords records
	wideRecords     = 1024
	leastMinority   = 0.05 // share of the rarer value of a bit, needed to call it a copy
	leastDistance   = 0.2  // mean share of differing bits; below it the records are too alike
	goodShare       = 0.9  // share of effective bits, needed for the verdict good
	chanceOfDefects = 1e-3 // probability below which constant bits are defects
)

// Collector draws a random sample of stored fingerprints in constant memory.
type Collector struct {
	bits   int
	words  int
	seen   uint64
	sample [][]uint64
	random *rand.Rand
}

// NewCollector returns a Collector of fingerprints of that many bits, 1 to fphash.MaxBits.
func NewCollector(bits int) *Collector {
	return &Collector{bits: bits, words: (bits + 63) / 64, random: rand.New(rand.NewChaCha8([32]byte{'d', 'o', 'c', 't', 'o', 'r'}))}
}

// Add adds fingerprints of ceil(bits/64) words each, stored one after the other.
func (c *Collector) Add(fingerprints []uint64) {
	for row := range slices.Chunk(fingerprints, c.words) {
		c.seen++
		if len(c.sample) < sampleSize {
			c.sample = append(c.sample, slices.Clone(row))
		} else if at := c.random.Uint64N(c.seen); at < sampleSize {
			copy(c.sample[at], row)
		}
	}
}

// StoredExamination is the result of examining stored fingerprints.
type StoredExamination struct {
	Name      string          `json:"name"` // of the file
	Bits      int             `json:"bits"`
	Records   uint64          `json:"records"`  // number of fingerprints that were added
	Sampled   int             `json:"examined"` // number of different fingerprints among them
	Judgement terms.Judgement `json:"verdict"`
	Words     string          `json:"words"` // the judgement, explained

	// number of fair bits whose distances have the same variance, with its 95% interval
	Effective float64 `json:"effectiveBits"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Distance  float64 `json:"meanDistance"` // mean Hamming distance of two random records

	// ascending bits that never change, and that equal a lower bit, or its complement, in all
	// records
	Constant []int `json:"constantBits"`
	Copied   []int `json:"copiedBits"`
}

// Examine examines the fingerprints that were added from the file called name. It fails with fewer
// than 100 different ones.
//
// Constant bits, copies and complements make the fingerprints weak, unless the records are so alike
// that chance explains them. The effective bits follow from the distances d of random records:
// p(1-p)n²/Var(d), where n is the number of bits that vary and p the mean of d/n (Daugman, The
// importance of being random, 2003). If only the effective bits are few, the verdict is undecided,
// because the records may be similar.
func (c *Collector) Examine(name string) (*StoredExamination, error) {
	if c.bits < 1 || c.bits > fphash.MaxBits {
		return nil, fmt.Errorf("doctor: fingerprints of %d bits: expected 1 to %d", c.bits, fphash.MaxBits)
	}
	rows := slices.Clone(c.sample)
	slices.SortFunc(rows, slices.Compare)
	rows = slices.CompactFunc(rows, slices.Equal)
	if len(rows) < leastRecords {
		return nil, fmt.Errorf("doctor: %d different %s among %d: expected at least %d", len(rows), english.Plural(len(rows), "fingerprint", "fingerprints"), c.seen, leastRecords)
	}
	random := rand.New(rand.NewChaCha8([32]byte{'p', 'a', 'i', 'r', 's'}))
	random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	e := &StoredExamination{Name: name, Bits: c.bits, Records: c.seen, Sampled: len(rows), Constant: []int{}, Copied: []int{}}
	e.testBits(rows)
	e.measure(rows)
	e.conclude()
	return e, nil
}

// testBits searches for bits that are constant, copies or complements.
func (e *StoredExamination) testBits(rows [][]uint64) {
	if e.Bits > wideBits {
		rows = rows[:min(len(rows), wideRecords)]
	}
	known := map[string]bool{}
	for j := range e.Bits {
		column, changes := make([]byte, len(rows)), 0
		for i, row := range rows {
			changed := (row[j/64] ^ rows[0][j/64]) >> (j % 64) & 1 // the same for complements
			column[i] = byte(changed)
			changes += int(changed)
		}
		switch rarer := min(changes, len(rows)-changes); {
		case changes == 0:
			e.Constant = append(e.Constant, j)
		case float64(rarer) < leastMinority*float64(len(rows)):
		case known[string(column)]:
			e.Copied = append(e.Copied, j)
		default:
			known[string(column)] = true
		}
	}
}

// measure computes the mean distance and the effective bits from disjoint pairs of rows.
func (e *StoredExamination) measure(rows [][]uint64) {
	distances := make([]float64, 0, len(rows)/2)
	for pair := range slices.Chunk(rows[:len(rows)/2*2], 2) {
		distances = append(distances, float64(fphash.Distance(pair[0], pair[1])))
	}
	var variance float64
	e.Distance, variance = stat.MeanVariance(distances, nil)
	fourth := stat.MomentAbout(4, distances, e.Distance, nil)
	deviation := 1.96 * math.Sqrt(max(0, fourth-variance*variance)/float64(len(distances)))
	live := float64(e.Bits - len(e.Constant))
	p := e.Distance / live
	effective := func(variance float64) float64 {
		if variance <= 0 {
			return live
		}
		return min(live, p*(1-p)*live*live/variance) // a larger value is chance
	}
	e.Effective, e.Low, e.High = effective(variance), effective(variance+deviation), effective(variance-deviation)
}

func (e *StoredExamination) conclude() {
	worth := fmt.Sprintf("the fingerprints are worth %.1f of %d bits", e.Effective, e.Bits)
	found := quality.BitQuality{Tested: true, Copied: e.Copied}
	if e.constantIsDefect() {
		found.Constant = e.Constant
	}
	switch {
	case len(found.Constant)+len(found.Copied) > 0:
		e.Judgement, e.Words = terms.Weak, fmt.Sprintf("weak: bits are constant or copied (%s); %s", defects(found), worth)
	case e.Distance < leastDistance*float64(e.Bits-len(e.Constant)):
		e.Judgement = terms.Undecided
		e.Words = fmt.Sprintf("undecided: the records are too alike: two of them differ in %.1f of %d bits on average; give fingerprints of unrelated records", e.Distance, e.Bits)
	case e.Low >= goodShare*float64(e.Bits):
		e.Judgement, e.Words = terms.Good, "good: "+worth+", and no bit is constant or a copy"
	default:
		e.Judgement = terms.Undecided
		e.Words = "undecided: " + worth + " on these records, and no bit is constant or a copy; either the records resemble each other or the hash is weak: examine the hash itself with doctor --hash"
	}
}

// constantIsDefect reports whether there are more constant bits than chance explains. If records
// share most of their features, the shared features may dominate a bit, so that even an ideal bit
// hardly ever changes.
func (e *StoredExamination) constantIsDefect() bool {
	k := len(e.Constant)
	if k == 0 || k == e.Bits {
		return k > 0
	}
	// with ideal bits, a mean share p of differing bits is a mean angle of πp, and a cosine c
	c := max(0, math.Cos(math.Pi*e.Distance/float64(e.Bits-k)))
	expected := float64(e.Bits) * constantByChance(c, e.Sampled)
	return 1-distuv.Poisson{Lambda: max(expected, 1e-300)}.CDF(float64(k-1)) < chanceOfDefects
}

// constantByChance returns the probability that an ideal bit is equal in n records of cosine c. The
// shared features add a normal number with variance c to the sum of a bit, and the rest of each
// record one with variance 1-c.
func constantByChance(c float64, n int) float64 {
	if c >= 1 {
		return 1
	}
	const steps, limit = 4000, 8.0
	sum := 0.0
	for i := range steps {
		z := limit * (float64(i) + 0.5) / steps
		same := distuv.UnitNormal.CDF(z * math.Sqrt(c/(1-c)))
		sum += distuv.UnitNormal.Prob(z) * (math.Pow(same, float64(n)) + math.Pow(1-same, float64(n)))
	}
	return 2 * sum * limit / steps
}

// Write writes the examination as "text" or "json".
func (e *StoredExamination) Write(w io.Writer, format string) error {
	return write(w, format, e.text(), e)
}

func (e *StoredExamination) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", strings.Join(texttable.Wrap(e.Words, lineWidth), "\n"))
	fmt.Fprintf(&out, "%s, %d bits, %d fingerprints", e.Name, e.Bits, e.Records)
	if uint64(e.Sampled) < e.Records {
		fmt.Fprintf(&out, ", %d different ones examined", e.Sampled)
	}
	fmt.Fprintf(&out, "\n\n  effective bits          %.1f (95%%: %.1f – %.1f)\n", e.Effective, e.Low, e.High)
	fmt.Fprintf(&out, "  mean distance           %.1f bits between two random records\n", e.Distance)
	fmt.Fprintf(&out, "  constant or copied      %s\n", defects(quality.BitQuality{Tested: true, Constant: e.Constant, Copied: e.Copied}))
	return out.String()
}
