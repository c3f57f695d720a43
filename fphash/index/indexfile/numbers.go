package indexfile

import (
	"encoding/binary"
	"unsafe"
)

// littleEndian is whether numbers lie in memory as in the file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// numbers returns little-endian numbers where they lie; on machines of the other order a copy.
func numbers[T uint32 | uint64](data []byte) []T {
	size := int(unsafe.Sizeof(T(0)))
	if len(data) < size {
		return nil
	}
	first := unsafe.Pointer(unsafe.SliceData(data))
	if littleEndian && uintptr(first)%uintptr(size) == 0 {
		return unsafe.Slice((*T)(first), len(data)/size)
	}
	copied := make([]T, len(data)/size)
	_, _ = binary.Decode(data, binary.LittleEndian, copied) // which has room for no more
	return copied
}

// piece is how many numbers are brought into the order of the file at a time.
const piece = 8192

// writeNumbers calls write with the numbers as they stand in the file, a piece at a time.
func writeNumbers[T uint32 | uint64](list []T, write func([]byte) error) error {
	size := int(unsafe.Sizeof(T(0)))
	var buffer []byte
	for len(list) > 0 {
		n := min(len(list), piece)
		var data []byte
		if littleEndian {
			data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), n*size)
		} else {
			buffer, _ = binary.Append(buffer[:0], binary.LittleEndian, list[:n]) // no error for numbers
			data = buffer
		}
		if err := write(data); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}
