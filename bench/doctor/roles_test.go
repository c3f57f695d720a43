package doctor

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// roleVariable, in the environment, makes the test binary behave as a command under examination.
const roleVariable = "DOCTOR_TEST_ROLE"

func TestMain(m *testing.M) {
	if r := os.Getenv(roleVariable); r != "" {
		play(r)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func play(role string) {
	role, argument, _ := strings.Cut(role, ":")
	n, _ := strconv.Atoi(argument)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	put := func(words ...uint64) {
		for _, w := range words {
			out.Write(binary.LittleEndian.AppendUint64(nil, w))
		}
	}
	if role == "early" { // writes more than pipes hold before it reads a byte
		os.Stdout.Write(make([]byte, 8*n))
		io.Copy(io.Discard, os.Stdin)
		return
	}
	if role == "deaf" {
		os.Stdout.Write(make([]byte, 8*n))
		return
	}
	if role == "endless" {
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	}
	text, _ := io.ReadAll(os.Stdin)
	var codes []byte
	for i := 0; i+8 <= len(text); i += 8 {
		codes = binary.LittleEndian.AppendUint64(codes, mix(binary.LittleEndian.Uint64(text[i:])))
	}
	switch role {
	case "mix":
		os.Stdout.Write(codes)
	case "lines":
		for line := range bytes.Lines(text) {
			put(lineCode(string(bytes.TrimSuffix(line, []byte("\n")))))
		}
	case "mix40":
		for i := 5; i < len(codes); i += 8 {
			clear(codes[i : i+3])
		}
		os.Stdout.Write(codes)
	case "mix128":
		for i := 0; i < len(codes); i += 8 {
			code := binary.LittleEndian.Uint64(codes[i:])
			put(code, mix(code))
		}
	case "die":
		os.Stdout.Write(codes[:min(len(codes), 16)])
		fmt.Fprint(os.Stderr, strings.Repeat("noise\n", 1000), "cannot go on\x1b\n")
		os.Exit(3)
	case "short":
		os.Stdout.Write(codes[:len(codes)-n])
	case "half": // 4 bytes a key
		os.Stdout.Write(codes[:len(codes)/2])
	case "long":
		os.Stdout.Write(codes)
		put(1)
	case "print": // decimal numbers instead of codes, the last n digits of each
		for i := 0; i < len(codes); i += 8 {
			digits := strconv.FormatUint(binary.LittleEndian.Uint64(codes[i:]), 10)
			fmt.Fprintln(out, digits[len(digits)-n:])
		}
	case "greeting":
		fmt.Print("Hello!\n")
		os.Stdout.Write(codes)
	case "hang": // after it has made a file, if one is named
		os.Stdout.Write(codes[:min(len(codes), 8)])
		if argument != "" {
			os.WriteFile(argument, nil, 0o600)
		}
		time.Sleep(time.Hour) // select {} would be found out as a deadlock
	case "counting": // the code depends on what was asked before
		for i := range len(codes) / 8 {
			put(uint64(i))
		}
	case "restless": // another function in every run
		for i := range len(codes) / 8 {
			put(binary.LittleEndian.Uint64(codes[8*i:]) ^ uint64(os.Getpid()))
		}
	case "drifting": // another function after some runs, which it counts in a file
		file, err := os.OpenFile(argument, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			os.Exit(6)
		}
		file.Write([]byte{1})
		file.Close()
		if runs, err := os.Stat(argument); err == nil && runs.Size() > 3 {
			for i := range codes {
				codes[i] ^= 1
			}
		}
		os.Stdout.Write(codes)
	case "slow":
		time.Sleep(time.Duration(n) * time.Microsecond * time.Duration(len(codes)/8))
		os.Stdout.Write(codes)
	}
}

// lineCode is the code of a key that is a line.
func lineCode(line string) uint64 { return mix(uint64(crc32.ChecksumIEEE([]byte(line)))) }

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
