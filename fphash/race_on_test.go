//go:build race

package fphash

// raceDetector says that the tests run under the race detector, where a sync.Pool drops objects on
// purpose, so that allocations cannot be counted.
const raceDetector = true
