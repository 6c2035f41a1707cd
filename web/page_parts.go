package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
)

// part is a part of a page that is left out if it cannot be read in time. read must not change the request, because parts are
// read at once.
type part struct {
	name string // in words, for the note on the page
	read func() error
}

// readAtOnce reads parts of the page at the same time. Errors: the first one in the order of the parts that is no timeout.
func (v *pageRequest) readAtOnce(parts ...part) error {
	errs := make([]error, len(parts))
	calls := make([]func(), len(parts))
	for i, p := range parts {
		calls[i] = func() { errs[i] = p.read() }
	}
	atOnce(calls...)
	for i, p := range parts {
		if err := v.optional(p.name, errs[i]); err != nil {
			return err
		}
	}
	return nil
}

// atOnce calls functions at the same time. It panics after all of them if one did, so that the panic is that of the page. The log
// has its stack, which the page does not know.
func atOnce(calls ...func()) {
	reasons := make([]any, len(calls))
	var all sync.WaitGroup
	for i, call := range calls {
		all.Go(func() {
			defer func() {
				reasons[i] = recover()
				if reasons[i] != nil && reasons[i] != http.ErrAbortHandler { //nolint:errorlint // it is the value of the panic
					slog.Error("A part of a page panicked.", "reason", reasons[i], "stack", string(debug.Stack()))
				}
			}()
			call()
		})
	}
	all.Wait()
	for _, reason := range reasons {
		if reason != nil {
			panic(reason)
		}
	}
}
