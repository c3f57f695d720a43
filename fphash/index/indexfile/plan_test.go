//go:build unix

package indexfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// A plan is what a writer does in tests that interrupt it: numbered operations that are the same in
// every process. Of every five operations, the third deletes what the first inserted, and the fifth
// a part of what the second inserted. Every tenth operation compacts.

// planned returns the entries that operation i inserts, or the ids that it deletes.
func planned(i int) (e *Entries, deleted []ID) {
	switch i % 5 {
	case 3:
		e, _ := planned(i - 2)
		return nil, idsOf(e)
	case 0:
		e, _ := planned(i - 3)
		return nil, idsOf(e)[:(e.Len()+1)/2]
	}
	e = newEntries(&index.Set{Bits: 64}, false, 0)
	for j := range 1 + mix(uint64(i))%60 {
		id := uint64(i)<<16 | j
		e.add(ID{Number: id}, []uint64{mix(id)})
	}
	return e, nil
}

func idsOf(e *Entries) (ids []ID) {
	for i := range e.Len() {
		ids = append(ids, e.id(i))
	}
	return ids
}

// carryOut does operation i.
func carryOut(w *Writer, i int) error {
	e, deleted := planned(i)
	if e != nil {
		return w.Insert(e)
	}
	if n, err := w.Delete(deleted...); err != nil {
		return err
	} else if n != len(deleted) {
		return fmt.Errorf("operation %d: %d deleted, expected %d", i, n, len(deleted))
	}
	if i%10 == 0 {
		return w.Compact(context.Background())
	}
	return nil
}

// carryOutCompacting does operation i, during a compaction if i is a multiple of ten.
func carryOutCompacting(w *Writer, i int) error {
	if i%10 != 0 {
		return carryOut(w, i)
	}
	compacted := make(chan error)
	go func() { compacted <- w.Compact(context.Background()) }()
	return errors.Join(carryOut(w, i), <-compacted)
}

// reached is holding, but fails the test if the file is not in such a state.
func reached(t testing.TB, path string, least, most int) int {
	t.Helper()
	done, ok := holding(path, least, most)
	if !ok {
		r, err := Open(path)
		if err == nil {
			r.Close()
		}
		t.Fatalf("expected what %d to %d operations leave (%v)", least, most, err)
	}
	return done
}

// holding returns the number of operations, from least to most, whose result is the content of a
// file. ok is false if there is none.
func holding(path string, least, most int) (done int, ok bool) {
	r, err := Open(path)
	if err != nil {
		return 0, false
	}
	defer r.Close()
	return stateOf(r, least, most)
}

// stateOf is holding for an open file.
func stateOf(r *Reader, least, most int) (done int, ok bool) {
	got := map[uint64]uint64{}
	if eachEntry(r, func(id ID, words []uint64) bool {
		got[id.Number] = words[0]
		return true
	}) != nil {
		return 0, false
	}
	want := map[uint64]uint64{}
	for i := 0; i <= most; i++ {
		var e *Entries
		var deleted []ID
		if i > 0 {
			e, deleted = planned(i)
		}
		for _, id := range deleted {
			delete(want, id.Number)
		}
		for j := range e.len() {
			want[e.IDs[j]] = e.Words[j]
		}
		if i < least || !maps.Equal(got, want) {
			continue
		}
		if e.len() == 0 {
			return i, true
		}
		matches, err := r.AppendWithin(nil, index.Query{Words: e.Words[:1], Definition: e.Definition}, 0)
		return i, err == nil && len(matches) == 1 && matches[0].ID.Number == e.IDs[0]
	}
	return 0, false
}

func (e *Entries) len() int {
	if e == nil {
		return 0
	}
	return e.Len()
}

// child is a process that carries out a plan from an operation on, and reports the acknowledged
// ones.
type child struct {
	command *exec.Cmd
	mutex   sync.Mutex
	acked   int
	failed  string
	ended   chan struct{}
}

const (
	childPath = "FPHASH_INDEX_CHILD" // the file that a child writes
	childFrom = "FPHASH_INDEX_FROM"  // its first operation
	childKill = "FPHASH_INDEX_KILL"  // the system call at which it kills itself; 0: never
	childHalf = "FPHASH_INDEX_HALF"  // whether half of a write is done before the kill
	childLazy = "FPHASH_INDEX_LAZY"  // whether it omits every fsync
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		beChild(path)
		return
	}
	os.Exit(m.Run())
}

func beChild(path string) {
	from, _ := strconv.Atoi(os.Getenv(childFrom))
	kill, _ := strconv.Atoi(os.Getenv(childKill))
	d := &trappedDisk{at: kill, half: os.Getenv(childHalf) != "", lazy: os.Getenv(childLazy) != "", spring: func() error {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}}
	if err := doPlan(d, path, from, carryOutCompacting, func(i int) { fmt.Println("ACK", i) }); err != nil {
		fmt.Println("ERR", err)
	}
}

// doPlan creates a file if there is none, and carries out the plan from an operation on until there
// is an error.
func doPlan(d disk.Disk, path string, from int, carryOut func(w *Writer, i int) error, acknowledged func(int)) error {
	if _, err := os.Stat(path); err != nil {
		if err := create(context.Background(), d, path, newEntries(&index.Set{Bits: 64}, false, 0), Options{K: 3}); err != nil {
			return err
		}
	}
	w, err := openWriter(d, path)
	if err != nil {
		return err
	}
	acknowledged(0)
	for i := from; ; i++ {
		if err := carryOut(w, i); err != nil {
			w.held.base.close()
			w.file.Close()
			return err
		}
		acknowledged(i)
	}
}

func startChild(t testing.TB, path string, from, kill int, half, lazy bool) *child {
	c := &child{command: exec.Command(os.Args[0]), acked: from - 1, ended: make(chan struct{})}
	c.command.Env = append(os.Environ(), childPath+"="+path, childFrom+"="+strconv.Itoa(from), childKill+"="+strconv.Itoa(kill))
	if half {
		c.command.Env = append(c.command.Env, childHalf+"=1")
	}
	if lazy {
		c.command.Env = append(c.command.Env, childLazy+"=1")
	}
	out, err := c.command.StdoutPipe()
	if err == nil {
		err = c.command.Start()
	}
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this processor is emulated and cannot start the test again")
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			words := strings.Fields(lines.Text())
			c.mutex.Lock()
			if len(words) > 1 && words[0] == "ACK" {
				n, _ := strconv.Atoi(words[1])
				c.acked = max(c.acked, n)
			} else {
				c.failed = lines.Text()
			}
			c.mutex.Unlock()
		}
	}()
	return c
}

// state returns the last acknowledged operation and the error of the child, if any.
func (c *child) state() (acked int, failed string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.acked, c.failed
}

// end kills the child, if it is running, and waits for it.
func (c *child) end() {
	c.command.Process.Kill()
	<-c.ended
	c.command.Wait()
}

// trappedDisk calls spring at one of its calls.
type trappedDisk struct {
	disk.Real
	at     int  // the call, from 1
	lazy   bool // omit every fsync
	spring func() error
	half   bool // do half of a write before the trap springs

	mutex sync.Mutex
	calls int
	names []string
}

// call records a call and springs the trap if it is due.
func (d *trappedDisk) call(name string) error {
	d.mutex.Lock()
	d.calls++
	d.names = append(d.names, name)
	springs := d.calls == d.at
	d.mutex.Unlock()
	if springs {
		return d.spring()
	}
	return nil
}

// lastName returns the name of the last call.
func (d *trappedDisk) lastName() string {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.names[len(d.names)-1]
}

// halves reports whether only half of the next write is to be done.
func (d *trappedDisk) halves() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.half && d.calls+1 == d.at
}

func (d *trappedDisk) Open(name string, flag int, mode fs.FileMode) (disk.File, error) {
	what := "open"
	if flag&os.O_CREATE != 0 {
		what = "create"
	}
	if err := d.call(what); err != nil {
		return nil, err
	}
	f, err := d.Real.Open(name, flag, mode)
	if err != nil {
		return nil, err
	}
	return trappedFile{f.(disk.RealFile), d}, nil
}

func (d *trappedDisk) Place(from, to string) error {
	if err := d.call("place"); err != nil {
		return err
	}
	return d.Real.Place(from, to)
}

func (d *trappedDisk) Rename(from, to string) error {
	if err := d.call("rename"); err != nil {
		return err
	}
	return d.Real.Rename(from, to)
}

func (d *trappedDisk) SyncFolder(name string) error {
	if err := d.call("sync folder"); err != nil || d.lazy {
		return err
	}
	return d.Real.SyncFolder(name)
}

type trappedFile struct {
	disk.RealFile
	disk *trappedDisk
}

func (f trappedFile) WriteAt(p []byte, at int64) (int, error) {
	if f.disk.halves() {
		f.RealFile.WriteAt(p[:len(p)/2], at)
	}
	if err := f.disk.call("write"); err != nil {
		return 0, err
	}
	return f.RealFile.WriteAt(p, at)
}

func (f trappedFile) ReadAt(p []byte, at int64) (int, error) {
	if err := f.disk.call("read"); err != nil {
		return 0, err
	}
	return f.RealFile.ReadAt(p, at)
}

func (f trappedFile) Sync() error {
	if err := f.disk.call("sync"); err != nil || f.disk.lazy {
		return err
	}
	return f.RealFile.Sync()
}

func (f trappedFile) Stat() (os.FileInfo, error) {
	if err := f.disk.call("stat"); err != nil {
		return nil, err
	}
	return f.RealFile.Stat()
}
