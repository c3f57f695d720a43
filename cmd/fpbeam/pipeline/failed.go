package pipeline

import (
	"errors"
	"fmt"

	"simhashkit/datasets/documents"
)

// Failed begins the errors of all stages, so that they are found in what runners make of them.
const Failed = "fpbeam failed: "

// mark marks the error of a stage, if there is one. To that of a document it adds how to go on
// without it.
func mark(err *error) {
	if *err == nil {
		return
	}
	*err = fmt.Errorf(Failed+"%w", *err)
	var bad documents.RecordError
	if errors.As(*err, &bad) {
		*err = fmt.Errorf("%w; --keep-going reports such documents and leaves them out", *err)
	}
}
