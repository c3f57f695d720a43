//go:build !race

package index

// raceDetector says whether the tests run under the race detector, where a sync.Pool drops objects
// on purpose, so that allocations cannot be counted.
const raceDetector = false
