package table

import (
	"fmt"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// unsure are rows of three kinds of vectors, with some missing.
func unsure() (list []resultfile.Row) {
	add := func(name, unit string, value float64) {
		list = append(list, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
	}
	for _, kind := range []struct {
		name   string
		ways   []string
		recall [4]float64
		bias   float64
	}{
		{"hash=xxh64/weights=lognormal/f=64/nnz=100", []string{"k=3", "k=5", "t=8/k=3", "t=4/masks=2/k=3"}, [4]float64{0.109, 0.378, 0.609, 0.594}, 0.0002},
		{"hash=xxh64/weights=outlier/f=64/nnz=100", []string{"k=3", "k=5", "t=8/k=3", "t=4/masks=2/k=3"}, [4]float64{0.907, 0.981, 0.994, 0.994}, 0.0379},
		{"hash=md5/weights=lognormal/f=128/nnz=100", []string{"k=6", "k=10", "t=16/k=6"}, [4]float64{0.027, 0.27, 0.556}, -0.0007},
	} {
		for _, cosine := range []string{"0.98", "0.95", "0.80"} {
			share := map[string]float64{"0.98": 1.5, "0.95": 1, "0.80": 0.03}[cosine]
			at := fmt.Sprintf("Unsure/%s/cosine=%s/", kind.name, cosine)
			for w, way := range kind.ways {
				add(at+way, "recall", min(kind.recall[w]*share, 0.999))
				add(at+way, "pairs", 20000)
			}
			add(at+"by=distance", "cosine-rmse", 0.039/share)
			add(at+"by=sums", "cosine-rmse", 0.026/share)
			add(at+"by=sums", "cosine-bias", kind.bias)
		}
		for w, way := range kind.ways {
			add("Unsure/"+kind.name+"/"+way, "strangers", []float64{2.36e-15, 4.48e-13, 4.05e-13, 3.58e-13}[w])
		}
	}
	return append(list, resultfile.Row{Name: "Unsure/hash=fnv1a64/weights=unit/f=64/nnz=100", Unit: "effective-bits", Err: "verification code 1, expected 2"})
}

func TestUnsureGolden(t *testing.T) { sameAs(t, "testdata/unsure.golden", unsure(), 120) }
