package peers

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"
)

func TestClusters(t *testing.T) {
	groups, err := clusters("3 1\n4 1\n", 6)
	if err != nil || groups[1] != 2 || groups[3] != 2 || groups[4] != 2 || groups[0] != 0 {
		t.Errorf("groups %v, %v", groups, err)
	}
	for _, bad := range []string{"6 1\n", "1 6\n", "a 1\n", "1\n", "-1 0\n"} {
		if groups, err := clusters(bad, 6); err == nil {
			t.Errorf("%q: groups %v", bad, groups)
		}
	}
}

// What comes in pieces is read as lines, and what is no word of the script is left alone.
func TestWatch(t *testing.T) {
	w := &watch{}
	for _, piece := range []string{"begin a\nbeg", "in b\nprogress 5%\nend a 3\n", "end b x\nend b 0.25\nend a 1\nend c 1\n", "user 1.5\n"} {
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	got, err := json.Marshal(w.ended)
	want, wantErr := json.Marshal([]Stage{{"b", time.Second / 4, 0}, {"a", time.Second, 0}})
	if err != nil || wantErr != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, expected %s", got, want)
	}
	if w.user != 3*time.Second/2 {
		t.Errorf("%v of the processors, expected 1.5s", w.user)
	}
}
