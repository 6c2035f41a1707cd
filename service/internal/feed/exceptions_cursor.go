package feed

import (
	"encoding/base64"
	"strings"

	"github.com/go-json-experiment/json"

	"levy/contract"
	"levy/models"
)

// cursorOf returns the place of an exception in the list, for `after`.
func cursorOf(e *models.Exception) string {
	place := e.Position()
	place.Since = place.Since.UTC()
	content, _ := contract.Encode(place) // cannot fail
	return base64.RawURLEncoding.EncodeToString(content)
}

// placeOf returns the place that a cursor stands for. Errors: *models.InvalidError for a text that is no cursor.
func placeOf(cursor string) (place models.ExceptionPlace, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(raw, &place, json.RejectUnknownMembers(true))
	}
	place.Since = place.Since.UTC()
	// The database has no text with a zero byte, and no time before its first year.
	unreadable := err != nil || place.Since.Year() < 1 || place.Since.Year() > 9999
	for _, text := range []string{place.OrganizationID, place.Type, place.ObjectID, place.Code} {
		unreadable = unreadable || strings.ContainsRune(text, 0)
	}
	if unreadable {
		return place, &models.InvalidError{Faults: []models.Fault{{Code: models.FieldInvalidFormat, In: models.InQuery,
			Path: "after", Message: "after must be the cursor of an exception."}}}
	}
	return place, nil
}
