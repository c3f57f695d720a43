package main

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"simhashkit/results/measure/comparisons"
)

// counts are what the comparisons of a file came to.
type counts struct {
	comparisons, alarms, naive int
	seconds                    float64 // median
}

// rates is the sentence about error rates, from the comparisons in a folder.
func rates(root, folder string) (string, error) {
	var of []counts
	for _, name := range []string{"ab-same.txt", "ab-slower-6.txt", "ab-slower-10.txt", "ab-bursts-10.txt"} {
		c, err := count(filepath.Join(root, folder, name))
		if err != nil {
			return "", err
		}
		of = append(of, c)
	}
	same, six, ten, bursts := of[0], of[1], of[2], of[3]
	return fmt.Sprintf("How often `fphash ab` is wrong here, with the other core busy, by `results/rates` ([table](../../%s)): "+
		"%d alarms in %d comparisons of a program with itself, where ten samples of each side and p < 0.05 give %d; "+
		"slowdowns of 6%% found %d of %d, of 10%% %d of %d, of 10%% on average in one sample of twenty %d of %d; %.0f s each (medians).\n",
		path.Join(folder, "ab-rates.txt"), same.alarms, same.comparisons, same.naive,
		six.alarms, six.comparisons, ten.alarms, ten.comparisons, bursts.alarms, bursts.comparisons,
		max(same.seconds, six.seconds, ten.seconds, bursts.seconds)), nil
}

func count(path string) (counts, error) {
	f, err := comparisons.Read(path)
	if err != nil {
		return counts{}, err
	}
	if len(f.Records) == 0 {
		return counts{}, fmt.Errorf("%s: no comparisons", path)
	}
	c := counts{comparisons: len(f.Records)}
	var seconds []float64
	for _, r := range f.Records {
		if r.Alarm() {
			c.alarms++
		}
		if r.NaiveAlarm(0) {
			c.naive++
		}
		seconds = append(seconds, r.Seconds)
	}
	slices.Sort(seconds)
	c.seconds = seconds[len(seconds)/2]
	return c, nil
}
