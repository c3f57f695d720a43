package cpu

import (
	"strings"
	"testing"
)

func TestBestTierOfFeatureSets(t *testing.T) {
	for _, c := range []struct {
		name string
		set  Set
		want Tier
	}{
		{"nothing", 0, Generic},
		{"AVX without AVX2", extAVX | extPOPCNT, Generic},
		{"AVX2 without BMI2", avx2 &^ extBMI2, Generic},
		{"AVX2 without SSE4.2", avx2 &^ extSSE42, Generic},
		{"Haswell", avx2, AVX2},
		{"AVX512F alone", avx2 | extAVX512F, AVX2},
		{"AVX-512 without DQ (Knights Landing)", avx512 &^ (extAVX512DQ | extAVX512BW | extAVX512VL), AVX2},
		{"AVX-512 without BW", avx512 &^ extAVX512BW, AVX2},
		{"AVX-512 without VL", avx512 &^ extAVX512VL, AVX2},
		{"Skylake-X", avx512, AVX512},
		{"Cannon Lake: VBMI but no GFNI", avx512 | extAVX512VBMI, AVX512},
		{"GFNI without AVX-512 (Gracemont)", avx2 | extGFNI, AVX2},
		{"all but VPOPCNTDQ", avx512gfni &^ extAVX512VPOPCNTDQ, AVX512},
		{"all but BITALG", avx512gfni &^ extAVX512BITALG, AVX512},
		{"all but VNNI", avx512gfni &^ extAVX512VNNI, AVX512},
		{"all but GFNI", avx512gfni &^ extGFNI, AVX512},
		{"Ice Lake", avx512gfni, AVX512GFNI},
		{"AVX-512 left, AVX2 off", avx512gfni &^ extAVX2, Generic},
		{"any arm64", neon, NEON},
	} {
		if got := best(c.set); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestOverride(t *testing.T) {
	for _, c := range []struct {
		override string
		features Set
		want     Tier
		err      string
	}{
		{"", avx512gfni, AVX512GFNI, ""},
		{"", 0, Generic, ""},
		{"generic", avx512gfni, Generic, ""},
		{"avx2", avx512gfni, AVX2, ""},
		{"avx512gfni", avx512gfni, AVX512GFNI, ""},
		{"avx512", avx2, AVX2, ""}, // the setting is only an upper limit, so it works on many machines
		{"avx512gfni", 0, Generic, ""},
		{"", neon, NEON, ""},
		{"neon", neon, NEON, ""},
		{"generic", neon, Generic, ""},
		{"neon", avx512, Generic, ""}, // a tier of another architecture: the best common tier
		{"avx512", neon, Generic, ""},
		{"AVX2", avx512, Generic, `FPHASH_KERNEL=AVX2: cpu: unknown kernel "AVX2"; the kernels are generic, neon, avx2, avx512, avx512gfni`},
	} {
		got, err := choose(c.override, c.features)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("choose(%q, %v) = %v, %v; want %v, %s", c.override, c.features, got, err, c.want, c.err)
		}
	}
}

func TestTiersIncludeTheLowerOnesAndKeepTheirNames(t *testing.T) {
	var names []string
	for _, tier := range Tiers("") {
		back, err := ParseTier(tier.String())
		if back != tier || err != nil {
			t.Errorf("ParseTier(%q) = %v, %v", tier.String(), back, err)
		}
		names = append(names, tier.String())
	}
	if got := strings.Join(names, " "); got != "generic neon avx2 avx512 avx512gfni" {
		t.Errorf("the tiers are %s", got)
	}
	for architecture, want := range map[string]string{"amd64": "generic avx2 avx512 avx512gfni", "arm64": "generic neon", "386": "generic", "s390x": "generic"} {
		list := Tiers(architecture)
		if got := tierNames(list); got != want {
			t.Errorf("the tiers of %s are %s, want %s", architecture, got, want)
		}
		for i, tier := range list {
			below := list[max(i-1, 0)]
			if !tier.Needs().Has(below.Needs()) || tier.Below() != below {
				t.Errorf("%s: below %v is %v, want %v", architecture, tier, tier.Below(), below)
			}
		}
	}
}

func TestSetTier(t *testing.T) {
	start := Active()
	defer SetTier(start)
	for _, tier := range Tiers("") {
		former, err := SetTier(tier)
		if Detected().Has(tier.Needs()) != (err == nil) {
			t.Fatalf("SetTier(%v): %v, with %v", tier, err, Detected())
		}
		if err == nil && Active() != tier || err != nil && Active() != former {
			t.Fatalf("SetTier(%v) left %v", tier, Active())
		}
	}
	if _, err := SetTier(99); err == nil {
		t.Fatal("tier 99 was accepted")
	}
	if Check() != nil {
		t.Fatal(Check())
	}
}
