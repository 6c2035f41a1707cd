package integrity

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// relatedTo selects the records of a kind that a change of the records $2 can make wrong, with these. An organization has
// few records of the other kinds. They are all read every night.
var relatedTo = map[models.RecordKind]string{
	models.RecordTransactions: `
	SELECT unnest($2::text[])
	 UNION SELECT related_to FROM transactions WHERE organization_id = $1 AND id = ANY ($2) AND related_to IS NOT NULL
	 UNION SELECT id FROM transactions WHERE organization_id = $1 AND related_to = ANY ($2)`,
	models.RecordReturns: `
	SELECT unnest($2::text[])
	 UNION SELECT amends_filing_id FROM filings WHERE organization_id = $1 AND id = ANY ($2) AND amends_filing_id IS NOT NULL
	 UNION SELECT credit_of FROM filing_credits WHERE organization_id = $1 AND used_by = ANY ($2)
	 UNION SELECT used_by FROM filing_credits WHERE organization_id = $1 AND credit_of = ANY ($2)`,
}

// CheckChanged checks the rules of records of a kind that have changed, and of those that a change may make wrong. Each
// rule is one statement without locks, and of transactions under the time limit of statements. It records the
// violations that it finds, and deletes those that it does not find any more.
func (s *Store) CheckChanged(
	ctx context.Context, organizationID string, kind models.RecordKind, ids []string,
) ([]models.RecordViolation, error) {
	// guard: checks: what changed is checked tonight
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := s.db.Query(ctx, relatedTo[kind], organizationID, ids)
	ids, err = pg.Collect(rows, err, pgx.RowTo[string])
	if err != nil {
		return nil, pg.Translate(err)
	}
	return s.check(ctx, organizationID, kind, ids)
}

// CheckAgain checks the rules of the few records of an organization, and the records that violated a rule of others.
func (s *Store) CheckAgain(ctx context.Context, organizationID string) (found []models.RecordViolation, err error) {
	rows, err := s.db.Query(ctx, `
		SELECT kind, array_agg(DISTINCT split_part(record, ' ', 1)) FROM record_violations
		 WHERE organization_id = $1 GROUP BY 1 ORDER BY 1`, organizationID)
	var kind models.RecordKind
	var ids []string
	again := map[models.RecordKind][]string{models.RecordOrganization: nil}
	err = pg.ForEach(rows, err, []any{&kind, &ids}, func() error {
		if relatedTo[kind] != "" {
			again[kind] = slices.Clone(ids)
		}
		return nil
	})
	if err != nil {
		return nil, pg.Translate(err)
	}
	for _, g := range Groups {
		ids, is := again[g.Of]
		if !is {
			continue
		}
		wrong, err := s.check(ctx, organizationID, g.Of, ids)
		if err != nil {
			return found, err
		}
		found = append(found, wrong...)
	}
	return found, nil
}

// CheckSome checks the rules of some records of a full pass.
func (s *Store) CheckSome(
	ctx context.Context, organizationID string, kind models.RecordKind, ids []string,
) ([]models.RecordViolation, error) {
	// guard: checks: the full pass reads every record
	if len(ids) == 0 {
		return nil, nil
	}
	return s.check(ctx, organizationID, kind, ids)
}

// NextReturns returns the next returns of a full pass.
func (s *Store) NextReturns(ctx context.Context, organizationID, after string, limit int) ([]string, error) {
	rows, err := s.db.Query(ctx, "SELECT id FROM filings WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3",
		organizationID, after, limit)
	return pg.Collect(rows, err, pgx.RowTo[string])
}

// returnsAtOnce is how many returns are checked at once. A return may have a million lines.
const returnsAtOnce = 10

// check checks the rules of records of a kind; of all of them with nil. Returns are read a few at a time, and only the
// deadline of ctx limits that.
func (s *Store) check(
	ctx context.Context, organizationID string, kind models.RecordKind, ids []string,
) (found []models.RecordViolation, err error) {
	if kind != models.RecordReturns {
		if found, err = violations(ctx, s.db, kind, Reach{organizationID, ids}); err != nil {
			return nil, pg.Translate(err)
		}
		return found, s.NoteViolations(ctx, organizationID, kind, ids, found)
	}
	for some := range slices.Chunk(ids, returnsAtOnce) {
		var wrong []models.RecordViolation
		err := s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) (err error) {
			wrong, err = violations(ctx, tx, kind, Reach{organizationID, some})
			return err
		})
		if err != nil {
			return found, pg.Translate(err)
		}
		if err := s.NoteViolations(ctx, organizationID, kind, some, wrong); err != nil {
			return found, err
		}
		found = append(found, wrong...)
	}
	return found, nil
}

// violations returns what violates the rules of records of a kind.
func violations(ctx context.Context, tx reader, kind models.RecordKind, reach Reach) (found []models.RecordViolation, err error) {
	for _, g := range Groups {
		if g.Of != kind {
			continue
		}
		for _, rule := range g.Rules {
			records, err := violatingIn(ctx, tx, rule, reach)
			if err != nil {
				return nil, err
			}
			for _, record := range records {
				found = append(found, models.RecordViolation{Rule: rule.Says, Record: record})
			}
		}
	}
	return found, nil
}

// maxNoted is the most records of an organization that are recorded for a rule.
const maxNoted = 100

// noteViolations records the violations of the records $3, and deletes those that were recorded for them before.
var noteViolations = fmt.Sprintf(`
	WITH found AS (SELECT DISTINCT f.rule, f.record FROM unnest($4::text[], $5::text[]) AS f (rule, record)),
	gone AS (
	  DELETE FROM record_violations v
	   WHERE v.organization_id = $1 AND v.kind = $2 AND ($3::text[] IS NULL OR split_part(v.record, ' ', 1) = ANY ($3))
	     AND NOT EXISTS (SELECT FROM found f WHERE f.rule = v.rule AND f.record = v.record))
	INSERT INTO record_violations AS v (organization_id, kind, rule, record)
	SELECT $1, $2, f.rule, f.record FROM (SELECT f.*, row_number() OVER (PARTITION BY f.rule ORDER BY f.record) AS n FROM found f) f
	 WHERE f.n <= %d - (SELECT count(*) FROM record_violations o
	         WHERE o.organization_id = $1 AND o.kind = $2 AND o.rule = f.rule
	           AND NOT EXISTS (SELECT FROM found x WHERE x.rule = o.rule AND x.record = o.record))
	ON CONFLICT (organization_id, kind, rule, record) DO UPDATE SET seen_at = now()`, maxNoted)

// NoteViolations records the violations that a check of some records found, of all with nil, and deletes all other
// ones.
func (s *Store) NoteViolations(
	ctx context.Context, organizationID string, kind models.RecordKind, ids []string, found []models.RecordViolation,
) error {
	rules, records := make([]string, len(found)), make([]string, len(found))
	for i, v := range found {
		rules[i], records[i] = v.Rule, v.Record
	}
	_, err := s.db.Exec(ctx, noteViolations, organizationID, kind, ids, rules, records)
	return pg.Translate(err)
}

// ForgetViolations forgets what the full pass that ends now has not found again.
func (s *Store) ForgetViolations(ctx context.Context, organizationID string) error {
	_, err := s.db.Exec(ctx, `
		DELETE FROM record_violations v USING nexus_recounts r
		 WHERE r.organization_id = $1 AND v.organization_id = $1 AND v.seen_at < r.pass_began_at`, organizationID)
	return pg.Translate(err)
}

// Violations returns what checks found and have not found to be right since. Nights do not visit archived organizations.
func (s *Store) Violations(ctx context.Context) (v models.RecordViolations, err error) {
	v.Examples = []string{}
	err = s.db.QueryRow(ctx, `
		SELECT count(*), coalesce((array_agg(v.rule || ': ' || v.record ORDER BY v.found_at, v.rule, v.record))[1:5], '{}')
		  FROM record_violations v JOIN organizations o ON o.id = v.organization_id
		 WHERE o.status <> 'ARCHIVED'`).Scan(&v.Open, &v.Examples)
	return v, pg.Translate(err)
}
