package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"

	"simhashkit/results/measure/madeup"
)

// attributes is a line of a file of them.
type attributes struct {
	ID          string  `json:"id" parquet:"id"`
	Fingerprint *string `json:"fingerprint" parquet:"fingerprint,optional"`
	Cluster     *int64  `json:"cluster_id" parquet:"cluster_id,optional"`
	Canonical   bool    `json:"is_canonical" parquet:"is_canonical"`
}

// digest returns the same for the same attributes of n documents in order, however they are
// written.
func digest(files []string, n int) (string, error) {
	sum, seen := sha256.New(), 0
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			return "", err
		}
		for lines := bufio.NewScanner(file); lines.Scan(); seen++ {
			var a attributes
			if err := json.Unmarshal(lines.Bytes(), &a); err != nil || a.ID != madeup.ID(seen) {
				file.Close()
				return "", fmt.Errorf("%s: expected %s, got %q: %w", path, madeup.ID(seen), lines.Bytes(), err)
			}
			again, err := json.Marshal(a)
			if err != nil {
				file.Close()
				return "", err
			}
			sum.Write(again)
		}
		file.Close()
	}
	if seen != n {
		return "", fmt.Errorf("%d attributes, expected %d", seen, n)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}
