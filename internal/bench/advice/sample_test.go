package advice

import (
	"fmt"

	"simhashkit/bench/gobench/resultfile"
)

// results is a list of made-up rows.
type results []resultfile.Row

func (r *results) exact(name string, valuesAndUnits ...any) {
	for i := 0; i < len(valuesAndUnits); i += 2 {
		*r = append(*r, resultfile.Row{Name: name, Unit: valuesAndUnits[i+1].(string), Samples: []resultfile.Sample{{Iterations: 1, Value: valuesAndUnits[i].(float64)}}})
	}
}

// cell adds the rows of a case. The intervals of effective bits are ±2 percent in both bands.
func (r *results) cell(hash, encoding, vectors string, bits, verdict float64) {
	name := fmt.Sprintf("Quality/hash=%s/encoding=%s/%s/f=64", hash, encoding, vectors)
	r.exact(name, bits, "effective-bits", bits*0.98, "effective-bits-low", bits*1.02, "effective-bits-high",
		bits+1, "effective-bits-cos90", (bits+1)*0.98, "effective-bits-cos90-low", (bits+1)*1.02, "effective-bits-cos90-high", verdict, "verdict")
}

// times adds a row with eight samples within 1 percent.
func (r *results) times(name, unit string, value float64) { r.samples(name, unit, value, 8, 0.01) }

// samples adds a row with n samples, which differ from the value by up to the given factor.
func (r *results) samples(name, unit string, value float64, n int, factor float64) {
	row := resultfile.Row{Name: name, Unit: unit}
	for i := range n {
		row.Samples = append(row.Samples, resultfile.Sample{Iterations: 10, Value: value * (1 + factor*float64(i-n/2)/float64(n/2))})
	}
	*r = append(*r, row)
}

const (
	hashRow   = "Hash/hash=%s/encoding=%s/kernel=avx2/n=1024"
	sketchRow = "Sketch/hash=%s/weights=f32/f=64/kernel=avx2/nnz=100"
	ownSketch = "Sketch/hash=%s/weights=f32/f=64/kernel=avx2/data=own.svm/nnz=mixed"
	onData    = "pattern=data/weights=f32/data=own.svm"
	onP, onQ  = "pattern=p/weights=unit", "pattern=q/weights=unit"
)

// hashed adds a time of hashing alone.
func (r *results) hashed(hash string, value float64) {
	r.times(fmt.Sprintf(hashRow, hash, "le64"), "ns/key", value)
}

// good adds cases in which the hashes are good on the vectors onP.
func (r *results) good(hashes ...string) {
	for _, hash := range hashes {
		r.cell(hash, "le64", onP, 63, 1)
	}
}

// set returns a Set of files with these results, each from another machine.
func set(files ...results) *Set {
	var sources []Source
	for i, f := range files {
		config := []resultfile.Field{{Name: "cpu", Value: string(rune('A' + i))}}
		sources = append(sources, Source{File: resultfile.File{Config: config, Rows: f}})
	}
	return NewSet(sources)
}
