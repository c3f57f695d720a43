package terms

// Units of times and rates.
const (
	NanosecondsPerKey     = "ns/key"
	NanosecondsPerFeature = "ns/nnz"
	// MegabytesPerSecond are of 10^6 bytes; 8 bytes a fingerprint of 64 bits, whatever is read.
	MegabytesPerSecond = "MB/s"
)

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
