// Command hash computes the hash of package sketch for fphash doctor.
package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"

	"example.com/dedup/sketch"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for key := make([]byte, 8); ; {
		if _, err := io.ReadFull(in, key); err != nil {
			return
		}
		out.Write(binary.LittleEndian.AppendUint64(nil, sketch.Hash(binary.LittleEndian.Uint64(key))))
	}
}
