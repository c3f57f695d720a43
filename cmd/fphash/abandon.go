package main

import "context"

// abandon runs work that cannot be cancelled, such as finding the features of a text of 100 MB. If
// the context ends first, abandon returns at once. So the work must leave nothing behind, and its
// results may be used only if abandon returns no error.
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
