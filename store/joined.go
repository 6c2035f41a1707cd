package store

import (
	"context"

	"levy/models"
	"levy/store/audit"
	"levy/store/catalog"
	"levy/store/content"
	"levy/store/events"
	"levy/store/feed"
	"levy/store/filings"
	"levy/store/integrity"
	"levy/store/nexus"
	"levy/store/registrations"
	"levy/store/transactions"
	"levy/store/work"
)

// Some work reads and writes records of several stores. They are joined into one value with the methods of all,
// for consumers that declare interfaces.

type (
	catalogStore      = catalog.Store
	contentStore      = content.Store
	eventStore        = events.Store
	filingStore       = filings.Store
	integrityStore    = integrity.Store
	nexusStore        = nexus.Store
	registrationStore = registrations.Store
	transactionStore  = transactions.Store
)

// Processing is for the four stages of a transaction.
type Processing struct {
	*transactionStore
	*contentStore
}

// Processing returns the stores for the four stages of a transaction.
func (s *Store) Processing() Processing { return Processing{s.Transactions, s.Content} }

// Registering is for the work of a registration.
type Registering struct {
	*registrationStore
	*catalogStore
	*filingStore
}

// Registering returns the stores for the work of a registration.
func (s *Store) Registering() Registering { return Registering{s.Registrations, s.Catalog, s.Filings} }

// Evaluation is for the evaluation and the recount of nexus.
type Evaluation struct {
	*nexusStore
	*contentStore
	*registrationStore
	*transactionStore
	*eventStore
}

// Evaluation returns the stores for the evaluation and the recount of nexus.
func (s *Store) Evaluation() Evaluation {
	return Evaluation{s.Nexus, s.Content, s.Registrations, s.Transactions, s.Events}
}

// Records is for the checks of what records must keep: rules, the audit trail and kept figures.
type Records struct {
	*integrityStore

	audit  *audit.Store
	work   *work.Store
	sealer audit.Sealer
}

// Records returns the stores for the nightly checks of records. The sealer verifies the audit trail.
func (s *Store) Records(sealer audit.Sealer) Records {
	return Records{s.Integrity, s.Audit, s.Work, sealer}
}

// VerifySeals verifies the next seals of an organization after one, and records the faults.
func (r Records) VerifySeals(
	ctx context.Context, organizationID string, after, coveredFrom int64,
) (models.SealSlice, error) {
	slice, err := r.audit.VerifySlice(ctx, r.sealer, organizationID, after, coveredFrom)
	if err != nil || slice.Broken == "" {
		return slice, err
	}
	return slice, r.note(ctx, organizationID, models.RecordSeals, models.TrailHolds, slice.Broken)
}

// CheckReturns checks the next returns of a full pass, and the amounts that live ones are kept with. It returns the last
// of them; "" if there are no more.
func (r Records) CheckReturns(
	ctx context.Context, organizationID, after string, limit int,
) (found []models.RecordViolation, last string, err error) {
	ids, err := r.NextReturns(ctx, organizationID, after, limit)
	if err != nil || len(ids) == 0 {
		return nil, "", err
	}
	if found, err = r.CheckSome(ctx, organizationID, models.RecordReturns, ids); err != nil {
		return found, "", err
	}
	wrong, err := r.work.WrongAmounts(ctx, organizationID, ids)
	if err != nil {
		return found, "", err
	}
	kept, err := r.noteFigures(ctx, organizationID, wrong)
	return append(found, kept...), ids[len(ids)-1], err
}

// CheckFigures compares the kept figures of the months of an organization, and the kept counts of its exceptions.
func (r Records) CheckFigures(ctx context.Context, organizationID string) ([]models.RecordViolation, error) {
	wrong, err := r.work.WrongMonths(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	counts, err := r.work.WrongCounts(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	return r.noteFigures(ctx, organizationID, append(wrong, counts...))
}

func (r Records) noteFigures(ctx context.Context, organizationID string, wrong []string) (found []models.RecordViolation, err error) {
	if len(wrong) == 0 {
		return nil, nil
	}
	const rule = "the kept figures of the first page are the sums of their records"
	for _, record := range wrong {
		found = append(found, models.RecordViolation{Rule: rule, Record: record})
	}
	return found, r.note(ctx, organizationID, models.RecordFigures, rule, wrong...)
}

// note records violations until the end of a full pass that does not find them again.
func (r Records) note(ctx context.Context, organizationID string, kind models.RecordKind, rule string, records ...string) error {
	found := make([]models.RecordViolation, len(records))
	for i, record := range records {
		found[i] = models.RecordViolation{Rule: rule, Record: record}
	}
	return r.NoteViolations(ctx, organizationID, kind, []string{}, found)
}

// Products is for products and the effect of a change on recent transactions.
type Products struct {
	*catalogStore
	*transactionStore
}

// Products returns the stores of products and transactions.
func (s *Store) Products() Products { return Products{s.Catalog, s.Transactions} }

// Feed returns the store of events with the records that they are about.
func (s *Store) Feed() *feed.Store {
	return feed.New(s.DB, s.Events, feed.Subjects{
		Organizations: s.Organizations, Catalog: s.Catalog, Transactions: s.Transactions, Nexus: s.Nexus,
		Notices: s.Notices, Registrations: s.Registrations, Filings: s.Filings,
	})
}
