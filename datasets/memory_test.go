package datasets

import (
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"simhashkit/internal/syntax"
	"simhashkit/internal/testing/long"
)

// repeated is a stream of a given size that repeats one text.
type repeated struct {
	text     string
	at, size int
}

func (r *repeated) Read(p []byte) (int, error) {
	p = p[:min(len(p), r.size-r.at)]
	for i := range p {
		p[i] = r.text[r.at%len(r.text)]
		r.at++
	}
	if r.at == r.size {
		return len(p), io.EOF
	}
	return len(p), nil
}

// peakOf returns the peak memory use of f, with a garbage collector that runs very often.
func peakOf(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	done, peak := make(chan bool), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapInuse)
			select {
			case <-done:
				peak <- most - min(most, before.HeapInuse)
				return
			default:
				runtime.Gosched()
			}
		}
	}()
	f()
	close(done)
	return <-peak
}

// A line of the default maximum length takes no more memory than documented. A longer line, which
// even a small compressed file can hold, is rejected within the same memory.
func TestMemoryOfTheLongestLine(t *testing.T) {
	long.Skip(t, "reads 80 MB")
	for _, c := range []struct {
		bytes   int
		refused bool
	}{{defaultMaxLine, false}, {defaultMaxLine * 4, true}} {
		var err error
		features := 0
		peak := peakOf(func() {
			r := newSVMLightReader[float64](io.MultiReader(strings.NewReader("1"), &repeated{" 1:1", 0, c.bytes/4*4 - 4}), ReadOptions{})
			var row Row[float64]
			err = r.Read(&row)
			features = len(row.Indices)
		})
		var malformed *syntax.Error
		if refused := errors.As(err, &malformed) && strings.Contains(malformed.Want, "a line of at most 16777216 bytes"); refused != c.refused || !refused && (err != nil || features != 1) {
			t.Errorf("a line of %d bytes: %d features, %v", c.bytes, features, err)
		}
		if limit := uint64(40 * defaultMaxLine); peak > limit {
			t.Errorf("a line of %d bytes takes %d bytes of memory, expected at most %d", c.bytes, peak, limit)
		}
		t.Logf("a line of %d bytes takes %d MB", c.bytes, peak>>20)
	}
}
