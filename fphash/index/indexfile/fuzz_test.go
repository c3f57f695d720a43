//go:build unix

package indexfile

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"simhashkit/fphash/index"
)

// For any bytes, there is no crash and no excessive memory use, and a file without damage according
// to Verify can be opened. Checksums may be corrected first, so that the data behind them is
// tested.
func FuzzFile(f *testing.F) {
	folder := f.TempDir()
	path := filepath.Join(folder, "a.index")
	for _, name := range []string{"numbers-v1", "texts-v1"} {
		data, err := os.ReadFile(filepath.Join("testdata", "forms", name+".index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
		f.Add(data, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, mend bool) {
		if mend {
			data = mended(data)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		report, verr := look(context.Background(), path, true)
		r, err := Open(path)
		if err != nil && verr == nil && len(report.Damage) == 0 && !mend {
			t.Errorf("Verify finds nothing, but %v", err)
		}
		if err != nil {
			return
		}
		info, err := r.Info()
		if err != nil {
			t.Fatal(err)
		}
		set := index.Set{Bits: info.Bits, Definition: info.Definition}
		eachEntry(r, func(ID, []uint64) bool { return true })
		q := index.Query{Words: make([]uint64, set.Stride()), Definition: set.Definition}
		r.AppendWithin(nil, q, min(1, set.Bits))
		r.Nearest(q, 2)
		r.Close()
		if w, err := openWriter(&trappedDisk{lazy: true}, path); err == nil {
			w.Delete(ID{Text: "id 3"}, ID{Number: 3})
			w.Compact(context.Background())
			w.Close()
		}
	})
}
