package main

import "context"

// abandon runs what cannot be told to stop, such as finding the features of a text of 100 MB. When
// the context ends before it, abandon returns without it: the work must leave nothing behind, and
// what it computes must be used only if there was no error.
func abandon(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
