package join

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"

	"simhashkit/fphash"
)

// External finds all pairs of fingerprints that differ in at most K bits, of more fingerprints than
// memory holds: they are written to a file on disk, partitioned by one block after the other, and
// each partition is searched in memory.
type External struct {
	Bits int // of each fingerprint, 1 to fphash.MaxBits
	K    int // 0 or more

	// Differ, Recall and Seed are those of a Join.
	// Without a recall K+1 is at most a quarter of Bits, so that blocks have 4 bits.
	Differ float64
	Recall float64
	Seed   uint64

	// Source has the fingerprints and their ids. It is read K+3 times, with a recall twice and once
	// for each table, for Groups once more, and must be the same each time; the words may be used
	// again once the next ones are asked for.
	Source func() iter.Seq2[Record, error]

	// Folder is for a file of 8 bytes more than a fingerprint has, for each; "" means os.TempDir.
	Folder  string
	Memory  int64 // bytes, about; 0 means 1 GiB
	Workers int   // goroutines; 0 means GOMAXPROCS

	// Progress, if there is one, is told from time to time how much is done, from 0 to 1, by one
	// goroutine at a time.
	Progress func(done float64)
}

// Record is a fingerprint and its id.
type Record struct {
	ID    uint64
	Words []uint64 // (Bits+63)/64
}

// Pairs returns all pairs, each once, in an order that depends on the source, on K, Memory and
// Workers alone; of a pair, A came first. It ends with an error, and a pair that means nothing, if
// the source does, if a fingerprint is not of Bits bits, if the disk is full, or if the context is
// done. Whether an id comes twice is not looked at. The file is gone when Pairs ends; on Unix also
// when the program is killed.
func (x *External) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if err := x.pairs(ctx, yield); err != nil {
			yield(Pair{}, err)
		}
	}
}

func (x *External) pairs(ctx context.Context, yield func(Pair, error) bool) error {
	d, err := newDisk(ctx, x)
	if err != nil {
		return err
	}
	defer d.close()
	crew := newCrew(ctx, x.workers(), d.parts(), x.Progress)
	defer crew.end()
	for list := range crew.inOrder(d.stages()) {
		for _, n := range list {
			if !yield(Pair{n.a, n.b, int(n.distance)}, nil) {
				return nil
			}
		}
	}
	return crew.err()
}

func (x *External) workers() int { return cmp.Or(x.Workers, runtime.GOMAXPROCS(0)) }

func (x *External) memory() int64 { return cmp.Or(x.Memory, 1<<30) }

func (x *External) check() error {
	if err := checkRecall(x.Recall, x.Differ); err != nil {
		return err
	}
	switch {
	case x.Bits < 1 || x.Bits > fphash.MaxBits:
		return fmt.Errorf("join: fingerprints of %d bits, expected 1 to %d", x.Bits, fphash.MaxBits)
	case x.K < 0:
		return fmt.Errorf("join: pairs within %d bits, expected 0 or more", x.K)
	case !x.sampled() && x.blockBits() < leastKeyOnDisk:
		return fmt.Errorf("join: k = %d of %d bits leaves blocks of %d bits, expected %d or more to partition on disk, or a recall", x.K, x.Bits, x.blockBits(), leastKeyOnDisk)
	case x.Source == nil:
		return errors.New("join: an External without a Source")
	case x.Memory < 0 || x.Workers < 0:
		return fmt.Errorf("join: memory of %d bytes and %d workers, expected 0 or more", x.Memory, x.Workers)
	}
	return nil
}

// records calls f for each record of the source.
func (x *External) records(ctx context.Context, f func(Record) error) error {
	n, words := 0, (x.Bits+63)/64
	for r, err := range x.Source() {
		if err != nil {
			return err
		}
		if len(r.Words) != words || x.Bits%64 != 0 && r.Words[words-1]>>(x.Bits%64) != 0 {
			return fmt.Errorf("join: fingerprint %d of the source, of id %d, is not of %d bits", n, r.ID, x.Bits)
		}
		if err := f(r); err != nil {
			return err
		}
		if n++; n%(1<<14) == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// errShort is the error of a source that gave fewer or other records than the time before.
var errShort = fmt.Errorf("join: the source changed between two readings: %w", io.ErrUnexpectedEOF)
