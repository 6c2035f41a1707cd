package convert

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// cursor is what stands in a cursor of a list, and in `after` of the next page.
type cursor struct {
	List  string    `json:"l"` // digest of what is listed, see listed
	Keys  []*string `json:"k"`
	Rows  int64     `json:"r"`
	Total int64     `json:"t"`
}

// listed is a page of a list, of which others may ask for the next one. Whose list it is, its filters
// and its order are in the digest: a cursor leads nowhere else.
type listed struct {
	models.Page
	digest string
}

// PageAfter is the page behind a cursor, or part where there is none. Errors: *models.InvalidError for
// a cursor that is not of this list.
func PageAfter(
	ctx context.Context, after string, filter any, order []models.Order, part models.Page,
) (listed, error) {
	content, err := contract.Encode([]any{call.Of(ctx).Scope.OrganizationID, fmt.Sprintf("%T", filter), filter, order})
	if err != nil {
		return listed{}, err
	}
	sum := sha256.Sum256(content)
	list := listed{part, hex.EncodeToString(sum[:8])}
	if after == "" {
		return list, nil
	}
	var at cursor
	raw, err := base64.RawURLEncoding.DecodeString(after)
	if err == nil {
		err = json.Unmarshal(raw, &at, json.RejectUnknownMembers(true))
	}
	if err != nil || at.Rows < 0 || at.Total < 0 {
		return list, models.ErrorOfCursor(models.FieldInvalidFormat)
	}
	if at.List != list.digest {
		return list, models.ErrorOfCursor(models.FieldMismatch)
	}
	list.Offset, list.After = 0, &models.Place{Keys: at.Keys, Rows: at.Rows, Total: at.Total}
	return list, nil
}

// Number is the page of the answer, from 1.
func (l listed) Number() int {
	if l.After != nil {
		return int(l.After.Rows/int64(l.Limit)) + 1
	}
	return l.Offset/l.Limit + 1
}

// Next is the cursor behind a place; nil where nothing follows.
func (l listed) Next(place *models.Place) *string {
	if place == nil {
		return nil
	}
	content, _ := contract.Encode(cursor{l.digest, place.Keys, place.Rows, place.Total}) // texts and numbers
	return new(base64.RawURLEncoding.EncodeToString(content))
}
