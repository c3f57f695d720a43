package settings

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"simhashkit/internal/binomial"
	"simhashkit/textsketch"
)

// Found is the part that is found.
type Found struct {
	Copies [len(Edits)]float64 `json:"copies"` // by Edits
	Near   float64             `json:"near"`   // of the near pairs of the sample
}

// Figures is what a setting finds.
type Figures struct {
	Setting
	Found
	// of a million pairs of strangers, those that are found
	Strangers float64 `json:"strangersPerMillion"`
	// no k of the setting keeps strangers apart
	Unfit bool `json:"unfit,omitempty"`
}

const (
	mostStrangers = 10e-6 // of all pairs of them
	leastNear     = 10    // pairs that count
	worth         = 0.005 // of the score, a greater k
	worthBits     = 0.02  // of the score, more bits or other features
)

// measure returns the figures of the candidates: of the first with the k that it has, of the others
// with the best.
func (s *sample) measure(ctx context.Context, list []candidate, score func(Found) float64, o Options) ([]Figures, error) {
	figures := make([]Figures, len(list))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)))
	var mutex sync.Mutex
	done := 0
	for i, c := range list {
		group.Go(func() error {
			d, err := s.distances(ctx, c)
			if err != nil {
				return err
			}
			if i > 0 {
				c.K = d.threshold(s, score)
			}
			figures[i] = Figures{Setting: c.Setting, Found: d.found(s, max(c.K, 0)), Strangers: 1e6 * part(d.strangers[max(c.K, 0)], s.strangers), Unfit: c.K < 0}
			mutex.Lock()
			defer mutex.Unlock()
			done++
			o.Progress(float64(done) / float64(len(list)))
			return nil
		})
	}
	err := group.Wait()
	return figures, err
}

func part(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

// distances counts pairs by the distance of their fingerprints, at most [k].
type distances struct {
	strangers, near []int
	copies          [len(Edits)][]int
}

func (s *sample) distances(ctx context.Context, c candidate) (*distances, error) {
	texts, copies, words, err := s.sketches(ctx, c)
	if err != nil {
		return nil, err
	}
	d := &distances{strangers: make([]int, c.Bits+1), near: make([]int, c.Bits+1)}
	for e := range d.copies {
		d.copies[e] = make([]int, c.Bits+1)
	}
	for j := range s.texts {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		own := texts[j*words : (j+1)*words]
		for i, k := range s.kinds[j*(j-1)/2:][:j] {
			switch k {
			case stranger:
				if n := distance(texts[i*words:], own); 4*n > c.Bits || !s.alike(i, j) {
					d.strangers[n]++
				}
			case near:
				d.near[distance(texts[i*words:], own)]++
			}
		}
	}
	for i, of := range s.origins {
		d.copies[i%len(Edits)][distance(texts[of*words:], copies[i*words:(i+1)*words])]++
	}
	for _, counts := range append([][]int{d.strangers, d.near}, d.copies[:]...) {
		for k := 1; k <= c.Bits; k++ {
			counts[k] += counts[k-1]
		}
	}
	return d, nil
}

// sketches returns the fingerprints of the texts and of the copies, of so many words each.
func (s *sample) sketches(ctx context.Context, c candidate) (texts, copies []uint64, words int, err error) {
	sketcher, err := c.sketcher(c.weighed)
	if err != nil {
		return nil, nil, 0, err
	}
	local := sketcher.Local()
	if texts, err = fingerprints(ctx, local, s.texts); err == nil {
		copies, err = fingerprints(ctx, local, s.copies)
	}
	return texts, copies, sketcher.Words(), err
}

func fingerprints(ctx context.Context, local *textsketch.Local, texts [][]byte) (list []uint64, err error) {
	for _, t := range texts {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if list, _, err = local.Append(list, t); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func distance(a, b []uint64) (n int) {
	for i, word := range b {
		n += bits.OnesCount64(a[i] ^ word)
	}
	return n
}

// found is what is found within k bits.
func (d *distances) found(s *sample, k int) (f Found) {
	for e := range Edits {
		f.Copies[e] = part(d.copies[e][k], len(s.copies)/len(Edits))
	}
	f.Near = part(d.near[k], s.near)
	return f
}

// threshold returns the smallest k that finds as much as any, among those that let few strangers
// pass, in the sample and by chance; -1 if none does.
func (d *distances) threshold(s *sample, score func(Found) float64) int {
	chance := make([]float64, len(d.near))
	binomial.AtMost(chance, 0.5)
	most := -1
	for most+1 < len(chance) && chance[most+1] <= mostStrangers && part(d.strangers[most+1], s.strangers) <= mostStrangers {
		most++
	}
	if most < 0 {
		return -1
	}
	best, k := score(d.found(s, most)), 0
	for score(d.found(s, k)) < best-worth {
		k++
	}
	return k
}
