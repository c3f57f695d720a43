package table

import (
	"fmt"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

func exact(name string, valuesAndUnits ...any) (rows []resultfile.Row) {
	for i := 0; i < len(valuesAndUnits); i += 2 {
		rows = append(rows, resultfile.Row{Name: name, Unit: valuesAndUnits[i+1].(string), Samples: []resultfile.Sample{{Iterations: 1, Value: valuesAndUnits[i].(float64)}}})
	}
	return rows
}

// cell is one of a hash, its figures within three percent.
func cell(hash, encoding, vectors string, bits, near, verdict float64) []resultfile.Row {
	return exact(fmt.Sprintf("Quality/hash=%s/encoding=%s/%s", hash, encoding, vectors), bits, "effective-bits", 0.97*bits, "effective-bits-low", 1.03*bits, "effective-bits-high",
		near, "effective-bits-cos90", 0.97*near, "effective-bits-cos90-low", 1.03*near, "effective-bits-cos90-high", 0.1, "bias", verdict, "verdict")
}

func qualities() []resultfile.Row {
	var rows []resultfile.Row
	for _, list := range [][]resultfile.Row{
		{
			row("Hash/hash=md5/encoding=le64/kernel=library/n=1024", "ns/key", 117.5),
			row("Hash/hash=md5/encoding=le64/kernel=avx2/n=1024", "ns/key", 7.5),
			row("Hash/hash=xxh64/encoding=le64/kernel=library/n=1024", "ns/key", 2.6),
			row("Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024", "ns/key", 0.6),
			row("Sketch/hash=xxh64/weights=f32/f=64/kernel=naive/data=go-source/nnz=mixed", "ns/nnz", 213),
			row("Sketch/hash=xxh64/weights=f32/f=64/kernel=avx2/data=go-source/nnz=mixed", "ns/nnz", 3.5),
		},
		cell("md5", "le64", "pattern=consecutive/weights=unit/f=64", 64.1, 63.9, 1),
		cell("md5", "dec", "pattern=consecutive/weights=unit/f=64", 63.9, 64.3, 1),
		cell("md5", "le64", "pattern=consecutive/weights=unit/f=128", 127, 128.4, 1),
		cell("xxh64", "le64", "pattern=consecutive/weights=unit/f=64", 64.4, 63.8, 1),
		cell("xxh64", "le64", "pattern=dense1e3/weights=signed/f=64", 63.1, 62.8, 1),
		cell("fnv1a64", "be64", "pattern=consecutive/weights=unit/f=64", 8.5, 42.6, -1),
		exact("Quality/hash=fnv1a64/encoding=be64/pattern=consecutive/weights=unit/f=64", 21.0, "constant-bits", 3.0, "copied-bits"),
		cell("lookup3", "le64", "pattern=consecutive/weights=unit/f=64", 61.6, 58.5, 0),
		cell("crc32c", "le64", "pattern=data/weights=f32/data=a-name-that-is-very-long-indeed.svm.gz/f=32", 12, 13, -1),
		exact("Quality/hash=siphash/encoding=le64/pattern=data/weights=f32/data=own.svm/f=64", 0.0, "verdict", 3.0, "pairs"),
		{{Name: "Quality/hash=xxh3/encoding=le64/pattern=pow2/weights=unit/f=64", Unit: "effective-bits", Err: "wrong"}},
	} {
		rows = append(rows, list...)
	}
	return rows
}

// What is skipped is no error, which the golden shows.
func TestGoldenQuality(t *testing.T) { sameAs(t, "testdata/quality.golden", qualities(), 126) }
