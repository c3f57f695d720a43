package fphash

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

// One huge key must not occupy memory forever: at most 1 MB is kept, in the buffers of the
// Sketcher, and in those of widening and Sketch64. Buffers for shorter keys are kept for the next
// call.
func TestHugeKeysHoldNoMemory(t *testing.T) {
	huge := slices.Repeat([]byte("simhash "), 1<<20) // 8 MB
	counted := mustNew(t, Definition{Bits: 128, Widen: WidenCounter}, WithWorkers(1)).Local()
	s := mustNew(t, Definition{Hash: "wyhash"}, WithWorkers(1)).Local() // the default hash copies no keys
	a := NewAccumulator[int32](s)
	for name, hash := range map[string]func(key []byte) error{
		"AppendUnit":          func(key []byte) error { _, _, err := AppendUnit(s, nil, [][]byte{key, nil}); return err },
		"AppendUnit, counter": func(key []byte) error { _, _, err := AppendUnit(counted, nil, [][]byte{key}); return err },
		"AppendBatchUnit": func(key []byte) error {
			_, _, err := AppendBatchUnit(s, nil, nil, []int{0, 1, 2}, [][]byte{key, key})
			return err
		},
		"Add":      func(key []byte) error { return Add(a, 1, key) },
		"Sketch64": func(key []byte) error { _, _, err := Sketch64([][]byte{key}, []int32{1}); return err },
	} {
		before := heldMemory()
		if err := hash(huge); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if more := heldMemory() - before; more > 3<<19 {
			t.Errorf("%s: a key of %d bytes leaves %d bytes in use, expected at most 1.5 MB", name, len(huge), more)
		}
	}
	runtime.KeepAlive(huge)
	if _, _, err := AppendUnit(s, nil, [][]byte{huge[:3<<19]}); err != nil {
		t.Error(err)
	}
	for name, b := range map[string]*buffers{"plain": s.own, "counter": counted.own} {
		if cap(b.text) > 1<<20 {
			t.Errorf("%s: a buffer of %d bytes is kept, expected at most 1 MB", name, cap(b.text))
		}
	}
	if _, _, err := AppendUnit(s, nil, [][]byte{huge[:1<<19]}); err != nil || cap(s.own.text) < 1<<19 {
		t.Errorf("half a megabyte leaves a buffer of %d bytes, expected at least as much (%v)", cap(s.own.text), err)
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(counted)
}

// The buffer for converted offsets is kept for the next batch, unless it is large.
func TestHugeBatchesHoldNoMemory(t *testing.T) {
	s := mustNew(t, Definition{}, WithWorkers(1)).Local()
	for _, n := range []int{keptOffsets / 2, 2 * keptOffsets} {
		_, _, err := AppendBatchUnit(s, nil, nil, make([]int32, n), []uint64{})
		if unsafe.Sizeof(0) == 4 { // offsets of 32 bits are not converted
			_, _, err = AppendBatchUnit(s, nil, nil, make([]int64, n), []uint64{})
		}
		if err != nil {
			t.Fatal(err)
		}
		if kept := cap(s.own.offsets); kept < keptOffsets/2 && n < keptOffsets || kept > keptOffsets {
			t.Errorf("%d offsets leave a buffer of %d", n, kept)
		}
	}
	if keptOffsets*unsafe.Sizeof(0) > 1<<20 {
		t.Errorf("up to %d offsets are kept, more than the 1 MB of the documentation", keptOffsets)
	}
}

// heldMemory returns the bytes in use after garbage collection. Pools are empty after the second
// collection.
func heldMemory() int64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The buffers are as large as the documentation of Sketcher says.
func TestSizeOfBuffers(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector needs more memory")
	}
	long := make([]uint64, 5000)
	for _, c := range []struct {
		bits        int
		several     bool // types of weights, and vectors of more than a chunk
		least, most int64
	}{{64, false, 25 << 10, 32 << 10}, {64, true, 25 << 10, 33 << 10}, {4096, false, 65 << 10, 80 << 10}, {4096, true, 100 << 10, 180 << 10}} {
		s := mustNew(t, Definition{Bits: c.bits, Widen: WidenMix})
		before := heldMemory()
		list := make([]*Sketcher, 16)
		for i := range list {
			list[i] = s.Local()
			for _, indices := range [][]uint64{long[:100], long} {
				if len(indices) > 100 && !c.several {
					continue
				}
				Append(list[i], nil, indices, make([]float64, len(indices)))
				Append(list[i], nil, indices, make([]int32, len(indices)))
				AppendUnit(list[i], nil, indices)
			}
		}
		if size := (heldMemory() - before) / int64(len(list)); size < c.least || size > c.most {
			t.Errorf("%d bits: buffers of %d bytes, expected %d to %d", c.bits, size, c.least, c.most)
		}
		runtime.KeepAlive(list)
	}
}
