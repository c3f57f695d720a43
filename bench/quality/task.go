package quality

import (
	"math/bits"
	"slices"
)

// retrievalSample is the collection in which near-duplicates are looked for: all pairs of its
// vectors count.
type retrievalSample struct {
	vectors []int
	wanted  []couple // those of an exact cosine of at least taskCosine
}

// newRetrievalSample takes pairs evenly from all angles, so that near-duplicates are there, and
// finds all that are near by exact cosines.
func newRetrievalSample(w *Workload, r random) retrievalSample {
	var s retrievalSample
	in := make([]bool, w.set.len())
	put := func(i int) {
		if !in[i] {
			in[i] = true
			s.vectors = append(s.vectors, i)
		}
	}
	for i := range min(len(w.pairs), sampleVectors/2) {
		p := w.pairs[i*len(w.pairs)/min(len(w.pairs), sampleVectors/2)]
		put(p.a)
		put(p.b)
	}
	for range sampleVectors { // real vectors share pairs: others fill up
		if len(s.vectors) >= min(sampleVectors, w.set.len()) {
			break
		}
		put(int(r.below(uint64(w.set.len()))))
	}
	slices.Sort(s.vectors)
	s.wanted = w.set.near(s.vectors, taskCosine, w.keys)
	return s
}

// near returns the pairs among the listed vectors whose cosine is at least the given one. It walks
// lists of the vectors that have a position, so that pairs which share nothing cost nothing.
func (v *vectors) near(listed []int, cosine float64, keys int) []couple {
	type entry struct {
		vector int // in listed
		weight float64
	}
	lists := make([][]entry, keys)
	dots, square := make([]float64, len(listed)), make([]float64, len(listed))
	var near []couple
	for j, b := range listed {
		clear(dots)
		for i := v.offsets[b]; i < v.offsets[b+1]; i++ {
			x := v.weights[i]
			square[j] += float64(x * x)
			for _, e := range lists[v.positions[i]] {
				dots[e.vector] += float64(e.weight * x)
			}
			lists[v.positions[i]] = append(lists[v.positions[i]], entry{j, x})
		}
		for i, a := range listed[:j] {
			if dots[i] <= 0 {
				continue
			}
			if _, c, ok := angleOf(dots[i], square[i], square[j]); ok && c >= cosine {
				near = append(near, couple{a, b})
			}
		}
	}
	return near
}

// retrieve adds what a search for near-duplicates finds at each k. It returns buffer, which it has
// used and perhaps made longer.
func (s *retrievalSample) retrieve(counts *[TaskDistances]Retrieval, fingerprints []uint64, words int, buffer []uint64) []uint64 {
	buffer = buffer[:0]
	for _, v := range s.vectors {
		buffer = append(buffer, fingerprints[v*words:(v+1)*words]...)
	}
	var at, hits [TaskDistances]int64 // by distance
	for i := 0; i < len(buffer); i += words {
		a := buffer[i : i+words]
		for j := 0; j < i; j += words {
			d := 0
			for t, word := range a {
				d += bits.OnesCount64(word ^ buffer[j+t])
			}
			if d < TaskDistances {
				at[d]++
			}
		}
	}
	for _, c := range s.wanted {
		if d := distance(fingerprints, words, c); d < TaskDistances {
			hits[d]++
		}
	}
	sum := Retrieval{Wanted: int64(len(s.wanted))}
	for k := range counts {
		sum.Found += at[k]
		sum.Hits += hits[k]
		counts[k].add(sum)
	}
	return buffer
}

func (r *Retrieval) add(s Retrieval) {
	r.Wanted += s.Wanted
	r.Found += s.Found
	r.Hits += s.Hits
}
