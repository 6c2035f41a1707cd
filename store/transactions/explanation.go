package transactions

import (
	"context"

	"levy/internal/packed"
	"levy/models"
	"levy/store/pg"
)

// TransactionExplanation reads how the tax of the current revision was computed.
// Errors: models.ErrNotFound; *models.NotProcessedError while there is none of
// this revision.
func (s *Store) TransactionExplanation(
	ctx context.Context, scope models.Scope, id string,
) (models.TransactionExplanation, error) {
	var e models.TransactionExplanation
	var status models.ProcessingStatus
	var reason *string
	var body, bytes []byte
	err := s.db.QueryRow(ctx, `
		SELECT t.id, t.revision, t.processing_status, t.processing_reason, e.body, e.packed
		  FROM transactions t
		  LEFT JOIN transaction_explanations e ON e.organization_id = t.organization_id AND e.transaction_id = t.id
		    AND e.epoch = t.epoch
		 WHERE t.organization_id = $1 AND t.id = $2`, scope.OrganizationID, id).Scan(
		&e.TransactionID, &e.Revision, &status, &reason, &body, &bytes,
	)
	if err != nil {
		return models.TransactionExplanation{}, pg.Translate(err)
	}
	if e.Body, err = packed.ReadExplanation(body, bytes); err != nil {
		return models.TransactionExplanation{}, err
	}
	if e.Body == nil {
		unready := &models.NotProcessedError{ProcessingStatus: status}
		if reason != nil {
			unready.Reason = *reason
		}
		return models.TransactionExplanation{}, unready
	}
	return e, nil
}
