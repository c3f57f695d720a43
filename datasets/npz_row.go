package datasets

import (
	"archive/zip"
	"fmt"
	"io"
	"math"
	"strings"

	"simhashkit/internal/npy"
)

// nextRow reads the next row.
func (n *npzReader[W]) nextRow() (bad *SyntaxError, err error) {
	if n.offsets.taken < n.offsets.count {
		n.number++
		if bad, err = n.fill(); err == nil {
			return bad, nil
		}
	} else if err = n.end(); err == nil {
		return nil, io.EOF
	}
	return nil, fmt.Errorf("datasets: %s: row %d: %w", n.options.Name, n.number, err)
}

// fill fills the row. An error says that nothing behind it can be trusted.
func (n *npzReader[W]) fill() (bad *SyntaxError, err error) {
	to, err := n.offsets.nextCount()
	if err != nil {
		return nil, err
	}
	if to < n.from || to > n.indices.count {
		return nil, fmt.Errorf("array indptr: expected a number from %d to %d, got %d", n.from, n.indices.count, to)
	}
	n.begin(0)
	for place := 0; n.from < to; n.from++ {
		fault, err := n.feature(place)
		if err != nil {
			return nil, err
		}
		if bad == nil {
			bad = fault
		}
		place++
	}
	if _, ok := n.sum(); bad == nil && !ok {
		bad = n.fault("a sum of repeated features that fits "+n.kind.name, "more")
	}
	return bad, nil
}

// feature reads the next feature, which stands at a place of its row.
func (n *npzReader[W]) feature(place int) (*SyntaxError, error) {
	index, err := n.indices.nextCount()
	if err != nil {
		return nil, err
	}
	bits, err := n.data.next()
	if err != nil {
		return nil, err
	}
	if index >= n.columns {
		return n.fault(fmt.Sprintf("an index below %d, the number of columns", n.columns), fmt.Sprint(index)), nil
	}
	weight, zero, want := n.weight(bits)
	if want != "" {
		return n.fault(want+" at index "+fmt.Sprint(index), n.data.text(bits)), nil
	}
	if !zero {
		n.add(index, weight, place)
	}
	return nil, nil
}

// weight makes a weight of the bits of a number. When it cannot, want says what was expected.
func (n *npzReader[W]) weight(bits uint64) (weight W, zero bool, want string) {
	if n.data.kind.Kind == 'f' {
		return weightOfFloat[W](n.kind, n.data.kind.Float(bits), n.options.Unit)
	}
	negative := n.data.kind.Kind == 'i' && int64(bits) < 0
	if n.options.Unit {
		return 1, bits == 0, ""
	}
	if n.kind.whole {
		least, most := int64(math.MinInt64), int64(math.MaxInt64)
		if n.kind.bits == 32 {
			least, most = math.MinInt32, math.MaxInt32
		}
		if negative && int64(bits) < least || !negative && bits > uint64(most) {
			return 0, false, "an integer weight that fits " + n.kind.name
		}
		return W(int64(bits)), bits == 0, ""
	}
	if negative {
		return W(int64(bits)), false, ""
	}
	return W(bits), bits == 0, ""
}

// weightOfFloat makes a weight of a float. When it cannot, want says what was expected.
func weightOfFloat[W Weight](kind weightKind, f float64, unit bool) (weight W, zero bool, want string) {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return 0, false, "a finite weight"
	case unit:
		return 1, f == 0, ""
	case kind.whole && f != math.Trunc(f):
		return 0, false, "an integer weight"
	case kind.whole && (f < -math.Ldexp(1, kind.bits-1) || f >= math.Ldexp(1, kind.bits-1)):
		return 0, false, "an integer weight that fits " + kind.name
	}
	weight = W(f)
	if math.IsInf(float64(weight), 0) {
		return 0, false, "a weight that fits " + kind.name
	}
	return weight, weight == 0, ""
}

// text writes the number whose bits these are.
func (a *npzArray) text(bits uint64) string {
	switch a.kind.Kind {
	case 'f':
		return strings.ToLower(fmt.Sprint(a.kind.Float(bits)))
	case 'i':
		return fmt.Sprint(int64(bits))
	}
	return fmt.Sprint(bits)
}

func (n *npzReader[W]) fault(want, got string) *SyntaxError {
	return &SyntaxError{File: n.options.Name, Row: n.number, Want: want, Got: got}
}

// end wants all arrays to end where the last row does.
func (n *npzReader[W]) end() error {
	for _, array := range []*npzArray{n.offsets, n.indices, n.data} {
		if err := array.end(); err != nil {
			return err
		}
	}
	return nil
}

// npzWeights returns the type of weights that holds the numbers of an .npz file; float64 where it
// has none, as reading it says.
func npzWeights(r io.ReaderAt, size int64) string {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return Float64
	}
	array, header, err := openHeader(archive, "data")
	if err != nil {
		return Float64
	}
	array.close.Close()
	switch kind, _ := npy.ParseType(header.Type); {
	case kind.Kind == 'f' && kind.Size == 4:
		return Float32
	case kind.Kind == 'i' && kind.Size == 4:
		return Int32
	case kind.Kind == 'i' || kind.Kind == 'u' || kind.Kind == 'b':
		return Int64
	}
	return Float64
}
