package cpu

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// expectVariable is the environment variable that lists the tiers that this processor must support,
// separated by spaces. Set it when you run the tests on an emulated processor.
const expectVariable = "FPHASH_EXPECT_TIERS"

func tierNames(tiers []Tier) string {
	var list []string
	for _, tier := range tiers {
		list = append(list, tier.String())
	}
	return strings.Join(list, " ")
}

// TestExpectedTiersAreSupported fails if an expected tier is not supported. All other tests skip
// tiers that are not supported.
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

// TestDetectionAgreesWithTheKernel compares the detected extensions with those that the operating
// system lists in /proc/cpuinfo.
func TestDetectionAgreesWithTheKernel(t *testing.T) {
	if os.Getenv(expectVariable) != "" {
		t.Skip("/proc/cpuinfo does not describe an emulated processor")
	}
	if runtime.GOARCH != "amd64" {
		want := tierNames(Tiers(runtime.GOARCH))
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
		t.Skip("there is no /proc/cpuinfo on this system")
	}
	if pureGo {
		if detected != 0 {
			t.Errorf("a pure Go build detected %v", detected)
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
	if got, want := tierNames(Supported()), tierNames(Tiers("amd64")[:slices.Index(Tiers("amd64"), best(want))+1]); got != want {
		t.Errorf("the tiers are %q, want %q", got, want)
	}
}
