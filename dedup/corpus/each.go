package corpus

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// oneInput is about the most memory that work on one input takes: a row group of a Parquet file
// that is read, and one that is written.
const oneInput = 256 << 20

// Work on small inputs mostly waits for the disk, which takes no longer for several at once.
const (
	smallInput  = 64 << 10 // bytes of a file
	oneSmall    = 8 << 20  // bytes of memory, about
	smallAtOnce = 32
)

// eachInput calls do with the number of each input, several at a time. After an error or the end of
// the context, it starts no more. It returns the error of the first input that has one, in their
// order.
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

// atATime returns how many inputs are processed at a time: one for each worker, more small ones,
// and fewer if Memory is small.
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

// add reports records, and the bytes of a finished input.
func (c *count) add(records int, bytes int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.p.Records += records
	c.p.Done += bytes
	c.run.tell(c.p)
}
