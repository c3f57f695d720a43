package syntax

import (
	"strings"
	"testing"
)

func TestLooks(t *testing.T) {
	for head, want := range map[string]string{
		"":                                    "",
		"PAR":                                 "",
		"PAR1\x15\x04":                        "a Parquet file",
		strings.Repeat("\x00", 257) + "ustar": "a tar archive",
		"\xff\xfeh\x00i\x00":                  "UTF-16 text",
		"\x89":                                "an index of fphash index build",
		"\x89FPI\r\n\x1a":                     "an index of fphash index build",
		"\x89FPI\r\n\x1a\n\x01\x00":           "an index of fphash index build",
		"\x89PNG":                             "",
		" {\"a\": 1}":                         "JSON",
		"[1, 2]":                              "JSON",
		"<!doctype html>":                     "HTML or XML",
		"a\tb,c":                              "tab-separated values",
		"a,b":                                 "comma-separated values",
		"a;b":                                 "semicolon-separated values",
		"words alone":                         "",
		strings.Repeat("x", maxLooked) + ", too far": "",
	} {
		if got := LikeLine([]byte(head)); got != want {
			t.Errorf("%.20q looks like %q, expected %q", head, got, want)
		}
	}
	if got := LikeFile([]byte("a,b")); got != "" {
		t.Errorf("a,b has the signature of %q", got)
	}
}
