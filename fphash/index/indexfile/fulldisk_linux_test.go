package indexfile

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"simhashkit/internal/disk"
)

// A full disk and a read-only disk are errors. Acknowledged changes are kept, and a writer can
// continue when there is space again.
func TestFullAndReadOnlyDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %s", out)
	}
	defer exec.Command("umount", "-l", folder).Run()
	path := filepath.Join(folder, "a.index")
	done := 0
	err := doPlan(disk.Real{}, path, 1, carryOut, func(i int) {
		if done = i; i%10 == 9 { // the next operation compacts, which would free space
			os.WriteFile(filepath.Join(folder, "ballast"), make([]byte, 1<<20), 0o666)
		}
	})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("after %d operations: %v", done, err)
	}
	if now := reached(t, path, done, done+1); now < 9 {
		t.Errorf("%d operations, expected 9 or more", now)
	} else {
		done = now
	}
	system(t, "mount", "-o", "remount,ro", folder)
	if _, err := OpenWriter(path); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a writer on a read-only disk: %v", err)
	}
	if err := Create(context.Background(), path+"2", random0(), Options{K: 3}); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a new file on a read-only disk: %v", err)
	}
	reached(t, path, done, done)
	system(t, "mount", "-o", "remount,rw,size=8m", folder)
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := done + 1; i <= done+12; i++ {
		if err := carryOut(w, i); err != nil {
			t.Fatal(err)
		}
	}
	reached(t, path, done+12, done+12)
}
