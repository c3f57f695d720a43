package join

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash/index"
)

// source returns a Source for a set, with the ids of the set.
func source(s *index.Set) func() iter.Seq2[Record, error] {
	return func() iter.Seq2[Record, error] {
		return func(yield func(Record, error) bool) {
			for i := range s.Len() {
				if !yield(Record{s.ID(i), s.At(i)}, nil) {
					return
				}
			}
		}
	}
}

// withIDs sets ids that are larger than positions.
func withIDs(s *index.Set) *index.Set {
	for i := range s.Len() {
		s.IDs = append(s.IDs, uint64(i)<<33+7)
	}
	return s
}

// A join on disk finds the groups of comparing all pairs, also if a partition exceeds the memory,
// and leaves no files behind.
func TestExternal(t *testing.T) {
	for _, width := range []int{64, 100, 128} {
		for name, s := range sets(width, size(150, 300), newRandom(uint64(width))) {
			for _, k := range []int{0, 3, 5} {
				t.Run(fmt.Sprint(width, name, k), func(t *testing.T) {
					s := withIDs(&index.Set{Bits: s.Bits, Words: s.Words})
					checkExternal(t, &External{Bits: width, K: k, Source: source(s), Workers: 2}, s)
				})
			}
		}
	}
	s := withIDs(sameBlock(plantedSet(64, size(2000, 5000), newRandom(1)), 40))
	checkExternal(t, &External{Bits: 64, K: 3, Source: source(s), Workers: 3, Memory: 1}, s)
}

func checkExternal(t *testing.T, x *External, s *index.Set) {
	t.Helper()
	x.Folder = t.TempDir()
	told := 0.0
	x.Progress = func(done float64) { told = done }
	groups, set, err := x.Groups(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got, want [][]uint64
	for _, g := range groups.All() {
		got = append(got, idsOf(set, g))
	}
	for _, g := range groupsOracle(&Join{Set: s, K: x.K}) {
		want = append(want, idsOf(s, g))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if told != 1 {
		t.Errorf("%v done at the end, expected 1", told)
	}
	checkEmpty(t, x.Folder)
}

func idsOf(s *index.Set, positions []uint32) (ids []uint64) {
	for _, p := range positions {
		ids = append(ids, s.ID(int(p)))
	}
	return ids
}

func checkEmpty(t *testing.T, folder string) {
	t.Helper()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left behind (%v)", left, err)
	}
}

// A join on disk finds the same groups as a join in memory, for any size of the pieces of a
// partition, and First keeps the same members.
func TestExternalGroups(t *testing.T) {
	random := newRandom(9)
	for name, s := range map[string]*index.Set{
		"planted":      plantedSet(64, size(2000, 5000), random),
		"one block":    sameBlock(plantedSet(64, size(2000, 5000), random), 40),
		"clusters":     clusteredSet(64, size(2000, 5000), 2, random),
		"copies":       {Bits: 64, Words: make([]uint64, 20_000)},
		"wide copies":  {Bits: 128, Words: make([]uint64, 6000)},
		"versions":     sameBlock(repeated(randomSet(100, 6, random), 500), 80),
		"wide planted": plantedSet(100, size(1500, 3000), random),
		"none":         {Bits: 64, Words: []uint64{0, 1<<60 - 1}},
		"empty":        {Bits: 64},
	} {
		for _, memory := range []int64{0, 1} {
			t.Run(fmt.Sprint(name, memory), func(t *testing.T) {
				s := withIDs(&index.Set{Bits: s.Bits, Words: s.Words})
				want, err := (&Join{Set: s, K: 3}).Groups(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				x := &External{Bits: s.Bits, K: 3, Source: source(s), Workers: 2, Memory: memory, Folder: t.TempDir()}
				got, members, err := x.Groups(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				checkEmpty(t, x.Folder)
				if diff := cmp.Diff(groupsByID(t, s, want), groupsByID(t, members, got)); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
				if members.Len() != len(got.members) {
					t.Errorf("%d fingerprints in the set, %d in groups", members.Len(), len(got.members))
				}
			})
		}
	}
}

// groupsByID returns groups, and the fingerprint that First keeps for each
// member.
func groupsByID(t *testing.T, s *index.Set, groups *Groups) (list [][]uint64) {
	first, err := groups.First(t.Context(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups.All() {
		var entry []uint64
		for _, m := range g {
			entry = append(entry, s.ID(int(m)), s.ID(int(first[m])))
		}
		list = append(list, entry)
	}
	return list
}

// Errors at any stage are returned, and nothing is left on disk.
func TestExternalErrors(t *testing.T) {
	s := withIDs(plantedSet(64, 1000, newRandom(2)))
	broken := errors.New("the source is broken")
	reading := 0
	usual := func() External { return External{Bits: 64, K: 3, Source: source(s)} }
	for want, change := range map[string]func(x *External){
		"have 128 bits": func(x *External) { x.Bits = 128 },
		"not have 60 bits": func(x *External) {
			x.Bits, x.Source = 60, source(&index.Set{Bits: 64, IDs: []uint64{7}, Words: []uint64{1 << 60}})
		},
		"not have 64 bits":       func(x *External) { x.Source = source(&index.Set{Bits: 128, IDs: []uint64{7}, Words: []uint64{1, 0}}) },
		"expected 1 to 4096":     func(x *External) { x.Bits = 0 },
		"expected 0 or more":     func(x *External) { x.K = -1 },
		"blocks of 3 bits":       func(x *External) { x.K = 16 },
		"without a Source":       func(x *External) { x.Source = nil },
		"no such file":           func(x *External) { x.Folder = "missing" },
		"the source is broken":   func(x *External) { x.Source = failing(s, broken) },
		"changed between two re": func(x *External) { x.Source = shrinking(s, &reading) },
	} {
		t.Run(want, func(t *testing.T) {
			x := usual()
			folder := t.TempDir()
			if change(&x); x.Folder == "" {
				x.Folder = folder
			}
			if _, _, err := x.Groups(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, expected %q", err, want)
			}
			checkEmpty(t, folder)
		})
	}
}

func failing(s *index.Set, err error) func() iter.Seq2[Record, error] {
	return func() iter.Seq2[Record, error] {
		return func(yield func(Record, error) bool) {
			_ = yield(Record{ID: 1, Words: s.At(0)}, nil) && yield(Record{}, err)
		}
	}
}

// shrinking is a source that has one record less each time.
func shrinking(s *index.Set, readings *int) func() iter.Seq2[Record, error] {
	return func() iter.Seq2[Record, error] {
		*readings++
		return source(&index.Set{Bits: s.Bits, Words: s.Words[*readings:]})()
	}
}

// A write error ends the join.
func TestExternalWriteError(t *testing.T) {
	s := plantedSet(64, 1000, newRandom(2))
	x := &External{Bits: 64, K: 3, Source: source(s), Folder: t.TempDir()}
	d, err := newDisk(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	d.file.Close()
	if err := d.write(context.Background(), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("error %v, expected the error of the file", err)
	}
	if err := d.search(newWorker(context.Background()), 0, 3, nil); d.current[3] > d.current[2] && !errors.Is(err, os.ErrClosed) {
		t.Errorf("error %v, expected the error of the file", err)
	}
}

// A caller that stops reading or cancels ends a join and gets no more pairs.
func TestEndingEarly(t *testing.T) {
	s := clusteredSet(64, 3000, 1, newRandom(3))
	for name, pairs := range map[string]func(context.Context) iter.Seq2[Pair, error]{
		"memory": (&Join{Set: s, K: 3, Workers: 3}).Pairs,
		"copies": byErrors(&Join{Set: repeated(s, 2), K: 7, Workers: 3}),
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			for range pairs(context.Background()) {
				if n++; n == 2000 {
					break
				}
			}
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			reason := errors.New("enough")
			n = 0
			last := error(nil)
			for _, err := range pairs(ctx) {
				if n++; n == 10 {
					cancel(reason)
				}
				last = err
			}
			if !errors.Is(last, reason) || n > 100_000 {
				t.Errorf("error %v after %d pairs, expected %v", last, n, reason)
			}
			if _, err := (&Join{Set: s, K: 3}).Groups(ctx); !errors.Is(err, reason) {
				t.Errorf("error %v of the groups", err)
			}
			if _, _, err := (&External{Bits: 64, K: 3, Source: source(s), Folder: t.TempDir()}).Groups(ctx); !errors.Is(err, reason) {
				t.Errorf("error %v of the groups on disk", err)
			}
		})
	}
}

// byErrors returns the pairs of a join by blocks in which pairs may differ.
func byErrors(j *Join) func(context.Context) iter.Seq2[Pair, error] {
	return func(ctx context.Context) iter.Seq2[Pair, error] {
		return func(yield func(Pair, error) bool) {
			p := j.plan()
			p.byBlocks(4, 9)
			j.pairs(ctx, &p, yield)
		}
	}
}

// The file has no name while it is in use, so it does not remain if the program is killed.
func TestExternalFileHasNoName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files have names on Windows")
	}
	x := External{Bits: 64, K: 3, Source: source(clusteredSet(64, 100, 1, newRandom(4))), Folder: t.TempDir()}
	told := false
	x.Progress = func(float64) {
		if !told {
			checkEmpty(t, x.Folder)
		}
		told = true
	}
	if _, _, err := x.Groups(t.Context()); err != nil || !told {
		t.Errorf("progress %v, %v", told, err)
	}
}

// A join can be ended before it has found a pair, while it reads its source for the first or
// another time.
func TestEndingWhileReading(t *testing.T) {
	const most = 1 << 17 // number of records; the context is checked several times
	reason := errors.New("enough")
	for _, reading := range []int{1, 2, 3} {
		ctx, cancel := context.WithCancelCause(t.Context())
		readings := 0
		x := External{Bits: 64, K: 3, Folder: t.TempDir(), Source: func() iter.Seq2[Record, error] {
			readings++
			this := readings
			return func(yield func(Record, error) bool) {
				for i := range uint64(most) {
					if this == reading && i == most/4 {
						cancel(reason)
					}
					if this == reading && i == most/2 {
						t.Errorf("reading %d continues after it was cancelled", this)
						return
					}
					if !yield(Record{i, []uint64{i * 0x9e3779b97f4a7c15}}, nil) {
						return
					}
				}
			}
		}}
		if _, _, err := x.Groups(ctx); !errors.Is(err, reason) {
			t.Errorf("cancelled in reading %d: error %v", reading, err)
		}
		checkEmpty(t, x.Folder)
	}
}

// All pairs of a partition are compared, for any number of pieces and any size of the last piece.
func TestExternalPieces(t *testing.T) {
	x := External{Bits: 64, K: 3, Workers: 2, Memory: 1, Source: source(&index.Set{Bits: 64})}
	d, err := newDisk(t.Context(), &x)
	if err != nil {
		t.Fatal(err)
	}
	d.file.Close()
	for _, n := range []int{d.most - 1, d.most, d.most + 1, 3*d.most/2 - 1, 3 * d.most / 2, 3*d.most/2 + 1} {
		s := withIDs(sameBlock(randomSet(64, n, newRandom(5)), 40))
		for _, i := range []int{d.most / 2, min(n, d.most) - 1, n - 1} { // near the first fingerprint
			copy(s.At(i), s.At(0))
			s.At(i)[0] ^= 1 << 63
		}
		x.Source = source(s)
		checkExternal(t, &x, s)
	}
}
