package conventions

import (
	"fmt"

	"simhashkit/fphash"
)

// AppendUnit appends the fingerprint of features that count once for each occurrence: s.Words()
// words. Features are byte strings or, written by the Convention's Encoding, indices; for the
// hashes identity, splitmix64-stream and splitmix64-transposed they are 64-bit hashes.
//
// The status says whether the fingerprint means anything. The error is for misuse, with nothing
// appended: features that the hash does not take, digests of another length than the Convention's,
// and ErrEmpty.
func AppendUnit[F fphash.Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, fphash.Status, error) {
	if len(features) == 0 && s.convention.Empty != emptyByTie {
		return s.appendEmpty(dst)
	}
	if s.generates {
		return appendGenerated(s, dst, features)
	}
	if s.frames {
		return appendFramed(s, dst, features)
	}
	if s.digests {
		if err := checkDigests(s, features); err != nil {
			return dst, fphash.NoInformation, err
		}
	}
	at := len(dst)
	dst, status, err := fphash.AppendUnit(s.signed, dst, features)
	return s.finish(dst, at, status, err)
}

// Append is AppendUnit with a weight for each feature. It fails besides if the lengths differ, and
// if the Convention takes no weights, or no fractions.
func Append[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	var err error
	if s.digests {
		err = checkDigests(s, features)
	}
	if len(features) != len(weights) {
		err = fmt.Errorf("conventions: len(features) is %d but len(weights) is %d", len(features), len(weights))
	}
	if err == nil {
		err = checkWeights[W](s)
	}
	if err != nil {
		return dst, fphash.NoInformation, err
	}
	if len(features) == 0 && s.convention.Empty != emptyByTie {
		return s.appendEmpty(dst)
	}
	switch s.convention.Weights {
	case Python:
		return appendHalf(s, dst, features, weights)
	case RoundedUp:
		if isFloat[W]() {
			return appendRoundedUp(s, dst, features, weights)
		}
	case Float64:
		return appendFloat64(s, dst, features, weights)
	}
	return appendSigned(s, dst, features, weights)
}

// appendSigned appends the fingerprint by the kernels for that type of weight.
func appendSigned[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	at := len(dst)
	dst, status, err := fphash.Append(s.signed, dst, features, weights)
	return s.finish(dst, at, status, err)
}

// finish makes the fingerprint of what was voted, which stands from at on.
func (s *Sketcher) finish(dst []uint64, at int, status fphash.Status, err error) ([]uint64, fphash.Status, error) {
	if err != nil {
		return dst, fphash.NoInformation, s.wrap(err)
	}
	if s.arranges && status != fphash.NotFinite { // else zeros
		s.arrange(dst[at:])
	}
	return dst[:at+s.words], status, nil
}

// appendEmpty appends what no features give, where that is not what sums of zero give.
func (s *Sketcher) appendEmpty(dst []uint64) ([]uint64, fphash.Status, error) {
	if s.convention.Empty == emptyRefused {
		return dst, fphash.NoInformation, fmt.Errorf("%w: %s", ErrEmpty, s.convention.Name)
	}
	return append(dst, make([]uint64, s.words)...), fphash.NoInformation, nil
}

// wrap names the convention in what went wrong.
func (s *Sketcher) wrap(err error) error {
	return fmt.Errorf("conventions: %s: %w", s.convention.Name, err)
}
