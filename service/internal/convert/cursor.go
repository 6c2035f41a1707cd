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

// cursor is the content of a cursor. A client submits it in `after` to get the next page.
type cursor struct {
	List  string    `json:"l"` // digest of the list, see listed
	Keys  []*string `json:"k"`
	Rows  int64     `json:"r"`
	Total int64     `json:"t"`
}

// listed is a page of a list with the digest of that list. The digest covers organization, filters and order,
// so a cursor is valid for no other list.
type listed struct {
	models.Page
	digest string
}

// PageAfter returns the page after a cursor, or part if after is empty. Errors: *models.InvalidError for a cursor
// of another list.
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

// Number returns the number of the page, from 1.
func (l listed) Number() int {
	if l.After != nil {
		return int(l.After.Rows/int64(l.Limit)) + 1
	}
	return l.Offset/l.Limit + 1
}

// Next returns the cursor after a row; nil if no rows follow.
func (l listed) Next(place *models.Place) *string {
	if place == nil {
		return nil
	}
	content, _ := contract.Encode(cursor{l.digest, place.Keys, place.Rows, place.Total}) // cannot fail
	return new(base64.RawURLEncoding.EncodeToString(content))
}
