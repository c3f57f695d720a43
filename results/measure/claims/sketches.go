package main

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"simhashkit/bench/quality"
	"simhashkit/fphash"
	"simhashkit/internal/bench/naive"
	"simhashkit/internal/bench/terms"
	"simhashkit/results/measure/bars"
)

// sketches answers the claims about hyperplanes, hashes and their quality: 1 to 6, 11, 13, 14, 26,
// 27.
func (c *claims) sketches() error {
	sketch := func(rest string) float64 {
		return c.value("Sketch/"+rest+"/nnz=100", terms.NanosecondsPerFeature) * 100
	}
	stored := func(method string, d int) string {
		return english(c.value(fmt.Sprintf("Sketch/method=%s/dimensions=%d/weights=f32/f=64/nnz=100", method, d), terms.BytesStored))
	}
	c.say(answer{1, "D", "f stored vectors need f·D numbers, which does not fit for large D",
		fmt.Sprintf("resident memory for float32 at D = 10^6: %s; 64 bits, D = 10^4, 10^6, 10^7, 10^8: float32 %s, %s, %s, %s; ±1 bits %s, %s, %s, %s; a hash 0", english(c.put("Claim/row=1/dimensions=1000000", "B-resident", resident())), stored("gaussian", 1e4), stored("gaussian", 1e6), stored("gaussian", 1e7), english(64*4*1e8), stored("signs", 1e4), stored("signs", 1e6), stored("signs", 1e7), english(8*1e8)),
		"true of float32; bits fit up to D = 10^9", methods, ""})
	best := math.Inf(1)
	for _, r := range c.rows {
		if strings.HasPrefix(r.Name, "Sketch/hash=xxh64/weights=f32/f=64/kernel=") && strings.HasSuffix(r.Name, "/nnz=100") && r.Unit == terms.NanosecondsPerFeature {
			best = min(best, c.value(r.Name, r.Unit)*100)
		}
	}
	functions, loop := sketch("method=functions/weights=f32/f=64"), sketch("method=naive/weights=f32/f=64")
	c.say(answer{2, "D", "one hash function per bit avoids the memory, but costs f times the hashing",
		fmt.Sprintf("ns per vector of 100 features: Gaussian, D = 10^6: %.0f; signs with the plain loop, D = 10^6: %.0f; 64 functions: %.0f; one hash with the plain loop: %.0f, in pure Go: %.0f, with the fastest kernel: %.0f",
			sketch("method=gaussian/dimensions=1000000/weights=f32/f=64"), sketch("method=signs/dimensions=1000000/weights=f32/f=64"), functions, loop, sketch("hash=xxh64/weights=f32/f=64/kernel=generic"), best),
		fmt.Sprintf("true of hashing; with the adding, 64 functions take %.1f times as long as one hash in the same loop, and %.0f times as long as the kernel", functions/loop, functions/best), methods, ""})
	c.bars("methods.svg", "Nanoseconds per vector of 100 features, 64 bits, logarithmic axis", []bars.Bar{
		{Label: "Gaussian hyperplanes, D = 10^6", Value: sketch("method=gaussian/dimensions=1000000/weights=f32/f=64")},
		{Label: "signs, plain loop, D = 10^6", Value: sketch("method=signs/dimensions=1000000/weights=f32/f=64")},
		{Label: "64 hash functions", Value: functions}, {Label: "one hash, plain loop", Value: loop},
		{Label: "one hash, pure Go", Value: sketch("hash=xxh64/weights=f32/f=64/kernel=generic")}, {Label: "one hash, fastest kernel", Value: best},
	}, " ns", 10)
	var worth []string
	for _, pattern := range []string{"consecutive", "uniform64"} {
		for _, m := range []string{"gaussian", "signs", "functions", "naive"} {
			worth = append(worth, fmt.Sprintf("%s %.1f", m, c.value("Quality/method="+m+"/pattern="+pattern+"/weights=unit/f=64", terms.EffectiveBits)))
		}
	}
	c.say(answer{3, "D, M07", "one f-bit hash of the index gives a sketch of the same use",
		"effective bits of 64 on runs of indices: " + strings.Join(worth[:4], ", ") + "; on random indices: " + strings.Join(worth[4:], ", "), "true, if the hash is good (row 14)", methods, ""})
	c.bands()
	c.identities()
	word := func(hash string) float64 {
		return c.value("Quality/hash="+hash+"/pattern=words/weights=unit/f=64", terms.EffectiveBits)
	}
	index := func(hash string) float64 {
		return c.value("Quality/hash="+hash+"/encoding=le64/pattern=consecutive/weights=unit/f=64", terms.EffectiveBits)
	}
	key := func(hash string) float64 {
		fastest := math.Inf(1)
		for _, r := range c.rows {
			if strings.HasPrefix(r.Name, "Hash/hash="+hash+"/") && r.Unit == terms.NanosecondsPerKey && !strings.Contains(r.Name, "library") {
				fastest = min(fastest, c.value(r.Name, r.Unit))
			}
		}
		return fastest
	}
	var list []string
	for _, h := range []string{"lookup3", "xxh64", "fnv1a64", "md5", "sha1"} {
		list = append(list, fmt.Sprintf("%s %.2f ns, %.1f and %.1f", h, key(h), word(h), index(h)))
	}
	c.say(answer{11, "B", "PHASH is fastest and least accurate, MD5 more accurate, SHA slowest and most accurate",
		"ns per key with the fastest kernel, effective bits on words and on runs of indices: " + strings.Join(list, "; "), "false: above a threshold all are equally accurate, and MD5 and SHA-1 only cost more",
		"fphash bench --suite hashes --hash lookup3,xxh64,fnv1a64,md5,sha1", ""})
	if err := c.pythonHash(); err != nil {
		return err
	}
	c.say(answer{14, "E", "FNV-1a with bits as strings of \"0\" and \"1\" does",
		fmt.Sprintf("ns per word: that code %.0f, the plain loop %.0f, the fastest kernel %.1f; effective bits of FNV-1a on words %.1f, on dense indices %.1f, on runs of indices %.1f", c.stringBits(), loop/100, best/100,
			word("fnv1a64"), c.value("Quality/hash=fnv1a64/encoding=le64/pattern=dense1e3/weights=unit/f=64", terms.EffectiveBits), index("fnv1a64")),
		"depends on the features: true of words, but FNV-1a is weak on runs of indices", own, ""})
	var tiers []string
	least, most := math.Inf(1), 0.0 // times that kernels are faster
	for _, h := range []string{"fnv1a64", "xxh64", "highway64", "md5"} {
		inGo := c.value("Hash/hash="+h+"/encoding=le64/kernel=generic/n=1024", terms.NanosecondsPerKey)
		tiers = append(tiers, fmt.Sprintf("%s %.2f instead of %.2f", h, key(h), inGo))
		least, most = min(least, inGo/key(h)), max(most, inGo/key(h))
	}
	generic := c.value("Accumulate/weights=f32/f=64/kernel=generic/nnz=100", terms.NanosecondsPerFeature)
	fastest := generic
	for _, r := range c.rows {
		if strings.HasPrefix(r.Name, "Accumulate/weights=f32/f=64/") && strings.HasSuffix(r.Name, "/nnz=100") {
			fastest = min(fastest, c.value(r.Name, r.Unit))
		}
	}
	c.say(answer{26, "the kit", "kernels chosen by cpuid beat pure Go across FNV, xxHash, HighwayHash and MD5",
		fmt.Sprintf("ns per key: %s; adding and signs, f32: %.2f instead of %.2f ns per feature", strings.Join(tiers, ", "), fastest, generic),
		truth(least > 1 && fastest < generic, fmt.Sprintf("of all four: they are %.0f to %.0f times as fast", least, most), "some kernel is slower"), "fphash bench --suite hashes", ""})
	c.buckets()
	return nil
}

// buckets answers row 27. Finalised hashes end with a mixer of all bits.
func (c *claims) buckets() {
	finalised := []string{"xxh64", "splitmix64", "murmur3-32", "murmur3-128", "polymur", "md5", "mixed-tabulation", "tornado-tabulation"}
	width := map[string]int{"crc32c": 32, "murmur3-32": 32}
	least, others := 1.0, 1.0 // shares of 1,024
	var list []string
	for _, h := range slices.Concat(finalised, []string{"multiply-shift", "crc32c"}) {
		var cells []string
		for _, pattern := range []string{"dense1e3", "consecutive"} {
			name := fmt.Sprintf("Quality/hash=%s/encoding=le64/pattern=%s/weights=unit/sketch=hashing/buckets=1024/f=%d", h, pattern, cmp.Or(width[h], 64))
			v := c.value(name, terms.EffectiveBuckets)
			if slices.Contains(finalised, h) {
				least = min(least, v/1024)
			} else {
				others = min(others, v/1024)
				cells = append(cells, fmt.Sprintf("%.0f (%.0f to %.0f)", v, c.value(name, terms.EffectiveBuckets+terms.Low), c.value(name, terms.EffectiveBuckets+terms.High)))
				continue
			}
			cells = append(cells, fmt.Sprintf("%.0f", v))
		}
		list = append(list, h+" "+strings.Join(cells, " and "))
	}
	c.say(answer{27, "the kit", "sums of hashed indices are as good as real hyperplanes for feature hashing too",
		"effective buckets of 1,024 on dense indices and on runs: " + strings.Join(list, ", "),
		truth(least >= terms.GoodPart, fmt.Sprintf("of finalised hashes and tabulation: at least %.0f%%; multiply-shift and CRC keep as little as %.0f%%", 100*least, 100*others), "a finalised hash is weak"),
		"fphash bench --suite hashes --run sketch=hashing", ""})
}

// resident returns the bytes by which the memory of the process grows with 64 hyperplanes of 10^6
// float32.
func resident() float64 {
	size := func() (bytes float64) {
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			return 0 // not on Linux
		}
		_, rest, _ := strings.Cut(string(status), "VmRSS:")
		fmt.Sscan(rest, &bytes)
		return 1024 * bytes
	}
	debug.FreeOSMemory()
	before := size()
	g := naive.NewGaussian(1e6, 1)
	after := size()
	runtime.KeepAlive(g)
	return after - before
}

// bands compares the share of differing bits with θ/π in ten bands of the angle.
func (c *claims) bands() {
	const perBand, features, keyings = 200, 100, 20
	r := rand.New(rand.NewPCG(4, 4))
	var cells []string
	worst := 0.0
	for band := range 10 {
		expected, measured := 0.0, 0.0
		for i := range perBand {
			wanted := (float64(band) + (float64(i)+0.5)/perBand) / 10 * math.Pi / 2
			shared := int(math.Round(math.Cos(wanted) * features))
			x, y := make([]uint64, features), make([]uint64, features)
			for j := range x {
				x[j], y[j] = r.Uint64(), r.Uint64()
				if j < shared {
					y[j] = x[j]
				}
			}
			expected += math.Acos(float64(shared)/features) / math.Pi
			for range keyings {
				shift := r.Uint64()
				for j := range x {
					x[j] += shift
					y[j] += shift
				}
				a, _, _ := fphash.SketchUnit64(x)
				b, _, _ := fphash.SketchUnit64(y)
				measured += float64(fphash.Distance64(a, b)) / 64 / keyings
			}
		}
		expected, measured = expected/perBand, measured/perBand
		c.put(fmt.Sprintf("Claim/row=4/band=%d", band), "share-of-bits", measured)
		c.put(fmt.Sprintf("Claim/row=4/band=%d", band), "angle/pi", expected)
		cells = append(cells, fmt.Sprintf("%.3f for %.3f", measured, expected))
		worst = max(worst, math.Abs(measured-expected))
	}
	c.say(answer{4, "D, C02", "similar cosine, small Hamming distance", "share of differing bits for θ/π, in ten bands of the angle up to 90°: " + strings.Join(cells, ", "),
		fmt.Sprintf("true: within %.3f of θ/π in each band", worst), own, ""})
}

// identities answers rows 5 and 6 by exact computation.
func (c *claims) identities() {
	r := rand.New(rand.NewPCG(5, 5))
	equal, all := 0, 0
	for range 1000 {
		indices, weights := make([]uint64, 50), make([]int64, 50)
		for i := range indices {
			indices[i], weights[i] = r.Uint64(), r.Int64N(2001)-1000
		}
		s := must(fphash.New(fphash.Definition{}))
		got, _, err := fphash.Append(s, nil, indices, weights)
		must(0, err)
		for j := range 64 {
			dot := int64(0)
			for i, index := range indices {
				dot += weights[i] * (int64(code(index)>>j&1)*2 - 1)
			}
			all++
			if (dot > 0) == (got[0]>>j&1 == 1) {
				equal++
			}
		}
	}
	c.put("Claim/row=5", "equal-share", float64(equal)/float64(all))
	c.say(answer{5, "C", "adding +w for 1 and −w for 0 equals dot products with ±1 vectors", fmt.Sprintf("%d of %d signs are equal", equal, all), truth(equal == all, "", "some signs differ"), own, ""})
	examples := []struct {
		codes   []uint64
		weights []float64
		width   int
		want    uint64
	}{
		{[]uint64{0b100101, 0b101011}, []float64{4, 5}, 6, 0b101011},
		{[]uint64{0b100101, 0b101011, 0b100111, 0b101111, 0b111011}, []float64{5, 2, 3, 1, 4}, 6, 0b100111},
		{[]uint64{0b101, 0b011, 0b001}, []float64{1, 2, 3}, 3, 0b001},
		{[]uint64{0b10, 0b01, 0b11}, []float64{3, 2, 4}, 2, 0b11},
		{[]uint64{0b01011001, 0b11001011}, []float64{45.11, 32.09}, 8, 0b01011001},
	}
	right := 0
	for _, e := range examples {
		if naive.Sketch64(e.codes, e.weights)&(1<<e.width-1) == e.want {
			right++
		}
	}
	for _, d := range [][3]uint64{{0b100111, 0b101010, 3}, {0b10101, 0b00110, 3}, {0b00101110, 0b00001111, 2}} {
		if uint64(fphash.Distance64(d[0], d[1])) == d[2] {
			right++
		}
	}
	c.put("Claim/row=6", "right-examples", float64(right))
	c.say(answer{6, "A–E", "worked examples: 101011, 100111, 001, 11, 01011001; distances 3, 3, 2", fmt.Sprintf("%d of 8 are right", right),
		"true; B prints a wrong sum (15 −7 −1 3 5 15 is right), and the sum 7 for 3 − 2 + 4 = 5 is a slip", own, ""})
}

// code is the default hash of an index.
func code(index uint64) uint64 {
	family := must(fphash.Lookup(fphash.DefaultHash))
	hash := must(family.New(fphash.Key{}))
	var dst [1]uint64
	hash.HashUint64s(dst[:], []uint64{index})
	return dst[0]
}

// pythonHash answers row 13: x = x·1000003 xor each character, of which A keeps the last 64 bits.
func (c *claims) pythonHash() error {
	hash := func(word string) uint64 {
		x := uint64(word[0]) << 7
		for i := range len(word) {
			x = x*1000003 ^ uint64(word[i])
		}
		return x ^ uint64(len(word))
	}
	keys := quality.KeysOf(terms.Words)
	w, err := quality.Generate(quality.WorkloadOptions{Pattern: terms.Words, Weights: terms.Unit})
	if err != nil {
		return err
	}
	r, err := w.Measure(quality.OfFunc("python", 64, func(dst, numbers []uint64) error {
		for i, n := range numbers {
			dst[i] = hash(keys[n])
		}
		return nil
	}), 0)
	if err != nil {
		return err
	}
	var sink uint64
	ns := nanoseconds(func() {
		for _, k := range keys[:4096] {
			sink ^= hash(k)
		}
	}) / 4096
	c.put("Claim/row=13", terms.EffectiveBits, r.All.Effective.Value)
	c.put("Claim/row=13", terms.EffectiveBitsCos90, r.Cos90.Effective.Value)
	c.put("Claim/row=13", "ns/word", ns)
	c.say(answer{13, "A", "a polynomial in 1000003, last 64 bits, and integer weights are good enough",
		fmt.Sprintf("effective bits of 64 on words: %.1f, at cosine 0.9 and above %.1f; %d bits are constant or copied; %.1f ns per word in Go", r.All.Effective.Value, r.Cos90.Effective.Value, len(r.Bit.Constant)+len(r.Bit.Copied), ns),
		truth(r.Verdict == terms.Good, "of words", "the hash is "+r.Verdict.String()), own, ""})
	return nil
}

// stringBits returns the nanoseconds per word of E's way: FNV-1a, as a string of "0" and "1".
func (c *claims) stringBits() float64 {
	words := quality.KeysOf(terms.Words)[:1000]
	var sink int
	ns := nanoseconds(func() {
		for start := 0; start < len(words); start += 100 {
			var v [64]int
			for _, word := range words[start : start+100] {
				h := uint64(0xcbf29ce484222325)
				for i := range len(word) {
					h = (h ^ uint64(word[i])) * 0x100000001b3
				}
				for j, bit := range fmt.Sprintf("%064b", h) {
					if bit == '1' {
						v[j]++
					} else {
						v[j]--
					}
				}
			}
			sink += v[0]
		}
	}) / float64(len(words))
	return c.put("Claim/row=14", "ns/word", ns)
}

// nanoseconds returns the least time of several calls.
func nanoseconds(f func()) float64 {
	least := time.Duration(math.MaxInt64)
	for range 15 {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return float64(least.Nanoseconds())
}

func md5Of(text string) uint64 {
	sum := md5.Sum([]byte(text))
	return binary.LittleEndian.Uint64(sum[:])
}

// hashCode is Java's hash of a string.
func hashCode(text string) (h uint32) {
	for _, r := range text {
		h = 31*h + uint32(r)
	}
	return h
}

func differing(a, b uint64) float64 { return float64(bits.OnesCount64(a ^ b)) }

// truth returns the verdict "true", with what it is true of, or "false" with the reason.
func truth(ok bool, of, reason string) string {
	switch {
	case !ok:
		return "false: " + reason
	case of == "":
		return "true"
	}
	return "true " + of
}

// must returns a value whose error is impossible here.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// english formats a number of bytes.
func english(bytes float64) string {
	units := []string{"B", "kB", "MB", "GB"}
	for len(units) > 1 && bytes >= 1000 {
		bytes, units = bytes/1000, units[1:]
	}
	return fmt.Sprintf("%.3g %s", bytes, units[0])
}
