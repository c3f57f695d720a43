package indexfile

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"simhashkit/internal/testing/long"
)

// loopDisk is an ext4 file system in a file, whose power can be cut.
type loopDisk struct{ image, mount string }

func system(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v: %s", name, strings.Join(args, " "), err, out)
	}
}

// newLoopDisk skips the test if it cannot mount a file system.
func newLoopDisk(t *testing.T) *loopDisk {
	if os.Getuid() != 0 {
		t.Skip("only root can mount a file system")
	}
	for _, name := range []string{"mkfs.ext4", "mount", "umount"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	folder := t.TempDir()
	d := &loopDisk{filepath.Join(folder, "image"), filepath.Join(folder, "mount")}
	if err := os.WriteFile(d.image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(d.image, 64<<20); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(d.mount, 0o700); err != nil {
		t.Fatal(err)
	}
	system(t, "mkfs.ext4", "-q", "-F", d.image)
	if out, err := exec.Command("mount", "-o", "loop", d.image, d.mount).CombinedOutput(); err != nil {
		t.Skipf("no loop device can be mounted here: %s", out)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", d.mount).Run() })
	return d
}

// cut simulates a power failure: data that is not on disk is lost.
func (d *loopDisk) cut(t *testing.T) {
	t.Helper()
	const shutdown, withoutJournal = 0x8004587d, 2 // EXT4_IOC_SHUTDOWN, EXT4_GOING_FLAGS_NOLOGFLUSH
	folder, err := os.Open(d.mount)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	flags := uint32(withoutJournal)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, folder.Fd(), shutdown, uintptr(unsafe.Pointer(&flags))); errno != 0 {
		t.Skipf("the file system cannot be shut down here: %v", errno)
	}
}

// remount simulates a restart of the machine.
func (d *loopDisk) remount(t *testing.T) {
	t.Helper()
	for try := 0; ; try++ {
		out, err := exec.Command("umount", d.mount).CombinedOutput()
		if err == nil {
			break
		}
		if try == 100 {
			t.Fatalf("umount: %s", out)
		}
		time.Sleep(20 * time.Millisecond)
	}
	system(t, "mount", "-o", "loop", d.image, d.mount)
}

// cuts runs writers and cuts their power. It returns the number of cuts that lost acknowledged
// changes.
func cuts(t *testing.T, n int, lazy bool) (lost int) {
	d := newLoopDisk(t)
	path := filepath.Join(d.mount, "a.index")
	r := rand.New(rand.NewPCG(3, 4))
	done, acknowledgements, torn := 0, 0, 0
	for i := range n {
		c := startChild(t, path, done+1, 0, false, lazy)
		before, _ := c.state()
		for wanted := before + r.IntN(12); ; time.Sleep(time.Millisecond) { // cut the power while the writer is working
			if acked, failed := c.state(); acked >= wanted || failed != "" {
				break
			}
		}
		time.Sleep(time.Duration(r.IntN(4000)) * time.Microsecond)
		least, failed := c.state()
		d.cut(t)
		c.end()
		most, _ := c.state()
		if failed != "" {
			t.Fatal(failed)
		}
		acknowledgements += least - done
		d.remount(t)
		if lazy {
			var ok bool
			if done, ok = holding(path, least, most+1); !ok {
				lost++
				os.Remove(path)
				done = 0
			}
			continue
		}
		if _, err := os.Stat(path); err != nil && least == 0 {
			done = 0
			continue // cut before there was a file
		}
		w, err := OpenWriter(path)
		if err != nil {
			t.Fatalf("cut %d, after %d operations: %v", i, least, err)
		}
		if w.Torn() != "" {
			torn++
		}
		w.Close()
		if done = reached(t, path, least, most+1); done > 2000 {
			os.Remove(path)
			done = 0
		}
	}
	t.Logf("%d cuts, %d operations acknowledged before them, %d torn ends removed, %d cuts lost changes", n, acknowledgements, torn, lost)
	return lost
}

// Power cuts lose no acknowledged changes. FPHASH_POWER_CUTS is the number of cuts.
func TestPowerCuts(t *testing.T) {
	long.Skip(t, "cuts the power of a file system")
	cuts(t, count("FPHASH_POWER_CUTS", 5), false)
}

// A writer without fsync loses acknowledged changes, so the simulated power cuts are effective.
func TestPowerCutsLoseWithoutSync(t *testing.T) {
	long.Skip(t, "cuts the power of a file system")
	if n := count("FPHASH_POWER_CUTS", 5); cuts(t, n, true) == 0 {
		t.Errorf("none of %d cuts lost anything, expected some to", n)
	}
}
