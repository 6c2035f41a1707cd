package filings

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// insertFiling writes filings. It skips a filing that another REGULAR return overlaps, or that was planned before.
var insertFiling = filingRecord.Insert() + " ON CONFLICT DO NOTHING"

// CreateFiling writes a filing in any status. check decides about it, by its registration, today and the pending
// transactions of its period. FILING and FILED claim their lines in the same database transaction.
// An AMENDMENT gets the filed return of exactly its period.
//
// Errors: *models.ReferencesNotFoundError (registration_id); *models.DuplicateError (filing); those of UpdateFiling and
// of check.
func (s *Store) CreateFiling(
	ctx context.Context, scope models.Scope, actor models.Actor, f models.Filing,
	check func(*models.Filing, models.Registration) error,
) (models.Filing, error) {
	registration, err := s.registrations.Registration(ctx, scope, f.RegistrationID)
	if err != nil {
		return models.Filing{}, unknownRegistration(err)
	}
	now := s.db.Now()
	f.OrganizationID, f.CreatedAt, f.UpdatedAt, f.NextCheckAt = scope.OrganizationID, now, now, &now
	u := &filingUpdate{scope: scope, actor: actor, action: models.AuditCreate, stored: f, next: f}
	err = s.create(ctx, u, func(f *models.Filing) error { return check(f, registration) })
	if err != nil {
		return models.Filing{}, err
	}
	s.freezeAfterClaim(ctx, u)
	return u.next, nil
}

// create is CreateFiling without what follows the commit.
func (s *Store) create(ctx context.Context, u *filingUpdate, check func(*models.Filing) error) error {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return fmt.Errorf("%w: no database connection: %w", models.ErrUnavailable, err)
	}
	defer conn.Release()
	err = u.prepare(ctx, conn)
	if err == nil {
		err = check(&u.next)
	}
	if err == nil {
		err = rules.CheckFilingChange(u.change(), u.second)
	}
	if err == nil {
		err = u.insert(ctx, conn)
	}
	if err == nil {
		err = u.write(ctx, s.db, conn)
	}
	if err != nil {
		conn.Rollback(context.WithoutCancel(ctx))
		return u.before.explain(pg.Translate(err))
	}
	return nil
}

var todayAndPending = `
	SELECT ` + momentOf("$1") + `, (SELECT count(*)` + pendingBetween("$1", "$2", "$3") + ")"

// prepare locks the registration and reads the facts that decide about the filing.
func (u *filingUpdate) prepare(ctx context.Context, conn *pg.Pipeline) error {
	f := &u.next
	batch := &pgx.Batch{}
	conn.Begin(batch, "")
	awaitStages(batch, f.OrganizationID)
	batch.Queue("SELECT "+pg.LockRegistration.Wait("$1"), f.RegistrationID)
	batch.Queue(LongWork)
	queueObligations(batch, obligationsOfRegistration, u.scope, f.RegistrationID, &u.before)
	batch.Queue(todayAndPending, f.OrganizationID, f.StartDate,
		f.EndDate).QueryRow(func(row pgx.Row) error { return scanToday(row, f) })
	if f.FilingCategory == models.FilingAmendment {
		batch.Queue(`SELECT max(id)
			FROM filings
			WHERE organization_id = $1 AND registration_id = $2 AND start_date = $3 AND end_date = $4
			AND filing_category = 'REGULAR' AND status = 'FILED'`, f.OrganizationID, f.RegistrationID, f.StartDate, f.EndDate).
			QueryRow(func(row pgx.Row) error { return row.Scan(&f.AmendsFilingID) })
	}
	if f.OnDemand {
		batch.Queue(openAmendmentOf, f.OrganizationID, f.RegistrationID, f.StartDate, f.EndDate).
			QueryRow(func(row pgx.Row) error { return row.Scan(&u.open) })
	}
	u.queueSecondPerson(batch)
	err := conn.Send(ctx, batch)
	u.before.postpone(f)
	// guard: filing: a period has one open amendment
	if err == nil && u.open != "" {
		err = &models.DuplicateError{Field: "amendment", ExistingID: u.open}
	}
	return err
}

// openAmendmentOf selects the amendment of a period that is not over; "" for none.
const openAmendmentOf = `
	SELECT coalesce(min(id), '') FROM filings
	 WHERE organization_id = $1 AND registration_id = $2 AND start_date = $3 AND end_date = $4
	   AND filing_category = 'AMENDMENT' AND status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE')`

// AmendFiling opens an amendment of a FILED return, or of an amendment of it, for a reason that the history keeps. Errors:
// models.ErrNotFound; *models.TransitionError; *models.DuplicateError if one is open.
func (s *Store) AmendFiling(
	ctx context.Context, scope models.Scope, actor models.Actor, id, reason string, amounts models.EnteredAmounts,
) (models.Filing, error) {
	of, err := s.Filing(ctx, scope, id)
	if err == nil {
		err = of.CheckAmendable()
	}
	if err != nil {
		return models.Filing{}, err
	}
	f := models.Filing{
		ID: models.NewID(models.PrefixFiling), RegistrationID: of.RegistrationID, CountryCode: of.CountryCode,
		StateCode: of.StateCode, StateName: of.StateName, StartDate: of.StartDate, EndDate: of.EndDate,
		Status: models.FilingUnfiled, FilingCategory: models.FilingAmendment, FilingFrequency: of.FilingFrequency,
		Currency: of.Currency, OnDemand: true, InternalNotes: &reason,
		AmountAdjusted: amounts.Adjusted, AmountFees: amounts.Fees, AmountPenalties: amounts.Penalties,
	}
	return s.CreateFiling(ctx, scope, actor, f, func(*models.Filing, models.Registration) error { return nil })
}

// insert writes the filing as unclaimed. write sets its status.
func (u *filingUpdate) insert(ctx context.Context, conn *pg.Pipeline) error {
	first := u.next
	if first.Status == models.FilingFiling || first.Status == models.FilingFiled {
		first.Status, first.FiledAt = models.FilingUnfiled, nil
	}
	u.stored = first
	inserted := int64(0)
	batch := &pgx.Batch{}
	batch.Queue(insertFiling, pg.TextArrays(filingRecord.Created, []*models.Filing{&first})...).
		Exec(func(tag pgconn.CommandTag) error {
			inserted = tag.RowsAffected()
			return nil
		})
	existing := ""
	batch.Queue(`SELECT coalesce(min(f.id), '') FROM filings f
		WHERE f.organization_id = $1 AND f.registration_id = $2 AND f.id <> $3 AND CASE WHEN $4 = 'REGULAR'
		 THEN f.filing_category = 'REGULAR' AND f.status NOT IN ('CANCELLED', 'SKIPPED') AND f.start_date <= $6::date
		   AND f.end_date >= $5::date
		 ELSE f.filing_category = 'AMENDMENT' AND f.status IN ('UNFILED', 'PAUSED') AND f.amends_filing_id = $7 END`,
		first.OrganizationID, first.RegistrationID, first.ID, string(first.FilingCategory), first.StartDate, first.EndDate,
		first.AmendsFilingID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&existing) })
	if err := conn.Send(ctx, batch); err != nil {
		return err
	}
	switch {
	case inserted != 0:
		return nil
	case first.FilingCategory == models.FilingAmendment:
		return &models.DuplicateError{Field: "amendment", ExistingID: existing}
	}
	return &models.DuplicateError{Field: "filing", ExistingID: existing}
}

func scanToday(row pgx.Row, f *models.Filing) error {
	var m moment
	err := row.Scan(append(m.targets(), &f.Pending)...)
	m.set(f)
	return err
}

func unknownRegistration(err error) error {
	if !errors.Is(err, models.ErrNotFound) {
		return err
	}
	return &models.ReferencesNotFoundError{Faults: []models.Fault{
		{Code: models.FieldNotFound, Path: "registration_id", Message: "No such record exists."},
	}}
}
