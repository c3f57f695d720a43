package advice

import "simhashkit/internal/bench/terms"

// Method is a way to sketch 100 features to 64 bits, with the names of the rows that measure it.
type Method struct {
	Words         string
	Time, Quality string
}

// Methods returns the ways to sketch: those of the literature with 10^6 dimensions, then hashed
// indices with each kernel, the slowest first.
func Methods() (list []Method) {
	of := func(words, method, keys string) {
		list = append(list, Method{words, "Sketch/method=" + method + keys + "/weights=f32/f=64/nnz=100", "Quality/method=" + method + "/pattern=consecutive/weights=unit/f=64"})
	}
	of("stored Gaussian hyperplanes", terms.Gaussian, "/dimensions=1000000")
	of("stored ±1 hyperplanes", terms.Signs, "/dimensions=1000000")
	of("64 hash functions", terms.Functions, "")
	of("one hash, plain loop", terms.Naive, "")
	for _, kernel := range []string{"generic", "neon", "avx2", "avx512", "avx512gfni"} {
		list = append(list, Method{"one hash (xxh64), kernel " + kernel,
			"Sketch/hash=xxh64/weights=f32/f=64/kernel=" + kernel + "/nnz=100", "Quality/hash=xxh64/encoding=le64/pattern=consecutive/weights=unit/f=64"})
	}
	return list
}
