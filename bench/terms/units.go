package terms

// Units of times and rates.
const (
	NanosecondsPerKey     = "ns/key"
	NanosecondsPerFeature = "ns/nnz"
	NanosecondsPerVector  = "ns/vector"
	// MegabytesPerSecond are of 10^6 bytes; 8 bytes a fingerprint of 64 bits, whatever is read.
	MegabytesPerSecond = "MB/s"
)

// Units of Quality.
const (
	EffectiveBits      = "effective-bits"       // over all angles
	EffectiveBitsCos90 = "effective-bits-cos90" // at cosine 0.9 and above
	Low, High          = "-low", "-high"        // appended to a unit: the ends of its 95% interval
	Bias               = "bias"                 // of the angle, in radians
	RMSE               = "rmse"                 // of the angle, in radians
	VarianceRatio      = "variance-ratio"       // to an ideal source
	ConstantBits       = "constant-bits"
	CopiedBits         = "copied-bits" // copies and complements of other bits
	BiasP              = "bias-p"
	CorrelationP       = "correlation-p"
	AvalancheP         = "avalanche-p"
	Verdict            = "verdict" // one of the verdicts
)

// Verdicts of a row of Quality, the figures of unit Verdict.
const (
	Weak      = -1
	Undecided = 0
	Good      = 1
)

// Units of NearDuplicates.
const (
	Recall    = "recall"
	Precision = "precision"
)

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
