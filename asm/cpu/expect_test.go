package cpu

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// expectVariable names the tiers that must be there, separated by spaces: whoever runs these tests
// on an emulated processor knows what it has.
const expectVariable = "FPHASH_EXPECT_TIERS"

func tierNames(tiers []Tier) string {
	var list []string
	for _, tier := range tiers {
		list = append(list, tier.String())
	}
	return strings.Join(list, " ")
}

// TestExpectedTiersAreSupported fails where a tier that should run does not, since all other tests
// only leave it out.
func TestExpectedTiersAreSupported(t *testing.T) {
	want := os.Getenv(expectVariable)
	if want == "" {
		t.Skip(expectVariable + " is not set")
	}
	if got := tierNames(Supported()); got != want {
		t.Errorf("the tiers are %q, want %q; detected: %v", got, want, Detected())
	}
}

// flagNames are the extensions as Linux spells them in /proc/cpuinfo, in the order of names.
var flagNames = strings.Fields("avx avx2 bmi1 bmi2 popcnt sse4_2 avx512f avx512bw avx512dq avx512vl avx512vbmi avx512_vpopcntdq avx512_bitalg avx512_vnni gfni")

// TestDetectionAgreesWithTheKernel compares what was detected with what the operating system's
// kernel says about the processor, which it found out by itself.
func TestDetectionAgreesWithTheKernel(t *testing.T) {
	if os.Getenv(expectVariable) != "" {
		t.Skip("an emulated processor is not the one of /proc/cpuinfo")
	}
	if runtime.GOARCH != "amd64" {
		want := tierNames(TiersOf(runtime.GOARCH))
		if pureGo {
			want = "generic"
		}
		if got := tierNames(Supported()); got != want {
			t.Errorf("the tiers on %s are %q, want %q", runtime.GOARCH, got, want)
		}
		return
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip("there is no /proc/cpuinfo here")
	}
	if pureGo {
		if detected != 0 {
			t.Errorf("pure Go, and yet detected: %v", detected)
		}
		return
	}
	flags := map[string]bool{}
	for line := range strings.SplitSeq(string(info), "\n") {
		if list, ok := strings.CutPrefix(line, "flags"); ok {
			for _, flag := range strings.Fields(list) {
				flags[flag] = true
			}
			break
		}
	}
	var want Set
	for i, name := range flagNames {
		if flags[name] {
			want |= 1 << i
		}
	}
	if want != detected {
		t.Errorf("detected %v; /proc/cpuinfo says %v", detected, want)
	}
	if got, want := tierNames(Supported()), tierNames(TiersOf("amd64")[:slices.Index(TiersOf("amd64"), want.Best())+1]); got != want {
		t.Errorf("the tiers are %q, want %q", got, want)
	}
}
