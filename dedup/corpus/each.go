package corpus

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// oneInput is what work on an input takes of memory at most, about: the row group of a Parquet file
// that is read, and that which is written.
const oneInput = 256 << 20

// Work on a small input is mostly waiting for the disk to have its output, which takes no longer
// for several at once.
const (
	smallInput  = 64 << 10 // bytes of a file
	oneSmall    = 8 << 20  // bytes of memory, about
	smallAtOnce = 32
)

// eachInput does something with each input, by its number, with several at a time. After an error
// or the end of the context no other is begun. The error is that of the first input that has one,
// in their order, whichever came first.
func (r *Result) eachInput(ctx context.Context, do func(i int) error) error {
	errs := make([]error, len(r.run.Inputs))
	large, small := r.run.atATime()
	slots := make(chan struct{}, large) // of inputs that are not small
	var begun atomic.Int64
	var failed atomic.Bool
	var all sync.WaitGroup
	for range max(large, small) {
		all.Go(func() {
			for !failed.Load() && ctx.Err() == nil {
				i := int(begun.Add(1)) - 1 // is done now, even if one behind it fails meanwhile
				if i >= len(errs) {
					return
				}
				if r.heads[i].Bytes > smallInput {
					slots <- struct{}{}
				}
				if errs[i] = do(i); errs[i] != nil {
					failed.Store(true)
				}
				if r.heads[i].Bytes > smallInput {
					<-slots
				}
			}
		})
	}
	all.Wait()
	return cmp.Or(append(errs, context.Cause(ctx))...)
}

// atATime returns how many inputs are worked on at a time, as Memory allows: as many as there are
// workers, and more of small ones.
func (r *Run) atATime() (large, small int) {
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	fits := func(n int, each int64) int {
		return int(min(int64(n), max(r.memory()/each, 1), int64(len(r.Inputs))))
	}
	return fits(workers, oneInput), fits(smallAtOnce, oneSmall)
}

// count is the progress of a stage in which several inputs are worked on.
type count struct {
	run   *Run
	mutex sync.Mutex
	p     Progress
}

func (r *Result) newCount(stage string) *count {
	c := &count{run: r.run, p: Progress{Stage: stage}}
	for _, h := range r.heads {
		c.p.Total += h.Bytes
	}
	return c
}

// add tells of records, and of the bytes of an input that is done.
func (c *count) add(records int, bytes int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.p.Records += records
	c.p.Done += bytes
	c.run.tell(c.p)
}
