package main

import (
	"bufio"
	"encoding/binary"
	"hash/fnv"
	"io"
	"os"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for key := make([]byte, 8); ; {
		if _, err := io.ReadFull(in, key); err != nil {
			return
		}
		h := fnv.New64a()
		h.Write(key)
		out.Write(binary.LittleEndian.AppendUint64(nil, h.Sum64()))
	}
}
