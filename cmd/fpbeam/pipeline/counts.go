package pipeline

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
)

// What workers count. A runner that does work again may count it again.
var (
	documentsCount = beam.NewCounter(namespace, "documents")
	withoutCount   = beam.NewCounter(namespace, "without fingerprint")
	leftOutCount   = beam.NewCounter(namespace, "left out")
	distinctCount  = beam.NewCounter(namespace, "distinct")
	hotCount       = beam.NewCounter(namespace, "hot blocks")
	pairCount      = beam.NewCounter(namespace, "pairs")
	groupCount     = beam.NewCounter(namespace, "groups")
	memberCount    = beam.NewCounter(namespace, "members")
	droppedCount   = beam.NewCounter(namespace, "dropped")

	blockSizes = beam.NewDistribution(namespace, "fingerprints of a block")
	blockPairs = beam.NewDistribution(namespace, "pairs of a block")
)

const namespace = "fpbeam"

// Counts is what the workers have counted.
type Counts struct {
	Documents, WithoutFingerprint, LeftOut int64
	Distinct                               int64 // fingerprints
	Blocks, LargestBlock, HotBlocks        int64 // of all tables
	Pairs, MostPairs                       int64 // of distinct fingerprints; in one block, or in two parts of one
	Groups, Members, Dropped               int64
}

// CountsOf returns what was counted, as far as the runner tells.
func CountsOf(results metrics.Results) (c Counts) {
	counters := map[string]*int64{
		"documents": &c.Documents, "without fingerprint": &c.WithoutFingerprint, "left out": &c.LeftOut, "distinct": &c.Distinct, "hot blocks": &c.HotBlocks,
		"pairs": &c.Pairs, "groups": &c.Groups, "members": &c.Members, "dropped": &c.Dropped,
	}
	found := results.Query(func(r metrics.SingleResult) bool { return r.Namespace() == namespace })
	for _, counter := range found.Counters() {
		if to := counters[counter.Name()]; to != nil {
			*to += counter.Result()
		}
	}
	for _, d := range found.Distributions() {
		switch value := d.Result(); d.Name() {
		case "fingerprints of a block":
			c.Blocks += value.Count
			c.LargestBlock = max(c.LargestBlock, value.Max)
		case "pairs of a block":
			c.MostPairs = max(c.MostPairs, value.Max)
		}
	}
	return c
}
