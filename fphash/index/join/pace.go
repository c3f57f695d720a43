package join

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"simhashkit/fphash/index"
)

// pace is how long a nanosecond of the costs takes on this machine: the time of a small join, the
// least of several, over its cost. It is measured, in some 50 ms, when a plan is first asked for.
// Plans are chosen without it, so that one seed finds the same pairs on every machine.
var pace = sync.OnceValue(func() float64 {
	set := &index.Set{Bits: 64, Words: make([]uint64, 1<<16)}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range set.Words {
		set.Words[i] = r.Uint64()
	}
	j := &Join{Set: set, K: 3, Workers: 1}
	least := time.Duration(math.MaxInt64)
	for range 15 {
		start := time.Now()
		for range j.Pairs(context.Background()) {
		}
		least = min(least, time.Since(start))
	}
	p := j.plan()
	return float64(least) / float64(p.Forecast)
})

// atPace turns costs into times on this machine.
func (p *Plan) atPace() {
	for _, t := range []*time.Duration{&p.Forecast, &p.Exact, &p.ByScan} {
		*t = nanoseconds(float64(*t) * pace())
	}
}
