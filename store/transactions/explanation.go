package transactions

import (
	"context"
	"encoding/json"

	"levy/internal/packed"
	"levy/models"
	"levy/store/pg"
)

// TransactionExplanation returns how the tax of the current revision was calculated. Errors: models.ErrNotFound;
// *models.NotProcessedError if this revision is not calculated.
func (s *Store) TransactionExplanation(
	ctx context.Context, scope models.Scope, id string,
) (models.TransactionExplanation, error) {
	var e models.TransactionExplanation
	var status models.ProcessingStatus
	var reason *string
	var body packed.JSON
	err := s.db.OpenTables().QueryRow(ctx, `
		SELECT t.id, t.revision, t.processing_status, t.processing_reason, `+packed.Column("e")+`
		  FROM transactions t
		  LEFT JOIN transaction_explanations e ON e.organization_id = t.organization_id AND e.transaction_id = t.id
		    AND e.epoch = t.epoch
		 WHERE t.organization_id = $1 AND t.id = $2`, scope.OrganizationID, id).Scan(
		&e.TransactionID, &e.Revision, &status, &reason, &body,
	)
	if err != nil {
		return models.TransactionExplanation{}, pg.Translate(err)
	}
	if body == nil {
		unready := &models.NotProcessedError{ProcessingStatus: status}
		if reason != nil {
			unready.Reason = *reason
		}
		return models.TransactionExplanation{}, unready
	}
	e.Body = json.RawMessage(body)
	return e, nil
}
