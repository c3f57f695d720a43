// Package resultfile reads and writes benchmark results in Go benchmark format, so that benchstat
// can compare any two of its files. It also reads what go test -bench prints.
//
// benchstat shows results under one heading only if their plain "key: value" lines are equal. So
// those lines carry what two runs worth comparing have in common (goos, goarch, pkg, cpu), and what
// may differ (date, command, commit) stands at the head as "# name: value" lines, which benchstat
// skips. A case that gave a wrong answer has no figures, but a line "# error: NAME: what was
// wrong"; one that was left out on purpose has "# skipped: NAME: why".
//
// Rows of one name with a single sample each, as exact figures have, share a line if they stand
// side by side.
//
// [Read] gives a file as rows with their samples, [ReadDocument] and [Reader] its lines, with their
// numbers and the process runs that they come from. [Figure] is what samples say.
package resultfile

// File is the content of a result file.
type File struct {
	Head   []Field // what may differ between runs that are compared
	Config []Field // what must be equal
	Rows   []Row
	Units  []Unit // of which there is something to say
}

// Field is a line "name: value".
type Field struct{ Name, Value string }

// Row is one case with all its samples, in the order in which they were taken.
type Row struct {
	Name    string // without the word Benchmark
	Unit    string // of the samples' values: ns/key, ns/nnz, MB/s
	Samples []Sample
	Err     string // what was wrong with the answer; such a row has no samples
	Skipped string // why it was left out on purpose; such a row has no samples either
}

// Sample is one measurement.
type Sample struct {
	Iterations int
	Value      float64
}

// Fields of the head that are about rows.
const (
	errorField   = "error"
	skippedField = "skipped"
)
