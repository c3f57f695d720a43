package indexfile

import (
	"encoding/binary"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
)

// model is the expected content of a file.
type model struct {
	entries map[ID][]uint64
}

func newModel() *model { return &model{entries: map[ID][]uint64{}} }

func (m *model) insert(e *Entries) {
	for i := range e.Len() {
		m.entries[e.id(i)] = slices.Clone(e.At(i))
	}
}

func (m *model) ids() []ID {
	ids := make([]ID, 0, len(m.entries))
	for id := range m.entries {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, ID.compare)
	return ids
}

// distances returns the entries that a query allows, in order, with their distances.
func (m *model) distances(q index.Query) []Match {
	var all []Match
	for _, id := range m.ids() {
		if q.Allow != nil && !q.Allow(id.Number) {
			continue
		}
		all = append(all, Match{id, fphash.Distance(m.entries[id], q.Words)})
	}
	return all
}

func within(all []Match, k int) []Match {
	return slices.DeleteFunc(slices.Clone(all), func(m Match) bool { return m.Distance > k })
}

func (m *model) within(q index.Query, k int) []Match { return within(m.distances(q), k) }

// check compares a reader with the model.
func (m *model) check(t testing.TB, r *Reader) {
	t.Helper()
	var ids []ID
	err := eachEntry(r, func(id ID, words []uint64) bool {
		e, ok := m.entries[id]
		if !ok || !slices.Equal(words, e) {
			t.Errorf("id %v has %x, expected %x", id, words, e)
		}
		ids = append(ids, id)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := m.ids(); !slices.Equal(ids, want) {
		t.Fatalf("%d ids, expected %d", len(ids), len(want))
	}
	info, err := r.Info()
	if err != nil || info.Entries != len(m.entries) {
		t.Errorf("%d entries, %v, expected %d", info.Entries, err, len(m.entries))
	}
}

func (m *model) search(t testing.TB, r *Reader, q index.Query, k int) {
	t.Helper()
	q.Definition = definitionOf(t, r)
	all := m.distances(q)
	want := within(all, k)
	got, err := r.AppendWithin(nil, q, k)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("within %d of %x: %v, %v, expected %v", k, q.Words, got, err, want)
	}
	nearest, err := r.Nearest(q, 3)
	slices.SortStableFunc(all, func(a, b Match) int { return a.Distance - b.Distance })
	if err != nil || !slices.Equal(nearest, all[:min(3, len(all))]) {
		t.Errorf("3 nearest to %x: %v, %v, expected %v", q.Words, nearest, err, all[:min(3, len(all))])
	}
}

func definitionOf(t testing.TB, r *Reader) string {
	t.Helper()
	info, err := r.Info()
	if err != nil {
		t.Fatal(err)
	}
	return info.Definition
}

// count returns a number of repetitions: the value of an environment variable, or the usual number.
func count(variable string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return usual
}

// mended returns the bytes with corrected checksums, as far as they can be located.
func mended(data []byte) []byte {
	data = slices.Clone(data)
	if len(data) < fixedBytes+8 {
		return data
	}
	copy(data, magic)
	binary.LittleEndian.PutUint32(data[8:], version)
	length := int(binary.LittleEndian.Uint32(data[12:]))
	if length < fixedBytes+8 || length > len(data) || length%8 != 0 {
		return data
	}
	mendHeader := func() { binary.LittleEndian.PutUint64(data[length-8:], xxhash.Sum64(data[:length-8])) }
	mendHeader()
	h, err := parseHeader(data[:length])
	if err != nil || h.logFrom > int64(len(data)) {
		return data
	}
	for i := range h.blocks() {
		from, to := h.block(i)
		binary.LittleEndian.PutUint64(data[h.dataTo+8*int64(i):], xxhash.Sum64(data[from:to]))
	}
	binary.LittleEndian.PutUint64(data[72:], xxhash.Sum64(data[h.dataTo:][:8*h.blocks()]))
	mendHeader()
	for at := h.logFrom; at+frameBytes <= int64(len(data)); at += align {
		if binary.LittleEndian.Uint32(data[at:]) != frameMagic {
			continue
		}
		frame := data[at:]
		binary.LittleEndian.PutUint64(frame[40:], xxhash.Sum64(frame[:40]))
		if n := binary.LittleEndian.Uint64(frame[24:]); n < uint64(len(frame)) && frameSize(int(n)) <= int64(len(frame)) {
			end := frameSize(int(n)) - 8
			binary.LittleEndian.PutUint64(frame[end:], max(1, xxhash.Sum64(frame[:end])))
		}
	}
	return data
}
