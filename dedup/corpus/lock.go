package corpus

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFile is the file that runs lock, in the folder of a run.
const lockFile = "lock"

// Lock makes this run the only one that works in its folder, until Unlock: two runs at once could
// otherwise write the outputs of two decisions. If another run or shard is at work there, it
// returns an error at once. Stages that need the lock take it themselves if the run does not have
// it, so that only a caller of several stages needs Lock.
func (r *Run) Lock() error {
	if r.lock != nil {
		return nil
	}
	if err := r.refuseOutputs(""); err != nil {
		return err
	}
	lock, err := r.take((*flock.Flock).TryLock)
	if err != nil {
		return err
	}
	if err := removeTempBelow(filepath.Join(r.Folder, kept)); err != nil {
		_ = lock.Unlock()
		return err
	}
	r.lock = lock
	return nil
}

// Unlock lets other runs work in the folder.
func (r *Run) Unlock() error {
	if r.lock == nil {
		return nil
	}
	lock := r.lock
	r.lock = nil
	return lock.Unlock()
}

// hold takes the lock for one stage, unless the run has it, and returns a function that releases
// it. Shards share the lock.
func (r *Run) hold(shared bool) (release func(), err error) {
	if r.lock != nil {
		return func() {}, nil
	}
	if !shared {
		return func() { _ = r.Unlock() }, r.Lock()
	}
	lock, err := r.take((*flock.Flock).TryRLock)
	if err != nil {
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

func (r *Run) take(try func(*flock.Flock) (bool, error)) (*flock.Flock, error) {
	path := filepath.Join(r.Folder, kept, lockFile)
	if err := makeFolderOf(path); err != nil {
		return nil, err
	}
	lock := flock.New(path, flock.SetPermissions(0o666))
	switch locked, err := try(lock); {
	case err != nil:
		return nil, fmt.Errorf("corpus: expected a folder whose files can be locked: %w", err)
	case !locked:
		return nil, fmt.Errorf("corpus: %s: another run is at work in this folder: wait until it has ended, or take another folder", r.Folder)
	}
	return lock, nil
}
