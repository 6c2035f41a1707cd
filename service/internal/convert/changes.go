package convert

import (
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"
)

// SameTime reports whether two optional times are equal or both absent.
func SameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// Change sets a field to the submitted value, or to its default if null was submitted.
func Change[T any](field *T, sent nullable.Nullable[T], byDefault T) {
	switch {
	case sent.IsNull():
		*field = byDefault
	case sent.IsSpecified():
		*field = sent[true]
	}
}

// ChangeOptional is Change for a field that null clears.
func ChangeOptional[T any](field **T, sent nullable.Nullable[T]) {
	switch {
	case sent.IsNull():
		*field = nil
	case sent.IsSpecified():
		value := sent[true]
		*field = &value
	}
}

// ChangeDay is ChangeOptional for a day.
func ChangeDay(field **time.Time, sent nullable.Nullable[openapi_types.Date]) {
	switch {
	case sent.IsNull():
		*field = nil
	case sent.IsSpecified():
		day := sent[true].Time
		*field = &day
	}
}

// MaxChangeAttempts bounds the attempts of a change whose basis another process has changed.
const MaxChangeAttempts = 5
