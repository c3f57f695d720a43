package bench

import (
	"context"
	"testing"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/hamming"
	"simhashkit/fphash"
	"simhashkit/internal/bench/naive"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

// Every kind of case reports a wrong answer as an error, without samples.
func TestWrongAnswersAreFound(t *testing.T) {
	flip := func(codes []uint64, weights []float32) uint64 {
		return naive.Sketch64(codes, weights) ^ 1<<63
	}
	wrongHash := fphash.FromFunc("own", 128, func(dst []uint64, key []byte) { dst[0] = 1 })
	wrongHash.Verification = 1
	unlikeItsLibrary := fphash.FromFunc("fnv1a128", 128, func(dst []uint64, key []byte) { dst[0] = 2 })
	collection, err := collectionOf(newInputs(nil), 1000)
	if err != nil {
		t.Fatal(err)
	}
	blind := func(dst []hamming.Match, _, _ []uint64, _ int) []hamming.Match { return dst }
	xxh64, err := fphash.Lookup("xxh64")
	if err != nil {
		t.Fatal(err)
	}
	for name, prepare := range map[string]func(*inputs) (*trial, error){
		"verification code": func(*inputs) (*trial, error) { return hashTrial(wrongHash, fphash.LE64, false, 16) },
		"hash and library":  func(*inputs) (*trial, error) { return hashTrial(unlikeItsLibrary, fphash.LE64, false, 16) },
		"accumulate": func(*inputs) (*trial, error) {
			return accumulateTrial(flip, accumulateCase{naive: true, f: 64, nnz: 100}), nil
		},
		"minima": func(*inputs) (*trial, error) {
			return minimaTrial(func(fingerprint, keys []uint64) { minimaSketcher(128)(fingerprint, keys[1:]) }, accumulateCase{weights: set, f: 128, nnz: 100}), nil
		},
		"sketch by MinHash": func(in *inputs) (*trial, error) {
			s := sketchCase{family: unlikeItsLibrary, weights: set, bits: 64, nnz: "10"}
			return s.prepare(in)
		},
		"order of summation": func(*inputs) (*trial, error) {
			return accumulateTrial(weightedAccumulator(accumulate.SketchF64, false), accumulateCase{order: sequential, f: 64, nnz: 100}), nil
		},
		"scan": func(*inputs) (*trial, error) { return scanTrial(collection, blind), nil },
		"batched scan": func(in *inputs) (*trial, error) {
			in.memory["near 64 queries among 1000"] = []hamming.QueryMatch{{Query: 1}}
			return batchScanTrial(in, collection, 64)
		},
		"batch of sketches": func(in *inputs) (*trial, error) {
			s := sketchCase{family: xxh64, weights: "f32", bits: 64, nnz: "10", cpus: 2, vectors: smallBatch}
			v, err := vectorsOf[float32](s, in)
			if err != nil {
				return nil, err
			}
			return batchTrial(s, v, make([]uint64, v.count()))
		},
		"sketch": func(in *inputs) (*trial, error) {
			s := sketchCase{family: unlikeItsLibrary, weights: "f32", bits: 64, nnz: "10"}
			return s.prepare(in)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := timedCase{Name: benchname.New(terms.Hash, "n", "1"), Unit: terms.NanosecondsPerKey, prepare: prepare}
			rows, err := runPlain(context.Background(), []timedCase{c}, newInputs(nil), RunOptions{Samples: 1, SampleTime: 1})
			if err != nil {
				t.Fatal(err)
			}
			if rows[0].Err == "" || len(rows[0].Samples) != 0 {
				t.Errorf("row %+v: want an error and no samples", rows[0])
			}
		})
	}
}

// A large batch repeats its distinct vectors. The fingerprints of all repetitions are compared.
func TestBatchesRepeatVectors(t *testing.T) {
	xxh64, err := fphash.Lookup("xxh64")
	if err != nil {
		t.Fatal(err)
	}
	in := newInputs(nil)
	s := sketchCase{family: xxh64, weights: "f32", bits: 64, nnz: "3", cpus: 2, vectors: 2*distinctVectors + 5}
	trial, err := s.prepare(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := trial.verify(); err != nil || trial.per != 3*s.vectors {
		t.Errorf("%d features, expected %d; error %v", trial.per, 3*s.vectors, err)
	}
	v, err := vectorsOf[float32](s, in)
	if err != nil {
		t.Fatal(err)
	}
	v.weights[len(v.weights)-2] = -1e9
	if trial.verify() == nil {
		t.Error("a wrong answer in the last vector is not found")
	}
}
