package convert

import (
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"
)

func SameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// Change sets a field to what was sent, or to its default when null was sent.
func Change[T any](field *T, sent nullable.Nullable[T], byDefault T) {
	switch {
	case sent.IsNull():
		*field = byDefault
	case sent.IsSpecified():
		*field = sent[true]
	}
}

// ChangeOptional is change for a field that null clears.
func ChangeOptional[T any](field **T, sent nullable.Nullable[T]) {
	switch {
	case sent.IsNull():
		*field = nil
	case sent.IsSpecified():
		value := sent[true]
		*field = &value
	}
}

// ChangeDay is changeOptional for a day.
func ChangeDay(field **time.Time, sent nullable.Nullable[openapi_types.Date]) {
	switch {
	case sent.IsNull():
		*field = nil
	case sent.IsSpecified():
		day := sent[true].Time
		*field = &day
	}
}

// MaxChangeAttempts is how often a change is tried when another process changed what it is
// based on.
const MaxChangeAttempts = 5
