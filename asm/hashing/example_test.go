package hashing_test

import (
	"fmt"

	"simhashkit/asm/hashing"
)

func ExampleXXH64() {
	keys := []uint64{1, 2, 3}
	hashing.XXH64(keys, keys, 0) // in place
	fmt.Printf("%016x\n", keys)
	// Output: [9f29cb17a2a49995 eac73e4044e82db0 87b8166da7ec4841]
}

func ExampleMD5() {
	keys := []uint64{1, 2}
	dst := make([]uint64, 2*len(keys)) // word 0 of both digests, then word 1 of both
	hashing.MD5(dst, keys, 0)
	for i, key := range keys {
		fmt.Printf("%d: %016x %016x\n", key, dst[i], dst[len(keys)+i])
	}
	// Output:
	// 1: 3280bececceccd33 cb74587feedb1f9f
	// 2: 0115f8d53b75c169 6444f08ad03251d9
}

func ExampleSHA256() {
	keys := []uint64{1}
	plain, counted := make([]uint64, 4), make([]uint64, 4)
	hashing.SHA256(plain, keys, 0)
	hashing.SHA256(counted, keys, 1) // the 8 bytes of 1, and then the byte 1
	fmt.Printf("%016x\n%016x\n", plain, counted)
	// Output:
	// [a63f41d436a19f7c 8d99b683e8373617 ffdd8cf875d6e132 b8f4201833cfcb9d]
	// [6545256c743a2ff5 0341e532dd6a1c8e f53304aaba3e5565 e2d65ff8c690bdf8]
}

func ExampleHighway64() {
	// bytes 0 to 31
	secret := [4]uint64{0x0706050403020100, 0x0F0E0D0C0B0A0908, 0x1716151413121110, 0x1F1E1D1C1B1A1918}
	dst := make([]uint64, 1)
	hashing.Highway64(dst, []uint64{0x0706050403020100}, &secret)
	fmt.Printf("%016x\n", dst[0])
	// Output: e1205108e55f3171
}
