//go:build !purego

package cpu

import (
	"testing"

	"github.com/klauspost/cpuid/v2"
)

// TestExtensionsMatchFeatures checks that each extension corresponds to exactly one cpuid feature.
func TestExtensionsMatchFeatures(t *testing.T) {
	for i, id := range extensions {
		got := setOf(func(f cpuid.FeatureID) bool { return f == id })
		if got != 1<<i {
			t.Errorf("feature %v alone gives %v", id, got)
		}
		if want := map[string]string{"BMI": "BMI1", "SSE4.2": "SSE42"}[got.String()]; want == "" && got.String() != id.String() || want != "" && want != id.String() {
			t.Errorf("extension %v is detected by feature %v", got, id)
		}
	}
}
