package report

import (
	"regexp"
	"strings"
	"testing"
)

// The methods are drawn and listed with time, memory and quality; without those of the literature,
// there is nothing to compare.
func TestMethods(t *testing.T) {
	hashed := []string{
		"BenchmarkSketch/hash=xxh64/weights=f32/f=64/kernel=avx2/nnz=100 1 1.5 ns/nnz",
		"BenchmarkQuality/hash=xxh64/encoding=le64/pattern=consecutive/weights=unit/f=64 1 63.5 effective-bits 62.5 effective-bits-low 64.5 effective-bits-high",
	}
	stored := []string{
		"BenchmarkSketch/method=gaussian/dimensions=1000000/weights=f32/f=64/nnz=100 1 345 ns/nnz 2.56e+08 B-stored",
		"BenchmarkQuality/method=gaussian/pattern=consecutive/weights=unit/f=64 1 64.1 effective-bits 63 effective-bits-low 65.2 effective-bits-high",
		"BenchmarkSketch/method=functions/weights=f32/f=64/nnz=100 1 300 ns/nnz 0 B-stored", // not judged
	}
	if page := render(t, fromText(t, "A", strings.Join(hashed, "\n"))); strings.Contains(page, `id="methods"`) {
		t.Error("a section without methods to compare with")
	}
	page := render(t, fromText(t, "A", strings.Join(append(stored, hashed...), "\n")))
	_, section, _ := strings.Cut(page, `<section id="methods"`)
	section, _, _ = strings.Cut(section, "</section>")
	var cells []string
	for _, m := range regexp.MustCompile(`<td[^>]*>([^<]*)</td>`).FindAllStringSubmatch(section, -1) {
		cells = append(cells, m[1])
	}
	want := "stored Gaussian hyperplanes|34500|256 MB|64.1|63.0 to 65.2|64 hash functions|30000|0|–|–|–|one hash (xxh64), kernel avx2|150|0|63.5|62.5 to 64.5"
	if got := strings.Join(cells, "|"); got != want {
		t.Errorf("table %s\nwant  %s", got, want)
	}
	if n := strings.Count(section, `<svg class="interval"`); n != 5 {
		t.Errorf("%d times and effective bits are drawn", n)
	}
}
