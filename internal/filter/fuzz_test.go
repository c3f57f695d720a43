package filter

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/fphash"
	"simhashkit/internal/blocks"
)

// fuzzedTables caches the tables by the width of the fingerprints.
var fuzzedTables = map[int]*blocks.Tables{}

func tablesOf(bits int) (*blocks.Tables, error) {
	if tables := fuzzedTables[bits]; tables != nil {
		return tables, nil
	}
	tables, err := blocks.New(bits, 3)
	if err == nil {
		fuzzedTables[bits] = tables
	}
	return tables, err
}

// naiveLine is a block line, parsed by its documented format alone.
type naiveLine struct {
	key, id     string
	table       int
	fingerprint fphash.Fingerprint
}

// readNaively returns the lines of each key before the first invalid line, and the number of that
// line, or 0 if all are valid.
func readNaively(data string) (list [][]naiveLine, wrong int) {
	before, bits := "", 0
	for text := range strings.Lines(data) {
		wrong++
		fields := strings.Split(strings.TrimSuffix(text, "\n"), "\t")
		if len(fields) != 3 || !strings.HasSuffix(text, "\n") {
			return list, wrong
		}
		if wrong == 1 {
			bits = 4 * len(fields[1])
		}
		tables, err := tablesOf(bits)
		if err != nil {
			return list, wrong
		}
		line := naiveLine{key: fields[0], id: fields[2], table: -1}
		if line.fingerprint, err = fphash.ParseHex(fields[1], bits); err != nil {
			return list, wrong
		}
		for table := range tables.Len() {
			if string(tables.AppendKey(nil, table, line.fingerprint)) == line.key {
				line.table = table
			}
		}
		if line.table < 0 || line.key < before {
			return list, wrong
		}
		if len(list) == 0 || line.key != before {
			list = append(list, nil)
		}
		list[len(list)-1], before = append(list[len(list)-1], line), line.key
	}
	return list, 0
}

// pairsNaively returns the lines of the pairs of one key that no earlier table reports.
func pairsNaively(lines []naiveLine, tables *blocks.Tables) (list []string) {
	for i, b := range lines {
		for _, a := range lines[:i] {
			distance, first := 0, true
			for w := range a.fingerprint {
				distance += bits.OnesCount64(a.fingerprint[w] ^ b.fingerprint[w])
			}
			for table := range a.table {
				first = first && !bytes.Equal(tables.AppendKey(nil, table, a.fingerprint), tables.AppendKey(nil, table, b.fingerprint))
			}
			if distance <= 3 && first {
				list = append(list, pairLine(a.id, b.id, distance))
			}
		}
	}
	return list
}

func pairLine(a, b string, distance int) string {
	if Less([]byte(b), []byte(a)) {
		a, b = b, a
	}
	return fmt.Sprintf("%s\t%s\t%d\n", a, b, distance)
}

// FuzzSearch checks that a search of arbitrary bytes finds the same pairs as a naive search, up to
// the first invalid line, which the error names.
func FuzzSearch(f *testing.F) {
	good := "0:00ff\t00000000000000ff\ta\n0:00ff\t00000000000000ff\tb\n0:00ff\t00000000000100ff\t10\n1:0000\t00000000000000ff\ta\n1:0000\t00000000000000FF\tb\n"
	for _, text := range []string{
		good, good + "1:0001\t00000000000100ff\t10", good + "0:00ff\t00000000000000ff\tc\n", good + "4:0000\t00000000000000ff\tb\n", good + "1:0000\t00ff\tb\n",
		"0:3\t03\t\n0:3\t03\t\n", "0:1f\t0000000000000000000000000000001f\ta\n", "0:0\t\t\n", "\n", "0:00ff\t00000000000000ff\ta\tb\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(checkSearch)
}

func checkSearch(t *testing.T, data []byte) {
	s := Search{Name: "x", Tables: tablesOf}
	var out strings.Builder
	found, err := s.Run(context.Background(), bytes.NewReader(data), &out)
	list, wrong := readNaively(string(data))
	if wrong == 0 && err != nil || wrong > 0 && (err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("x:%d: ", wrong))) {
		t.Fatalf("error %v, expected an error in line %d", err, wrong)
	}
	var want, last []string
	for i, lines := range list {
		tables, err := tablesOf(s.Bits)
		if err != nil {
			t.Fatal(err)
		}
		if last = pairsNaively(lines, tables); i < len(list)-1 || wrong == 0 {
			want = append(want, last...)
		}
	}
	got := slices.Sorted(strings.Lines(out.String()))
	if found.Pairs != int64(len(got)) {
		t.Errorf("%d pairs, but the count is %d", len(got), found.Pairs)
	}
	if wrong > 0 && len(got) > len(want) { // the block before the invalid line may be complete
		want = append(want, last...)
	}
	slices.Sort(want)
	if !slices.Equal(want, got) {
		t.Errorf("-want +got\n%s", cmp.Diff(want, got))
	}
}

// FuzzBlockLines checks for arbitrary fingerprints and ids that a search of their sorted block
// lines finds each pair once, and that links give the same clusters. Ids have spaces for tabs and
// line breaks.
func FuzzBlockLines(f *testing.F) {
	for _, text := range []string{"\x00\x00a\n\x01\x00b\n\x03\x20\x00\n", "00a\tb\n01c\rd\n", "\xff\xff10\n\xff\xfe9\n\xff\xfe9\n", ""} {
		f.Add([]byte(text))
	}
	tables, err := tablesOf(64)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var records []naiveLine
		var file strings.Builder
		w := NewBlockWriter(&file, tables)
		for line := range bytes.Lines(data[:min(len(data), 200)]) {
			// some bits are in two tables, and all fingerprints share some bits
			word := uint64(0x00ff) << 32
			for i := range min(len(line), 2) {
				word ^= uint64(line[i]) << (i * 20)
			}
			r := naiveLine{id: string(line[min(len(line), 2):]), fingerprint: fphash.Fingerprint{word}}
			if err := w.Write(r.fingerprint, []byte(r.id)); err != nil {
				t.Fatal(err)
			}
			r.id = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ").Replace(r.id)
			records = append(records, r)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Join(slices.Sorted(strings.Lines(file.String())), "")
		find := func(links bool) []string {
			s := Search{Name: "x", Tables: tablesOf, Links: links}
			var out strings.Builder
			if _, err := s.Run(context.Background(), strings.NewReader(lines), &out); err != nil {
				t.Fatal(err)
			}
			return slices.Sorted(strings.Lines(out.String()))
		}
		want := slices.Sorted(slices.Values(pairsNaively(records, tables))) // without a table: all pairs
		if got := find(false); !slices.Equal(want, got) {
			t.Errorf("-want +got\n%s", cmp.Diff(want, got))
		}
		if diff := cmp.Diff(clustersOf(t, want), clustersOf(t, find(true))); diff != "" {
			t.Errorf("-clusters of pairs +of links\n%s", diff)
		}
	})
}
