//go:build !linux

package main

func peak() string { return "peak memory unknown" }
