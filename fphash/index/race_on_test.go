//go:build race

package index

// raceDetector reports whether the race detector is on. Then sync.Pool randomly drops objects, so
// tests cannot count allocations.
const raceDetector = true
