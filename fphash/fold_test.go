package fphash

// Variants that return the status as an error, like oracles.

func appendErr[F Feature, W Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, error) {
	dst, status, err := Append(s, dst, features, weights)
	return dst, fold(status, err)
}

func appendUnitErr[F Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, error) {
	dst, status, err := AppendUnit(s, dst, features)
	return dst, fold(status, err)
}

func sketch64Err[F Feature, W Weight](features []F, weights []W) (uint64, error) {
	fingerprint, status, err := Sketch64(features, weights)
	return fingerprint, fold(status, err)
}

func sketchUnit64Err[F Feature](features []F) (uint64, error) {
	fingerprint, status, err := SketchUnit64(features)
	return fingerprint, fold(status, err)
}

func (a *Accumulator[W]) appendErr(dst []uint64) ([]uint64, error) {
	dst, status := a.Append(dst)
	return dst, status.Err()
}

func fold(status Status, err error) error {
	if err != nil {
		return err
	}
	return status.Err()
}

// anyWeight is any weight, or one for features without weights.
type anyWeight interface{ Weight | one }

// one is the weight of a feature without a weight.
type one struct{}
