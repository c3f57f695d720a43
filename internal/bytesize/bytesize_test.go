package bytesize

import "testing"

func TestSizes(t *testing.T) {
	for text, want := range map[string]Size{
		"0": 0, "17": 17, "17B": 17, "1k": 1024, "1KB": 1024, "1KiB": 1024, "1.5 MiB": 3 << 19, "4GiB": 4 << 30, "4g": 4 << 30, "2T": 2 << 40, "1PiB": 1 << 50,
		"": -1, "GiB": -1, "-1": -1, "NaN": -1, "inf": -1, "1e30": -1, "9999P": -1, "4GG": -1, "4XiB": -1, "4 apples": -1,
	} {
		got := Size(-1)
		if err := got.Set(text); got != want || (err != nil) != (want < 0) {
			t.Errorf("%q: %d, error %v; want %d", text, int64(got), err, int64(want))
		}
	}
	for size, want := range map[Size]string{0: "0B", 999: "999B", 1000: "0.977KiB", 1024: "1KiB", 4 << 30: "4GiB", 5_000_000: "4.77MiB", 1 << 62: "4.1e+03PiB"} {
		if got := size.String(); got != want {
			t.Errorf("%d: %s, want %s", int64(size), got, want)
		}
	}
}
