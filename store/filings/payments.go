package filings

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// selectMade reads the recorded payments of the filings $2 of an organization $1, the oldest of each first.
const selectMade = `
	SELECT p.organization_id, p.filing_id, p.id, p.amount::text, p.paid_on, p.method, p.reference, p.created_by, p.created_at
	  FROM filing_payments p
	 WHERE p.organization_id = $1 AND p.filing_id = ANY ($2)
	 ORDER BY p.filing_id, p.id`

// selectPaymentStates reads of filings the fields of their registrations and the last bank file that had their payment.
const selectPaymentStates = `
	SELECT f.id, r.jurisdiction_specific_fields, (
	         SELECT max(a.at) FROM audit a
	          WHERE a.organization_id = f.organization_id AND a.entity_id = f.id AND a.entity_type = $3 AND a.action = $4)
	  FROM filings f
	  LEFT JOIN registrations r ON r.organization_id = f.organization_id AND r.id = f.registration_id
	 WHERE f.organization_id = $1 AND f.id = ANY ($2)`

const (
	insertMade = `
	INSERT INTO filing_payments (organization_id, filing_id, id, amount, paid_on, method, reference, created_by, created_at)
	VALUES ($1, $2, $3, $4::text::numeric, $5, $6, $7, $8, $9)`
	deleteMade = "DELETE FROM filing_payments WHERE organization_id = $1 AND filing_id = $2 AND id = $3"
)

func scanMade(row pgx.CollectableRow) (p models.RecordedPayment, err error) {
	return p, row.Scan(&p.OrganizationID, &p.FilingID, &p.ID, &p.Amount, &p.PaidOn, &p.Method, &p.Reference, &p.CreatedBy,
		&p.CreatedAt)
}

// PaymentStates reads what is stored about the payments of filings, by filing id, in two statements.
func (s *Store) PaymentStates(ctx context.Context, scope models.Scope, ids []string) (map[string]models.PaymentState, error) {
	states := make(map[string]models.PaymentState, len(ids))
	var made []models.RecordedPayment
	batch := &pgx.Batch{}
	var id string
	var fields json.RawMessage
	var exported *time.Time
	batch.Queue(selectPaymentStates, scope.OrganizationID, ids, models.EntityFilingPayment, models.AuditExport).Query(
		pg.Each([]any{&id, &fields, &exported}, func() error {
			state := models.PaymentState{Fields: models.RegistrationFields(fields)}
			if exported != nil {
				state.Exported = calendar.DateOf(*exported)
			}
			states[id] = state
			return nil
		}))
	batch.Queue(selectMade, scope.OrganizationID, ids).Query(pg.All(&made, scanMade))
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return nil, pg.Translate(err)
	}
	for i := range made {
		state := states[made[i].FilingID]
		state.Made = append(state.Made, made[i])
		states[made[i].FilingID] = state
	}
	return states, nil
}

// queueMade adds the statements of a change of the recorded payments, with its line in the history.
func (u *filingUpdate) queueMade(batch *pgx.Batch) {
	change := u.next.MadeChange
	if change == nil {
		return
	}
	action, p := models.FilingPaymentDeleted, change.Deleted
	if change.Added != nil {
		action, p = models.FilingPaymentRecorded, change.Added
		batch.Queue(insertMade, u.scope.OrganizationID, u.next.ID, p.ID, p.Amount.String(), p.PaidOn, p.Method, p.Reference,
			p.CreatedBy, p.CreatedAt).Exec(changedOne)
	} else {
		batch.Queue(deleteMade, u.scope.OrganizationID, u.next.ID, p.ID).Exec(changedOne)
	}
	u.queueRemark(batch, action, p.Said())
}

// auditOfMade returns the row of the audit trail of a change of the recorded payments.
func (u *filingUpdate) auditOfMade(change *models.RecordedPaymentChange) *models.AuditEntry {
	action, p := models.AuditDeletePayment, change.Deleted
	if change.Added != nil {
		action, p = models.AuditRecordPayment, change.Added
	}
	return u.actor.Entry(u.scope, action, "filing", u.next.ID).With(map[string]any{
		"payment_id": p.ID, "amount": p.Amount.String(), "paid_on": calendar.DateOf(p.PaidOn).String(), "method": p.Method,
		"reference": p.Reference,
	})
}
