package fphash

import "reflect"

// What follows finds the inner function for the types that users have: of features first, then of
// weights.

// sketchAny stores the fingerprint of a vector of whatever types.
func sketchAny[F Feature, W Weight](b *buffers, fingerprint []uint64, features []F, weights []W) Status {
	switch kindOf[F]() {
	case reflect.Uint32:
		return sketchWeights(b, fingerprint, as[uint32](features), weights)
	case reflect.Uint64:
		return sketchWeights(b, fingerprint, as[uint64](features), weights)
	case reflect.String:
		return sketchWeights(b, fingerprint, as[string](features), weights)
	}
	return sketchWeights(b, fingerprint, as[[]byte](features), weights)
}

func sketchWeights[F feature, W Weight](b *buffers, fingerprint []uint64, features []F, weights []W) Status {
	switch kindOf[W]() {
	case reflect.Int32:
		return sketch(b, fingerprint, features, as[int32](weights))
	case reflect.Int64:
		return sketch(b, fingerprint, features, as[int64](weights))
	case reflect.Float32:
		return sketch(b, fingerprint, features, as[float32](weights))
	case reflect.Float64:
		return sketch(b, fingerprint, features, as[float64](weights))
	case reflect.Uint32:
		return sketch(b, fingerprint, features, toInt64(&b.converted, weights))
	}
	return sketch(b, fingerprint, features, toInt32(&b.converted, weights))
}

// sketchUnitAny is sketchAny with weight 1.
func sketchUnitAny[F Feature](b *buffers, fingerprint []uint64, features []F) Status {
	weights := ones[:len(features)]
	switch kindOf[F]() {
	case reflect.Uint32:
		return sketch(b, fingerprint, as[uint32](features), weights)
	case reflect.Uint64:
		return sketch(b, fingerprint, as[uint64](features), weights)
	case reflect.String:
		return sketch(b, fingerprint, as[string](features), weights)
	}
	return sketch(b, fingerprint, as[[]byte](features), weights)
}

// runAny does the vectors of a batch of whatever types.
func runAny[F Feature, W Weight](b *buffers, to results, features []F, weights []W) {
	switch kindOf[F]() {
	case reflect.Uint32:
		runWeights(b, to, as[uint32](features), weights)
	case reflect.Uint64:
		runWeights(b, to, as[uint64](features), weights)
	case reflect.String:
		runWeights(b, to, as[string](features), weights)
	default:
		runWeights(b, to, as[[]byte](features), weights)
	}
}

func runWeights[F feature, W Weight](b *buffers, to results, features []F, weights []W) {
	switch kindOf[W]() {
	case reflect.Int32:
		run(b, to, features, as[int32](weights))
	case reflect.Int64:
		run(b, to, features, as[int64](weights))
	case reflect.Float32:
		run(b, to, features, as[float32](weights))
	case reflect.Float64:
		run(b, to, features, as[float64](weights))
	case reflect.Uint32:
		run(b, to, features, toInt64(&b.converted, weights))
	default:
		run(b, to, features, toInt32(&b.converted, weights))
	}
}

// runUnitAny is runAny with weight 1.
func runUnitAny[F Feature](b *buffers, to results, features []F) {
	weights := ones[:len(features)]
	switch kindOf[F]() {
	case reflect.Uint32:
		run(b, to, as[uint32](features), weights)
	case reflect.Uint64:
		run(b, to, as[uint64](features), weights)
	case reflect.String:
		run(b, to, as[string](features), weights)
	default:
		run(b, to, as[[]byte](features), weights)
	}
}

// addAny adds features of whatever types to the lanes.
func addAny[F Feature, W Weight](b *buffers, l lanes, features []F, weights []W) {
	switch kindOf[F]() {
	case reflect.Uint32:
		addWeights(b, l, as[uint32](features), weights)
	case reflect.Uint64:
		addWeights(b, l, as[uint64](features), weights)
	case reflect.String:
		addWeights(b, l, as[string](features), weights)
	default:
		addWeights(b, l, as[[]byte](features), weights)
	}
}

func addWeights[F feature, W Weight](b *buffers, l lanes, features []F, weights []W) {
	switch kindOf[W]() {
	case reflect.Int32:
		addFeatures(&b.coder, l, features, as[int32](weights))
	case reflect.Int64:
		addFeatures(&b.coder, l, features, as[int64](weights))
	case reflect.Float32:
		addFeatures(&b.coder, l, features, as[float32](weights))
	case reflect.Float64:
		addFeatures(&b.coder, l, features, as[float64](weights))
	case reflect.Uint32:
		addFeatures(&b.coder, l, features, toInt64(&b.converted, weights))
	default:
		addFeatures(&b.coder, l, features, toInt32(&b.converted, weights))
	}
}

// addUnitAny is addAny with weight 1.
func addUnitAny[F Feature](b *buffers, l lanes, features []F) {
	weights := ones[:len(features)]
	switch kindOf[F]() {
	case reflect.Uint32:
		addFeatures(&b.coder, l, as[uint32](features), weights)
	case reflect.Uint64:
		addFeatures(&b.coder, l, as[uint64](features), weights)
	case reflect.String:
		addFeatures(&b.coder, l, as[string](features), weights)
	default:
		addFeatures(&b.coder, l, as[[]byte](features), weights)
	}
}

// addWordAny adds weights of whatever type to word t, by word t of the codes.
func addWordAny[W Weight](b *buffers, l lanes, t int, codes []uint64, weights []W) {
	switch kindOf[W]() {
	case reflect.Int32:
		addWord(l, t, codes, as[int32](weights), b.order)
	case reflect.Int64:
		addWord(l, t, codes, as[int64](weights), b.order)
	case reflect.Float32:
		addWord(l, t, codes, as[float32](weights), b.order)
	case reflect.Float64:
		addWord(l, t, codes, as[float64](weights), b.order)
	case reflect.Uint32:
		addWord(l, t, codes, toInt64(&b.converted, weights), b.order)
	default:
		addWord(l, t, codes, toInt32(&b.converted, weights), b.order)
	}
}
