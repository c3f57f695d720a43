package join

import (
	"os"
	"path/filepath"
	"testing"
)

// A name that has been given up is another's: its file stays.
func TestDiskRemovesNoFileOfAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "another")
	for _, named := range []bool{false, true} {
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		(&disk{file: file, named: named}).close()
		if _, err := os.Stat(path); (err == nil) == named {
			t.Errorf("named: %t, %v", named, err)
		}
	}
}
