package terms

// How indices enter the hash: the values of encoding= in names, in the order of documents.
const (
	LE64 = "le64"
	BE64 = "be64"
	Dec  = "dec"
)

// What the indices look like: the values of pattern= in names; see package quality.
const (
	Uniform64   = "uniform64"
	Uniform1e7  = "uniform1e7"
	Dense1e3    = "dense1e3"
	Consecutive = "consecutive"
	Strided     = "strided"
	Pow2        = "pow2"
	BitRev      = "bitrev"
	Data        = "data"
	ListedKeys  = "keys"
)

// Keys describes what a hash is given, as verdicts do: "decimal keys of dense indices". Without an
// encoding it is the indices alone.
func Keys(encoding, pattern string) string {
	if pattern == ListedKeys {
		return indices(pattern)
	}
	switch encoding {
	case LE64:
		return "little-endian keys of " + indices(pattern)
	case BE64:
		return "big-endian keys of " + indices(pattern)
	case Dec:
		return "decimal keys of " + indices(pattern)
	}
	return indices(pattern)
}

func indices(pattern string) string {
	switch pattern {
	case Uniform64:
		return "indices spread over 2^64"
	case Uniform1e7:
		return "indices spread over 10^7"
	case Dense1e3:
		return "dense indices"
	case Consecutive:
		return "runs of consecutive indices"
	case Strided:
		return "runs of indices 1,024 apart"
	case Pow2:
		return "sums of one or two powers of two"
	case BitRev:
		return "runs of bit-reversed indices"
	case ListedKeys:
		return "the listed keys"
	}
	return "the indices of these vectors"
}
