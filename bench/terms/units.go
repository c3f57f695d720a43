package terms

// Units of times and rates.
const (
	NanosecondsPerKey     = "ns/key"
	NanosecondsPerFeature = "ns/nnz"
	NanosecondsPerVector  = "ns/vector"
	NanosecondsPerQuery   = "ns/query"
	NanosecondsPerRead    = "ns/read"
	// NanosecondsPerOperation are of what is done once for all n: a build, a join.
	NanosecondsPerOperation = "ns/op"
	// CPUNanosecondsPerOperation are those of all processors together.
	CPUNanosecondsPerOperation = "cpu-ns/op"
	// MegabytesPerSecond are of 10^6 bytes; 8 bytes a fingerprint of 64 bits, whatever is read.
	MegabytesPerSecond = "MB/s"
)

// Units of Cycles.
const (
	CyclesPerFeature     = "cycles/nnz"
	CyclesPerFingerprint = "cycles/fingerprint"
	CyclesPerKey         = "cycles/key"
)

// BytesPerEntry is the memory of a structure beyond the fingerprints, in Build beside the time.
const BytesPerEntry = "bytes/entry"

// Units of Quality.
const (
	EffectiveBits      = "effective-bits" // over all angles
	Cos90              = "-cos90"         // appended to a unit: at cosine 0.9 and above
	EffectiveBitsCos90 = EffectiveBits + Cos90
	Low, High          = "-low", "-high"  // appended to a unit: the ends of its 95% interval
	Bias               = "bias"           // of the angle, in radians
	RMSE               = "rmse"           // of the angle, in radians
	VarianceRatio      = "variance-ratio" // to an ideal source
	ConstantBits       = "constant-bits"
	CopiedBits         = "copied-bits" // copies and complements of other bits
	BiasP              = "bias-p"
	CorrelationP       = "correlation-p"
	AvalancheP         = "avalanche-p"
	Verdict            = "verdict"    // one of the verdicts
	Keyings            = "keyings"    // under which angles were estimated
	Pairs              = "pairs"      // of vectors
	Unrelated          = "unrelated-" // begins the units about fingerprints of unrelated vectors
	P                  = "-p"         // ends the units of p-values

	// the mean and the variance of the distances of unrelated vectors, as multiples of the ideal
	// ones, and how likely an ideal source has such
	UnrelatedMeanRatio     = Unrelated + "mean-ratio"
	UnrelatedMeanP         = Unrelated + "mean" + P
	UnrelatedVarianceRatio = Unrelated + "variance-ratio"
	UnrelatedVarianceP     = Unrelated + "variance" + P
)

// What a search finds of the near-duplicates, and how much of what it finds are some.
const (
	Recall    = "recall"
	Precision = "precision"
)

// PeakBytes is the most memory that was in use at once, in Corpus and Road beside the time.
const PeakBytes = "peak-bytes"

// Units of Road, beside the times, PeakBytes and Pairs.
const (
	WrittenBytes  = "written-bytes"  // that a stage hands on
	BlockLines    = "block-lines"    // fingerprints under keys: each has one in each table
	BlockCount    = "blocks"         // different keys
	LargestBlock  = "largest-block"  // fingerprints
	ComparedPairs = "compared-pairs" // those in the blocks
)

// Units of CorpusFound, beside Recall and Precision.
const (
	Planted = "planted" // near-duplicates of an edit, or of all
	Dropped = "dropped" // documents: all but one of each group that is found
)

// CosineBias is the mean error of an estimated cosine. See results/measure/unsure.
const CosineBias = "cosine-bias"

// Units of Projection, beside NanosecondsPerVector.
const (
	TableBytes = "table-bytes" // random entries, or the seeds that stand for them
	// HeapBytes is all that the method keeps on the heap, buffers included. It depends on the Go
	// version and on what else the process does, so result files say judge=no of it.
	HeapBytes       = "heap-bytes"
	AngleRMSE       = "angle-rmse"       // of the estimated angle, in radians
	AngleBias       = "angle-bias"       // mean error of the estimated angle, in radians
	AngleSystematic = "angle-systematic" // what is left of the error however many bits there are
	AngleRMSEIdeal  = "angle-rmse-ideal" // of independent bits
)

// Units of Texts, TextsByK and TextsGrown, beside Recall, Precision and Pairs.
const (
	Documents       = "documents"
	SamePairs       = "same-pairs"       // that are near-duplicates
	UnjudgedPairs   = "unjudged-pairs"   // that count for nothing
	MedianLength    = "median-length"    // in characters
	Threshold       = "threshold"        // a distance, or a cosine
	FalsePerMillion = "false-ppm"        // found, of a million pairs that are no near-duplicates
	RankCorrelation = "rank-correlation" // Spearman's, with scores that people gave

	// appended to Recall, Precision and Threshold: where the threshold is the one that
	AtPrecision90   = "-p90"  // finds most while 90 of 100 found are right
	AtOneInAMillion = "-1ppm" // finds most while FalsePerMillion is at most 1
	AtBestF1        = "-f1"   // has the highest F1
	AtDefaultK      = "-k3"   // is 3 of 64 bits, in proportion for other widths
)
