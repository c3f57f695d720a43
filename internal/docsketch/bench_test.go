package docsketch

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	_ "simhashkit/internal/columnar"
	"simhashkit/textsketch"
)

// benchSketcher returns the Sketcher for a definition. For tfidf, it makes a table of all
// documents.
func benchSketcher(b *testing.B, definition string, list []record) *textsketch.Sketcher {
	features, scheme, _ := strings.Cut(definition, "/weights=")
	options, err := text.ParseOptions(features)
	if err != nil {
		b.Fatal(err)
	}
	w := weights.Options{Scheme: weights.Scheme(scheme)}
	if scheme != "" {
		analyzer, err := text.New(options)
		if err != nil {
			b.Fatal(err)
		}
		builder := weights.NewBuilder(analyzer.Options().String())
		for _, r := range list {
			builder.Add(analyzer.Append(nil, []byte(r.Text)))
		}
		w.List = builder.List()
	}
	hash, err := fphash.New(fphash.Definition{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := textsketch.New(textsketch.Options{Text: options, Weights: w, Hash: hash})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// sketchFile computes the fingerprints of the documents in a file.
func sketchFile(b *testing.B, s *textsketch.Sketcher, path string, workers int) {
	r, err := documents.Open(b.Context(), path, documents.Options{ID: "id"})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for d, err := range Documents(b.Context(), s, r, new(Missing), workers) {
		if err != nil {
			b.Fatal(err)
		}
		sink ^= d.Fingerprint[0]
	}
}

var sink uint64

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkTextFile measures the time from files to fingerprints. Alternately, it measures how long
// the library that decodes the format takes only to read the texts, in several ways. Metrics such
// as of-rows are medians of the time of the library divided by our time.
func BenchmarkTextFile(b *testing.B) {
	list, size := englishWords(b)
	for _, format := range []struct {
		name  string
		write func(io.Writer) error
		alone []alone
	}{
		{"parquet", writeParquet(list), []alone{{"rows", parquetRows}, {"pages", parquetPages}}},
		{"jsonl", writeJSONLines(list), []alone{{"structs", jsonStructs}, {"tokens", jsonTokens}}},
	} {
		path := written(b, "x."+format.name, format.write)
		for _, definition := range definitions {
			s := benchSketcher(b, definition, list)
			for _, cpus := range []int{1, 2} {
				b.Run("format="+format.name+"/features="+definition+cpusKey(cpus), func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cpus))
					b.SetBytes(int64(size))
					b.ReportAllocs()
					ratios := make([][]float64, len(format.alone))
					for b.Loop() {
						start := time.Now()
						sketchFile(b, s, path, cpus)
						ours := float64(time.Since(start))
						b.StopTimer()
						for i, way := range format.alone {
							start := time.Now()
							if n, err := way.read(path); err != nil || n != size {
								b.Fatalf("%s: %d bytes, %v; want %d", way.name, n, err, size)
							}
							ratios[i] = append(ratios[i], float64(time.Since(start))/ours)
						}
						b.StartTimer()
					}
					for i, way := range format.alone {
						b.ReportMetric(median(ratios[i]), "of-"+way.name)
					}
					b.ReportMetric(float64(len(list)), "documents")
				})
			}
		}
	}
}

// alone is a way to read only the texts of a file. read returns their total size.
type alone struct {
	name string
	read func(path string) (int, error)
}

// definitions lists the features and weights to measure.
var definitions = []string{"words", "words,fold/weights=tfidf", "bytes,n=8"}

// cpusKey returns the part of a benchmark's name for the number of cores; it omits the default, 1.
func cpusKey(n int) string {
	if n == 1 {
		return ""
	}
	return "/cpus=2"
}

// BenchmarkTextWorkers alternately sketches documents in memory with two goroutines on two cores
// and with one on one core. The metric speedup is the median of the ratio of the times.
func BenchmarkTextWorkers(b *testing.B) {
	list, size := englishWords(b)
	lines := bytes.Buffer{}
	for _, r := range list {
		lines.WriteString(strings.ReplaceAll(r.Text, "\n", " ") + "\n")
	}
	for _, definition := range definitions {
		s := benchSketcher(b, definition, list)
		run := func(workers int) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			r, err := documents.NewReader(b.Context(), bytes.NewReader(lines.Bytes()), "x.txt", documents.Options{})
			if err != nil {
				b.Fatal(err)
			}
			for d, err := range Documents(b.Context(), s, r, new(Missing), workers) {
				if err != nil {
					b.Fatal(err)
				}
				sink ^= d.Fingerprint[0]
			}
		}
		b.Run("features="+definition+"/cpus=2", func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			var ratios []float64
			for b.Loop() {
				start := time.Now()
				run(2)
				two := float64(time.Since(start))
				b.StopTimer()
				start = time.Now()
				run(1)
				ratios = append(ratios, float64(time.Since(start))/two)
				b.StartTimer()
			}
			b.ReportMetric(median(ratios), "speedup")
		})
	}
}
