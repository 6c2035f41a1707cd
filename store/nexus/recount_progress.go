package nexus

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// A row begins with the events of the last two days. Releases without this table recounted all transactions every night.
const beginRecount = `
	INSERT INTO nexus_recounts (organization_id, after_event, stage, after_transaction, country_code, state_code, day,
	       counted)
	SELECT $1::ident, coalesce((SELECT max(sequence) FROM events
	         WHERE organization_id = $1::ident AND created_at < now() - interval '2 days'), 0),
	       'TRANSACTIONS', '', '', '', '0001-01-01', 0
	ON CONFLICT (organization_id) DO `

// lockRecount locks the row of an organization, which may be missing.
const lockRecount = beginRecount + `UPDATE SET organization_id = excluded.organization_id`

// transactionPages is about how many pages of a pass the transactions of an organization r have now.
const transactionPages = `(SELECT coalesce(sum(c.n), 0)::bigint FROM transaction_counts c
	  WHERE c.organization_id = r.organization_id AND c.span = 'month of all')/400`

// expectedPages is about how many pages a pass has: as many as the last one. That may have been smaller, and an upgrade or
// the first pass may have come since. So the number is at least that of the pages of the transactions.
const expectedPages = `greatest(r.last_pages, r.counted/400, ` + transactionPages + `)`

// sealedThrough begins with the seals of the last two days, as changes do.
const sealedThrough = `coalesce(r.sealed_through, (SELECT max(s.number) FROM audit_seals s
	  WHERE s.organization_id = r.organization_id AND s.sealed_at < now() - interval '2 days'), 0)`

// RecountProgress returns how far the recount of an organization is.
func (s *Store) RecountProgress(ctx context.Context, organizationID string) (p models.NexusRecountProgress, err error) {
	if _, err := s.db.Exec(ctx, beginRecount+"NOTHING", organizationID); err != nil {
		return p, pg.Translate(err)
	}
	p.OrganizationID = organizationID
	err = s.db.QueryRow(ctx, `
		SELECT r.after_event, `+sealedThrough+`, r.covered_from, r.stage, r.after_transaction, r.country_code, r.state_code,
		       r.day, r.counted, r.pages, `+expectedPages+`
		  FROM nexus_recounts r WHERE r.organization_id = $1`, organizationID).Scan(&p.AfterEvent, &p.SealedThrough,
		&p.CoveredFrom, &p.Stage, &p.After, &p.Place.CountryCode, &p.Place.StateCode, &p.Place.Day, &p.Counted, &p.Pages,
		&p.Expected)
	return p, pg.Translate(err)
}

// SaveRecountProgress records that what precedes the progress has been compared. The end of a night ends a failure. The
// end of a pass begins the next one.
func (s *Store) SaveRecountProgress(ctx context.Context, p models.NexusRecountProgress) error {
	_, err := s.db.Exec(ctx, `
		UPDATE nexus_recounts r SET after_event = $2, stage = $3, after_transaction = $4, country_code = $5, state_code = $6,
		       day = $7::date, changes_at = CASE WHEN $9 THEN now() ELSE changes_at END, sealed_through = $12, covered_from = $13,
		       counted = CASE WHEN $10 THEN 0 ELSE $8 END, last_counted = CASE WHEN $10 THEN $8 ELSE last_counted END,
		       pages = CASE WHEN $10 THEN 0 ELSE $14 END, last_pages = CASE WHEN $10 THEN greatest($14, `+transactionPages+`) ELSE last_pages END,
		       pass_began_at = CASE WHEN $10 THEN now() ELSE pass_began_at END,
		       pass_ended_at = CASE WHEN $10 THEN now() ELSE pass_ended_at END, failed_at = CASE WHEN $11 THEN NULL ELSE failed_at END,
		       failure = CASE WHEN $11 THEN NULL ELSE failure END
		 WHERE organization_id = $1`, p.OrganizationID, p.AfterEvent, p.Stage, p.After, p.Place.CountryCode,
		p.Place.StateCode, dayOf(p.Place.Day), p.Counted, p.ChangesDone, p.PassDone, p.NightDone, p.SealedThrough,
		p.CoveredFrom, p.Pages)
	return pg.Translate(err)
}

// FailRecount records that the recount of an organization failed, with a code. The next night tries again where it
// stopped.
func (s *Store) FailRecount(ctx context.Context, organizationID, code string) error {
	if _, err := s.db.Exec(ctx, beginRecount+"NOTHING", organizationID); err != nil {
		return pg.Translate(err)
	}
	_, err := s.db.Exec(ctx, `
		UPDATE nexus_recounts SET failed_at = coalesce(failed_at, now()), failure = $2 WHERE organization_id = $1`,
		organizationID, code)
	return pg.Translate(err)
}

// Recounts returns how the recounts of all organizations fare.
func (s *Store) Recounts(ctx context.Context) (r models.NexusRecounts, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT count(*) FILTER (WHERE r.failed_at IS NOT NULL),
		       coalesce((array_agg(r.organization_id::text ORDER BY r.failed_at) FILTER (WHERE r.failed_at IS NOT NULL))[1:5], '{}'),
		       coalesce(extract(epoch FROM now() - min(r.changes_at)), 0)::bigint, coalesce(sum(r.pages), 0)::bigint,
		       coalesce(sum(greatest(r.pages, coalesce(r.last_pages, r.last_counted/400, 0))), 0)::bigint,
		       coalesce(extract(epoch FROM now() - min(r.pass_began_at)), 0)::bigint
		  FROM nexus_recounts r JOIN organizations o ON o.id = r.organization_id
		 WHERE o.status <> 'ARCHIVED'`).Scan(&r.Failed, &r.Examples, &r.Oldest, &r.Pages, &r.Expected, &r.PassAge)
	return r, pg.Translate(err)
}
