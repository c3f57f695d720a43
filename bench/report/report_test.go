package report

import (
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simhashkit/bench/gobench/resultfile"
)

func render(t testing.TB, sources ...Source) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, sources); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fromText is a source with these lines of benchmarks, measured on a machine of that name.
func fromText(t testing.TB, cpu string, lines ...string) Source {
	t.Helper()
	file, err := resultfile.Read(strings.NewReader("cpu: "+cpu+"\n\n"+strings.Join(lines, "\n")+"\n"), "bench.txt")
	if err != nil {
		t.Fatal(err)
	}
	return Source{Name: "bench.txt", File: file}
}

var (
	styles    = regexp.MustCompile(`(?s)<style>.*?</style>`)
	pictures  = regexp.MustCompile(`(?s)<svg role="img" aria-labelledby="([^"]*)" viewBox="([^"]*)"><title[^>]*>([^<]*)</title><desc[^>]*>([^<]*)</desc>(.*?)</svg>`)
	intervals = regexp.MustCompile(`(?s)<svg class="interval".*?</svg>`)
	texts     = regexp.MustCompile(`<text [^>]*>([^<]*)</text>`)
	tags      = regexp.MustCompile(`<[^>]*>`)
)

// plain is the text of a page as a reader sees it.
func plain(page string) string {
	page = pictures.ReplaceAllString(styles.ReplaceAllString(page, ""), "")
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, ""))), " ")
}

// A section without rows says which command measures them, and shows no picture; with rows it shows
// pictures.
func TestSections(t *testing.T) {
	whole := render(t, everything.source(t, "bench.txt"))
	for _, tc := range []struct {
		id      string
		without func(*sampleOptions)
		command string
		row     string
	}{
		{"recommendation", func(o *sampleOptions) { o.quality = false }, commandQuality, ""},
		{"speed", func(o *sampleOptions) { o.quality = false }, commandQuality, "BenchmarkQuality/<wbr>hash=md5"},
		{"kernels", func(o *sampleOptions) { o.kernels = false }, commandKernels, "unit weights: adding and signs, f = 64"},
	} {
		t.Run(tc.id, func(t *testing.T) {
			section := func(page string) string {
				_, rest, found := strings.Cut(page, `<section id="`+tc.id+`"`)
				if !found {
					t.Fatalf("there is no section %s", tc.id)
				}
				text, _, _ := strings.Cut(rest, "</section>")
				return text
			}
			present := section(whole)
			if strings.Contains(present, `class="missing"`) || !strings.Contains(present, tc.row) {
				t.Errorf("with rows:\n%s", skeleton(present))
			}
			if tc.id != "recommendation" && !strings.Contains(present, "<svg") {
				t.Error("with rows there is no picture")
			}
			o := everything
			o.hashes, o.patterns = o.hashes[:1], o.patterns[:1]
			tc.without(&o)
			absent := section(render(t, o.source(t, "bench.txt")))
			if !strings.Contains(absent, `<p class="missing">`) || !strings.Contains(absent, "<code>"+tc.command+"</code>") || strings.Contains(absent, "<svg") || strings.Contains(absent, "<table") {
				t.Errorf("without rows:\n%s", skeleton(absent))
			}
		})
	}
}

func TestNoFiles(t *testing.T) {
	if page := plain(render(t)); !strings.Contains(page, "No result files were named.") {
		t.Errorf("page:\n%s", page)
	}
}

// The page asks for nothing from anywhere, and runs nothing.
func TestSelfContained(t *testing.T) {
	page := render(t, everything.source(t, "bench.txt")) + renderComparison(t, sampleComparison(t, fewRows...))
	for _, bad := range []string{"http:", "https:", "//", "src=", "url(", "@import", "<script", "<iframe", "<object", "<img", "onload", "NaN", "Inf"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") && !strings.Contains(page, "default-src 'none'") {
		t.Error("the page does not forbid requests")
	}
}

func TestSameBytes(t *testing.T) {
	o := everything
	o.patterns = o.patterns[:1]
	source := o.source(t, "bench.txt")
	first := render(t, source)
	for range 3 {
		if render(t, source) != first {
			t.Fatal("the same file gives other bytes")
		}
	}
}

// What comes out of files is text, wherever it stands: names, errors, heads, file names.
func TestUntrustedText(t *testing.T) {
	evil := `<b>&"'` + "`{{.}}"
	o := everything
	o.hashes, o.patterns, o.weights = []string{evil, "xxh64"}, []string{evil}, []string{evil}
	source := o.source(t, evil+".txt")
	source.File.Head = append(source.File.Head, resultfile.Field{Name: evil, Value: evil})
	source.File.Config = append(source.File.Config, resultfile.Field{Name: "cpu", Value: evil})
	source.File.Rows = append(source.File.Rows, resultfile.Row{Name: "Hash/hash=" + evil, Err: evil})
	page := render(t, source)
	if strings.Contains(page, "<b>") || !strings.Contains(page, "&lt;b&gt;&amp;") {
		t.Error("text of a file is markup in the page")
	}
	if n := strings.Count(page, "<svg"); n != strings.Count(page, "</svg>") || n == 0 {
		t.Errorf("%d pictures begin, %d end", n, strings.Count(page, "</svg>"))
	}
}

// Whatever numbers a file holds, there is a page without anything that is no number.
func TestStrangeFigures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		figure := func(name string) string {
			return rapid.SampledFrom([]string{"0", "-1", "1", "64", "1e-300", "1e300", "-1e300", "1.7976931348623157e308", "4.9e-324", "NaN", "Inf", "0.5"}).Draw(t, name)
		}
		key := func(name string) string {
			return rapid.SampledFrom([]string{"1", "0", "-3", "64", "1e300", "9999999999999999999999", "x", "NaN", "90"}).Draw(t, name)
		}
		var lines []string
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			hash := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "hash")
			f := rapid.SampledFrom([]string{"64", "0", "x"}).Draw(t, "f")
			lines = append(lines,
				fmt.Sprintf("BenchmarkQuality/hash=%s/encoding=dec/pattern=p/weights=unit/f=%s 1 %s effective-bits %s effective-bits-low %s effective-bits-high %s bias %s constant-bits %s verdict",
					hash, f, figure("bits"), figure("low"), figure("high"), figure("bias"), figure("constant"), figure("verdict")),
				fmt.Sprintf("BenchmarkHash/hash=%s/encoding=dec/kernel=avx2/n=1 1 %s ns/key", hash, figure("ns")),
				fmt.Sprintf("BenchmarkAccumulate/weights=f32/f=64/kernel=%s/nnz=%s 1 %s ns/nnz", hash, key("nnz"), figure("ns")),
				fmt.Sprintf("BenchmarkQuery/index=%s/f=%s/k=3/kernel=avx2/n=%s 1 %s ns/query", hash, f, key("n"), figure("ns")))
		}
		file, err := resultfile.Read(strings.NewReader(strings.Join(lines, "\n")+"\n"), "strange.txt")
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := Write(&out, []Source{{Name: "strange.txt", File: file}}); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"NaN,", ",NaN", "Inf,", ",+Inf", ">NaN", ">+Inf", ">−Inf", "NaN%"} {
			if i := strings.Index(out.String(), bad); i >= 0 {
				t.Fatalf("%s in …%s…", bad, out.String()[max(0, i-300):min(out.Len(), i+100)])
			}
		}
	})
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	for _, err := range []error{Write(fullDisk{}, nil), WriteComparison(fullDisk{}, sampleComparison(t, fewRows...))} {
		if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "report: page: ") {
			t.Errorf("error %v", err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	o := everything
	o.hashes = manyHashes
	o.patterns = []string{"consecutive", "dense1e3", "uniform64", "uniform1e7", "strided", "pow2", "bitrev"}
	source := o.source(b, "bench.txt")
	for b.Loop() {
		render(b, source)
	}
	b.ReportMetric(float64(len(source.File.Rows)), "rows")
}

// manyHashes are those of a full run.
var manyHashes = []string{"fnv1-64", "fnv1a64", "fnv1a128", "xxh64", "xxh3", "highway64", "highway128", "highway256", "md5", "sha1", "sha256", "murmur3-128", "siphash", "lookup3", "splitmix64"}
