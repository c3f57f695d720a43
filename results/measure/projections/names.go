package main

// What results call patterns of indices and figures, beside terms.Projection.
const (
	uniform = "uniform" // every dimension is as frequent as any other; a name without a pattern has it
	zipf    = "zipf"    // dimension i is about as frequent as 1/(i+1), as words by rank are

	nanosecondsPerVector = "ns/vector"
	tableBytes           = "table-bytes"      // random entries, or the seeds that stand for them
	heapBytes            = "heap-bytes"       // all that stays on the heap; it depends on the Go version
	angleRMSE            = "angle-rmse"       // of the estimated angle, in radians
	angleBias            = "angle-bias"       // mean error of the estimated angle, in radians
	angleSystematic      = "angle-systematic" // what is left of the error however many bits there are
	angleRMSEIdeal       = "angle-rmse-ideal" // of independent bits
)
