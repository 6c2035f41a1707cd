package models

import (
	"errors"
	"fmt"
)

// FilingNotReadyError refuses to approve a filing while transactions of its period
// are still being processed.
type FilingNotReadyError struct{ Pending int }

func (e *FilingNotReadyError) Error() string {
	return fmt.Sprintf("%d transactions of the period are in processing", e.Pending)
}

// IsFilingRefusal reports whether an error says that a filing is not as the caller
// thought: nothing was written.
func IsFilingRefusal(err error) bool {
	var notReady *FilingNotReadyError
	return errors.As(err, &notReady)
}
