package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the module's version, or that of the revision it was built from, with what the program
// was built by and for.
func version() string {
	module := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		module = info.Main.Version
	}
	return fmt.Sprintf("%s, %s %s/%s", module, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
