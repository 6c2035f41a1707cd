package idempotency

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// An answer with a tax id is stored encrypted, as a whole, so that it is repeated byte for byte.

// storedAnswer is a stored answer: in clear text, or sealed, with the ids of erasable records in it.
// A sealed status without a body belongs to an erased answer.
type storedAnswer struct {
	status, sealedStatus *int
	body, sealedBody     []byte
	about                []string
}

// seal returns an answer to store, sealed if it has a tax id.
func (s *Store) seal(ctx context.Context, claim models.Claim, answer *models.Answer) (storedAnswer, error) {
	// guard: sealing: an answer with a tax id is encrypted before it is kept
	if !models.HasTaxID(answer.Body) {
		return storedAnswer{status: &answer.Status, body: answer.Body}, nil
	}
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return storedAnswer{}, err
	}
	sealed := key.DocumentKey(claim.OrganizationID).Seal(bindingOf(claim), answer.Body)
	return storedAnswer{sealedStatus: &answer.Status, sealedBody: sealed, about: models.IDsIn(answer.Body, erasable...)}, nil
}

// open returns the stored answer. Errors: models.ErrAnswerErased, secret.ErrUnreadable.
func (s *Store) open(ctx context.Context, claim models.Claim, kept storedAnswer) (*models.Answer, error) {
	switch {
	case kept.sealedStatus == nil:
		return &models.Answer{Status: *kept.status, Body: kept.body}, nil
	// guard: erasure: an answer that was erased is not opened
	case kept.sealedBody == nil:
		return nil, models.ErrAnswerErased
	}
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return nil, err
	}
	body, err := key.DocumentKey(claim.OrganizationID).Open(bindingOf(claim), kept.sealedBody)
	return &models.Answer{Status: *kept.sealedStatus, Body: body}, err
}

// erasable are the prefixes of the ids of erasable records.
var erasable = []string{models.PrefixCustomer, models.PrefixUser, models.PrefixOrganization}

// bindingOf returns the text that a sealed answer is bound to, besides its organization.
func bindingOf(claim models.Claim) string { return "answer to " + hex.EncodeToString(claim.KeyHash) }

// eraseRows is how many answers one statement reads, so that its time is limited.
const eraseRows = 5000

// Erase erases the answers of an organization that name an erased record; for an organization itself, all of them.
// Their keys remain used, so that no request runs again. It needs no key of encryption, because the ids in a sealed
// answer are stored with it.
func Erase(tx *gorm.DB, organizationID, id string) error {
	ctx, db := pg.DBOf(tx)
	for last := []byte{}; ; {
		err := db.QueryRow(ctx, `
			WITH page AS (SELECT key_hash FROM idempotency_keys
			               WHERE organization_id = $1 AND key_hash > $3 ORDER BY key_hash LIMIT $4),
			erased AS (
			  UPDATE idempotency_keys k SET sealed_status = coalesce(k.status, k.sealed_status), status = NULL, body = NULL,
			         sealed_body = NULL, sealed_about = NULL
			    FROM page WHERE k.organization_id = $1 AND k.key_hash = page.key_hash AND k.lease IS NULL
			     AND ($2::text = $1 OR $2 = ANY (k.sealed_about) OR position(convert_to($2, 'UTF8') IN k.body) > 0))
			SELECT key_hash FROM page ORDER BY key_hash DESC LIMIT 1`, organizationID, id, last, eraseRows).Scan(&last)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return pg.Translate(err)
		}
	}
}
