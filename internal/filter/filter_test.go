package filter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/blocks"
)

// fingerprints returns n fingerprints. Half of them are copies or near-duplicates of earlier ones.
func fingerprints(r *rand.Rand, bits, n int) *index.Set {
	set := &index.Set{Bits: bits}
	for i := range n {
		words := make([]uint64, set.Stride())
		for j := range words {
			words[j] = r.Uint64()
		}
		if i%2 == 1 {
			copy(words, set.At(r.IntN(i)))
			for range r.IntN(4) {
				bit := r.IntN(bits)
				words[bit/64] ^= 1 << (bit % 64)
			}
		}
		if bits%64 != 0 {
			words[len(words)-1] &= 1<<(bits%64) - 1
		}
		set.Words = append(set.Words, words...)
	}
	return set
}

// hot returns fingerprints that all have the same key in one table.
func hot(r *rand.Rand, bits, n int) *index.Set {
	set := fingerprints(r, bits, n)
	for i := range n {
		set.At(i)[0] |= 1<<(bits/4) - 1
	}
	return set
}

// blockLines returns the sorted block lines of a set. The ids are numbers from 1.
func blockLines(t *testing.T, tables *blocks.Tables, set *index.Set) []string {
	t.Helper()
	var out strings.Builder
	w := NewBlockWriter(&out, tables)
	for i := range set.Len() {
		if err := w.Write(set.At(i), []byte(strconv.Itoa(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	list := slices.Collect(strings.Lines(out.String()))
	slices.Sort(list)
	return list
}

// joined returns the lines of the pairs that package join finds, sorted.
func joined(t *testing.T, set *index.Set, k int) (list []string) {
	t.Helper()
	for p, err := range (&join.Join{Set: set, K: k}).Pairs(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%d\t%d\t%d\n", p.A+1, p.B+1, p.Distance))
	}
	slices.Sort(list)
	return list
}

// search returns the pair lines for block lines, sorted, and the counts.
func search(t *testing.T, s Search, tables *blocks.Tables, lines []string) ([]string, Found) {
	t.Helper()
	s.Name, s.Bits = "lines", tables.Bits()
	s.Tables = func(int) (*blocks.Tables, error) { return tables, nil }
	var out strings.Builder
	found, err := s.Run(context.Background(), strings.NewReader(strings.Join(lines, "")), &out)
	if err != nil {
		t.Fatal(err)
	}
	list := slices.Collect(strings.Lines(out.String()))
	slices.Sort(list)
	return list, found
}

// parts divides lines into n parts such that lines with equal keys are in one part.
func parts(lines []string, n int) [][]string {
	list := make([][]string, n)
	for _, line := range lines {
		key, _, _ := strings.Cut(line, "\t")
		sum := uint32(0)
		for _, c := range key {
			sum = sum*31 + uint32(c)
		}
		list[sum%uint32(n)] = append(list[sum%uint32(n)], line)
	}
	return list
}

// A search of sorted lines finds each pair that package join finds, exactly once, in one part or
// many, with small and large blocks.
func TestSearchIsJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, bits := range []int{40, 64, 128} {
		for name, set := range map[string]*index.Set{"random": fingerprints(r, bits, 500), "hot": hot(r, bits, 3000), "none": {Bits: bits}} {
			tables, err := blocks.New(bits, 3)
			if err != nil {
				t.Fatal(err)
			}
			lines, want := blockLines(t, tables, set), joined(t, set, 3)
			for _, n := range []int{1, 7} {
				var got []string
				for _, part := range parts(lines, n) {
					pairs, found := search(t, Search{}, tables, part)
					got = append(got, pairs...)
					if found.Lines != int64(len(part)) || found.Pairs != int64(len(pairs)) {
						t.Errorf("counts %+v for %d lines and %d pairs", found, len(part), len(pairs))
					}
				}
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d bits, %s, %d parts: -want +got\n%.2000s", bits, name, n, diff)
				}
			}
		}
	}
}

// Links give the same clusters as all pairs, and there are fewer links than lines.
func TestLinks(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	tables, err := blocks.New(64, 3)
	if err != nil {
		t.Fatal(err)
	}
	set := hot(r, 64, 3000)
	lines := blockLines(t, tables, set)
	want := clustersOf(t, joined(t, set, 3))
	links, found := search(t, Search{Links: true}, tables, lines)
	if diff := cmp.Diff(want, clustersOf(t, links)); diff != "" {
		t.Errorf("-want +got\n%.2000s", diff)
	}
	if found.Pairs >= found.Lines {
		t.Errorf("%d links of %d lines", found.Pairs, found.Lines)
	}
}

// clustersOf returns the smallest id in the cluster of each id.
func clustersOf(t *testing.T, pairs []string) map[string]string {
	t.Helper()
	parents := map[string]string{}
	find := func(id string) string {
		for {
			parent, ok := parents[id]
			if !ok || parent == id {
				return id
			}
			id = parent
		}
	}
	for _, line := range pairs {
		pair := strings.Split(line, "\t")
		a, b := find(pair[0]), find(pair[1])
		parents[max(a, b)], parents[min(a, b)] = min(a, b), min(a, b)
	}
	clusters := map[string]string{}
	for id := range parents {
		clusters[id] = find(id)
	}
	return clusters
}

// Ids are unchanged except for characters that would break a line.
func TestIDs(t *testing.T) {
	tables, err := blocks.New(64, 3)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("long", 5000)
	var out strings.Builder
	w := NewBlockWriter(&out, tables)
	for _, id := range []string{"a\tb\nc\rd", "", long, " é "} {
		if err := w.Write([]uint64{7}, []byte(id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	lines := slices.Sorted(strings.Lines(out.String()))
	want := []string{"\t \xc3\xa9 \t0\n", "\ta b c d\t0\n", "\t" + long + "\t0\n", " é \ta b c d\t0\n", " é \t" + long + "\t0\n", "a b c d\t" + long + "\t0\n"}
	slices.Sort(want)
	got, _ := search(t, Search{}, tables, lines)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%.2000s", diff)
	}
}

// An error names its line, and the output before it has only complete lines.
func TestRefused(t *testing.T) {
	tables, err := blocks.New(64, 3)
	if err != nil {
		t.Fatal(err)
	}
	good := "0:00ff\t00000000000000ff\ta\n0:00ff\t00000000000000ff\tb\n1:0000\t00000000000000ff\ta\n"
	for _, c := range []struct{ line, want string }{
		{"1:0000\t00000000000000ff\tb", "the last line has no line feed, so it may be incomplete"},
		{"1:0000\t00000000000000ff\n", "expected a key, a fingerprint and an id with tabs between them"},
		{"1:0000\t00000000000000ff\tb\tc\n", "expected a key, a fingerprint and an id with tabs between them"},
		{"\n", "expected a key, a fingerprint and an id"},
		{"1:0000\t00000000000000f\tb\n", "15 digits, expected 16 for 64 bits"},
		{"1:0000\t00000000000000fg\tb\n", "'g' is not a hexadecimal digit"},
		{"1:0000\t00000000000100ff\tb\n", `key "1:0000" of fingerprint 00000000000100ff: expected 1:0001`},
		{"0:00ff\t00000000000000ff\tc\n", `key "0:00ff" after "1:0000": expected lines in the order of their keys`},
		{"4:0000\t00000000000000ff\tb\n", "expected the number of a table, 0: to 3:"},
		{"x\t00000000000000ff\tb\n", "expected the number of a table, 0: to 3:"},
		{"1:0000\t00000000000000ff\t" + strings.Repeat("x", mostLine) + "\n", "expected a line of at most 16777216 bytes"},
	} {
		s := Search{Name: "lines", Tables: func(int) (*blocks.Tables, error) { return tables, nil }}
		var out strings.Builder
		_, err := s.Run(context.Background(), strings.NewReader(good+c.line), &out)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "lines:4: ") {
			t.Errorf("%.40q: error %v, expected %q", c.line, err, c.want)
		}
		if out.String() != "a\tb\t0\n" {
			t.Errorf("%.40q: %q written", c.line, out.String())
		}
	}
	broken, wrong := errors.New("broken"), errors.New("wrong")
	s := Search{Name: "lines", Tables: func(int) (*blocks.Tables, error) { return tables, nil }}
	if _, err := s.Run(context.Background(), io.MultiReader(strings.NewReader(good+"1:0"), iotest.ErrReader(broken)), io.Discard); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "lines: after line 3: ") {
		t.Errorf("error %v", err)
	}
	s.Tables = func(int) (*blocks.Tables, error) { return nil, wrong }
	if _, err := s.Run(context.Background(), strings.NewReader(good), io.Discard); !errors.Is(err, wrong) {
		t.Errorf("error %v", err)
	}
}

// full is a writer whose reader is closed.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// A write error is returned.
func TestWriteErrors(t *testing.T) {
	tables, err := blocks.New(64, 3)
	if err != nil {
		t.Fatal(err)
	}
	w := NewBlockWriter(full{}, tables)
	_ = w.Write([]uint64{1}, []byte("a"))
	if err := w.Flush(); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
	s := Search{Tables: func(int) (*blocks.Tables, error) { return tables, nil }}
	if _, err := s.Run(context.Background(), strings.NewReader("0:00ff\t00000000000000ff\ta\n0:00ff\t00000000000000ff\tb\n"), full{}); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

// A search ends when its context is canceled, even in the middle of a block.
func TestCancelled(t *testing.T) {
	tables, err := blocks.New(64, 3)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	lines := blockLines(t, tables, &index.Set{Bits: 64, Words: make([]uint64, 500)})
	s := Search{Tables: func(int) (*blocks.Tables, error) { cancel(); return tables, nil }}
	if found, err := s.Run(ctx, strings.NewReader(strings.Join(lines, "")), io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, %d pairs", err, found.Pairs)
	}
}

// A search that finds no pairs also ends when its context is canceled.
func TestCancelledWithoutPairs(t *testing.T) {
	tables, err := blocks.New(64, 3)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	words := &index.Set{Bits: 64}
	for i := range uint64(2000) { // 8000 lines; the context is checked every few thousand lines
		words.Words = append(words.Words, i*0x9e3779b97f4a7c15)
	}
	lines := blockLines(t, tables, words)
	s := Search{Tables: func(int) (*blocks.Tables, error) { cancel(); return tables, nil }}
	if found, err := s.Run(ctx, strings.NewReader(strings.Join(lines, "")), io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, %d pairs of %d lines", err, found.Pairs, found.Lines)
	}
}

// With given keys, the links of all keys form the same clusters as the pairs of fingerprints that
// share a key and are within K bits, however the lines are divided.
func TestGivenKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const bits, k, n = 128, 21, 2000
	set := fingerprints(r, bits, n)
	var lines, pairs []string
	byKey := map[string][]int{}
	for i := range n {
		keys := []string{"hot", strconv.Itoa(r.IntN(300)), fmt.Sprintf("%d:%x", i%3, set.At(i)[0]>>50)}
		if i%5 > 0 {
			keys = keys[1:]
		}
		for _, key := range keys {
			lines = append(lines, fmt.Sprintf("%s\t%016x%016x\t%d\n", key, set.At(i)[1], set.At(i)[0], i+1))
			for _, other := range byKey[key] {
				if d := set.Distance(i, set, other); d <= k {
					pairs = append(pairs, fmt.Sprintf("%d\t%d\t%d\n", other+1, i+1, d))
				}
			}
			byKey[key] = append(byKey[key], i)
		}
	}
	want := clustersOf(t, pairs)
	if len(want) < n/4 || len(want) == n {
		t.Fatalf("%d of %d records are in clusters", len(want), n)
	}
	for _, number := range []int{1, 3} {
		var links []string
		for _, part := range parts(lines, number) {
			slices.Sort(part)
			s := Search{Name: "lines", K: func(width int) (int, error) { return k, nil }}
			var out strings.Builder
			if _, err := s.Run(context.Background(), strings.NewReader(strings.Join(part, "")), &out); err != nil {
				t.Fatal(err)
			}
			links = append(links, slices.Collect(strings.Lines(out.String()))...)
		}
		if diff := cmp.Diff(want, clustersOf(t, links)); diff != "" {
			t.Errorf("%d parts: %.2000s", number, diff)
		}
		if len(links) >= len(lines) {
			t.Errorf("%d links of %d lines", len(links), len(lines))
		}
	}
}

// Less is a strict order of ids, in which numbers are ordered by value.
func TestLess(t *testing.T) {
	ids := []string{"0", "7", "10", "99", "100", "18446744073709551616", "", " 1", "-5", "007", "1a", "9a", "a", "ab", "é"}
	for i, a := range ids {
		for j, b := range ids {
			if got := Less([]byte(a), []byte(b)); got != (i < j) {
				t.Errorf("%q before %q: %v", a, b, got)
			}
		}
	}
}
