package pipeline

import "fmt"

// Failed begins the errors of all stages, so that they are found in what runners make of them.
const Failed = "fpbeam failed: "

// mark marks the error of a stage, if there is one.
func mark(err *error) {
	if *err != nil {
		*err = fmt.Errorf(Failed+"%w", *err)
	}
}
