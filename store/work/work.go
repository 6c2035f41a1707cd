// Package work lists the exceptions of all kinds of records, and finds records by text. It reads tables of all stores
// and writes only the assignees and notes of exceptions, and comments.
package work

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/filings"
	"levy/store/pg"
)

// Store reads exceptions.
type Store struct{ db *pg.DB }

// New returns the store on a database.
func New(db *pg.DB) *Store { return &Store{db} }

// viewer are the arguments of visibleOrganizations, as viewedBy returns them.
var viewer = pg.Names{"all", "organizations", "organization", "mailed"}

// visibleOrganizations are the organizations that a user sees: all if @all, those in @organizations with their clients, and only
// @organization unless it is "". @mailed leaves out those that want no e-mails.
const visibleOrganizations = `
	seen AS MATERIALIZED (
	  SELECT o.id, o.name, coalesce(o.parent_organization_id, '') AS partner,
	         CASE WHEN g.role IS NULL THEN '' WHEN o.onboarding_status = 'IN_PROGRESS' THEN 'admin' ELSE g.role END AS granted
	    FROM organizations o LEFT JOIN client_grants g ON g.organization_id = o.id AND g.ended_at IS NULL
	   WHERE o.status = 'ACTIVE' AND (@all OR o.id = ANY (@organizations) OR o.parent_organization_id = ANY (@organizations)
	          /* guard: grants: lists of a partner omit clients that ended theirs */ AND g.role IS NOT NULL)
	     AND (@organization = '' OR o.id = @organization)
	     /* guard: mails: an organization without e-mails is in none */ AND NOT (@mailed AND o.disable_emails))`

// inSeen is the condition that the organization of a row is visible. It is hashed: PostgreSQL expects few rows of exceptions if
// counts are kept, and would compare each with all organizations.
func inSeen(row string) string {
	return "(" + row + ".organization_id IN (SELECT id FROM seen)) IS TRUE"
}

// stalledAfter is how long an onboarding may go without progress.
const stalledAfter = "interval '7 days'"

// unanswered is the condition on a record that its authority has not answered for so long that people should know.
const unanswered = "unanswered_since < now() - " + unansweredAfter

const unansweredAfter = "interval '1 hour'"

// lackingData are the data that returns of a registration r lack today. It reads the rows of wanted, which are what returns want.
var lackingData = filings.LackingData("wanted w", today, "r.filing_frequency")

// today is the day for which data of returns may be lacking.
const today = "(now() AT TIME ZONE 'UTC')::date"

// mayLackData is the condition on a registration r that it has returns, which may lack data.
const mayLackData = `r.status IN ('REGISTERED', 'DEREGISTERING') AND NOT r.do_not_file AND r.registration_date <= ` + today

// wantedTogether are the data that returns want of registrations of a place, kind, frequency and payment method. Many registrations
// have the same, so the rows of wanted are not compared with each of them.
var wantedTogether = `
	wanted_together AS MATERIALIZED (
	  SELECT r.*, ARRAY(SELECT DISTINCT w.data FROM wanted w WHERE ` + filings.WantedOf(today, "r.frequency", "r.method") + `) AS data
	    FROM (
	      SELECT DISTINCT r.country_code, r.state_code, r.registration_import_type, r.filing_frequency AS frequency,
	             coalesce(` + filings.PaymentMethod + `, '') AS method
	        FROM registrations r JOIN seen v ON v.id = r.organization_id
	       WHERE ` + mayLackData + `) r)`

// accessEnds is how long before its end a grant of access needs a person.
var accessEnds = fmt.Sprintf("interval '%d days'", models.ConnectionEndingDays)

// keptExceptions selects the exceptions of sales, returns and places, each with its reason and its time. Counts of them are kept,
// see exceptions_kept.go.
var keptExceptions = `
	SELECT '` + models.ExceptionTransaction + `' AS type, r.organization_id, r.transaction_id AS object_id,
	       CASE WHEN r.reason = '` + string(models.RefetchCalculation) + `' AND EXISTS (
	              SELECT FROM transactions c WHERE c.organization_id = r.organization_id AND c.id = r.transaction_id
	                 AND starts_with(c.processing_reason, '` + rules.NoConversionRate + `'))
	            THEN '` + models.NoRate + `' ELSE r.reason END AS code, r.at AS since, NULL::date AS due,
	       t.currency, ` + filings.DocumentTotal + ` AS amount
	  FROM transaction_refetches r
	  LEFT JOIN transactions t ON t.organization_id = r.organization_id AND t.id = r.transaction_id
	UNION ALL
	SELECT CASE WHEN f.due_date < ` + today + ` THEN '` + models.ExceptionOverdue + `' ELSE '` + models.ExceptionToApprove + `' END,
	       f.organization_id, f.id, CASE WHEN f.block_approval THEN 'APPROVAL_BLOCKED' ELSE f.status END,
	       CASE WHEN f.due_date < ` + today + ` THEN f.due_date::timestamp AT TIME ZONE 'UTC' + interval '1 day'
	            ELSE greatest(f.end_date::timestamp AT TIME ZONE 'UTC' + interval '1 day', f.created_at) END,
	       f.due_date, f.currency, a.amount
	  FROM filings f
	  LEFT JOIN filing_amounts a ON a.organization_id = f.organization_id AND a.filing_id = f.id
	  LEFT JOIN organization_details d ON d.organization_id = f.organization_id
	  LEFT JOIN organization_settings o ON o.organization_id = f.organization_id
	 WHERE f.status IN ('UNFILED', 'PAUSED')
	   AND (f.due_date < ` + today + ` OR f.status = 'UNFILED' AND f.end_date < ` + today + `
	        AND (NOT coalesce(d.auto_file, false) OR coalesce(o.special_tax_circumstances, false) OR f.block_approval))
	UNION ALL
	SELECT CASE WHEN f.status = 'ISSUE' THEN '` + models.ExceptionFilingIssue + `'
	            WHEN f.due_date < ` + today + ` THEN '` + models.ExceptionOverdue + `'
	            ELSE '` + models.ExceptionFilingWaiting + `' END,
	       f.organization_id, f.id,
	       CASE WHEN f.status = 'ISSUE' THEN coalesce(f.issue_reason, 'ISSUE')
	            WHEN f.manual_since IS NOT NULL THEN '` + models.ToConfirm + `'
	            WHEN f.unanswered_since IS NOT NULL THEN '` + models.Unanswered + `'
	            WHEN f.block_approval THEN 'APPROVAL_BLOCKED' ELSE f.status END,
	       CASE WHEN f.status = 'ISSUE' THEN f.updated_at
	            WHEN f.due_date < ` + today + ` THEN f.due_date::timestamp AT TIME ZONE 'UTC' + interval '1 day'
	            ELSE coalesce(f.manual_since, f.unanswered_since) END,
	       f.due_date, f.currency, ` + filings.AmountOf + `
	  FROM filings f
	 WHERE f.status IN ('FILING', 'ISSUE')
	   AND (f.status = 'ISSUE' OR f.due_date < ` + today + ` OR f.manual_since IS NOT NULL OR f.` + unanswered + `)
	UNION ALL
	SELECT '` + models.ExceptionNexus + `', n.organization_id, n.id, n.status,
	       coalesce(n.obliged_from, n.nexus_met_date)::timestamp AT TIME ZONE 'UTC', NULL, n.currency, n.tax_liability
	  FROM nexus_records n
	 WHERE ` + unregistered

// otherExceptions selects those of other records. They are few, or change with time and content alone.
var otherExceptions = `
	SELECT '` + models.ExceptionTransaction + `', b.organization_id, b.aggregate_id, 'STRUGGLING', b.created_at, NULL,
	       t.currency, ` + filings.DocumentTotal + `
	  FROM outbox b
	  LEFT JOIN transactions t ON t.organization_id = b.organization_id AND t.id = b.aggregate_id
	 WHERE b.kind = 1 AND ` + pg.FailingRepeatedly("b") + `
	UNION ALL
	SELECT '` + models.ExceptionRegistration + `', r.organization_id, r.id, r.status, r.updated_at, NULL, NULL, NULL
	  FROM registrations r
	 WHERE r.status = 'AWAITING_CLARIFICATION' OR r.status = 'DEREGISTERING' AND r.clarification IS NOT NULL
	UNION ALL
	SELECT '` + models.ExceptionRegistration + `', r.organization_id, r.id,
	       '` + models.Unanswered + `', r.unanswered_since, NULL, NULL, NULL
	  FROM registrations r
	 WHERE r.` + unanswered + ` AND r.status IN ('PROCESSING', 'VALIDATING', 'DEREGISTERING')
	UNION ALL
	SELECT '` + models.ExceptionRegistration + `', r.organization_id, r.id, '` + models.ToConfirm + `', r.updated_at, NULL, NULL, NULL
	  FROM registrations r
	 WHERE r.authority = '` + models.ManualAuthority + `' AND r.status IN ('VALIDATING', 'DEREGISTERING')
	UNION ALL
	SELECT '` + models.ExceptionRegistration + `', r.organization_id, r.id, '` + models.BackTax + `',
	       early.day::timestamp AT TIME ZONE 'UTC', NULL, NULL, NULL
	  FROM nexus_records n
	  JOIN seen v ON v.id = n.organization_id
	  JOIN registrations r ON r.organization_id = n.organization_id AND r.country_code = n.country_code
	   AND r.state_code = n.state_code AND r.status IN ('REGISTERED', 'DEREGISTERING') AND NOT r.do_not_file
	   AND NOT r.vda` + backTax + `
	 WHERE n.status = 'REGISTERED'
	   AND least(n.obligation_start_date, (n.earliest_collected_date AT TIME ZONE 'UTC')::date)
	     < least(r.registration_date, r.create_filings_from)
	UNION ALL
	SELECT '` + models.ExceptionRegistration + `', r.organization_id, r.id,
	       '` + models.FiscalYearUnknown + `', r.created_at, NULL, NULL, NULL
	  FROM registrations r
	  LEFT JOIN organization_details d ON d.organization_id = r.organization_id
	 WHERE r.filing_frequency = 'ANNUAL_FISCAL_YEAR' AND r.status IN ('REGISTERED', 'DEREGISTERING')
	   AND NOT r.do_not_file AND d.business_information ->> 'business_fiscal_year_end' IS NULL
	UNION ALL
	SELECT '` + models.ExceptionRegistration + `', r.organization_id, r.id, '` + models.ReturnDataMissing + `',
	       r.registration_date::timestamp AT TIME ZONE 'UTC', NULL, NULL, NULL
	  FROM registrations r
	  JOIN seen v ON v.id = r.organization_id
	  JOIN wanted_together g ON g.country_code = r.country_code AND g.state_code = r.state_code
	   AND g.registration_import_type = r.registration_import_type AND g.frequency = r.filing_frequency
	   AND g.method = coalesce(` + filings.PaymentMethod + `, '')
	 WHERE ` + mayLackData + `
	   AND EXISTS (SELECT FROM unnest(g.data) AS w (data) WHERE ` + filings.Lacks("w.data") + `)
	UNION ALL
	SELECT '` + models.ExceptionRegistration + `', r.organization_id, r.id, '` + models.AccessEnding + `',
	       a.ends_at - ` + accessEnds + `, (a.ends_at AT TIME ZONE 'UTC')::date, NULL, NULL
	  FROM authority_grants a
	  JOIN registrations r ON r.organization_id = a.organization_id AND r.country_code = '` + models.UnitedKingdom + `'
	 WHERE a.authority = '` + models.BritishAuthority + `' AND a.ends_at < now() + ` + accessEnds + `
	   AND r.status IN ('REGISTERED', 'DEREGISTERING') AND NOT r.do_not_file
	UNION ALL
	SELECT '` + models.ExceptionImport + `', i.organization_id, i.id, coalesce(i.reason, 'FAILED'),
	       coalesce(i.finished_at, i.updated_at), NULL, NULL, NULL
	  FROM transaction_imports i WHERE i.status = 'FAILED'
	UNION ALL
	SELECT '` + models.ExceptionOnboarding + `', b.organization_id, b.organization_id, 'STEP_' || (b.completed + 1),
	       coalesce(n.started_at, b.created_at), NULL, NULL, NULL
	  FROM onboardings b
	  JOIN organizations o ON o.id = b.organization_id AND o.parent_organization_id IS NOT NULL
	  LEFT JOIN onboarding_steps n ON n.organization_id = b.organization_id AND n.number = b.completed + 1
	 WHERE b.status = 'IN_PROGRESS' AND b.completed < 8
	   AND coalesce(n.started_at, b.created_at) < now() - ` + stalledAfter + `
	UNION ALL
	SELECT '` + models.ExceptionWebhook + `', w.organization_id, w.id, w.disabled_reason, w.updated_at, NULL, NULL, NULL
	  FROM webhook_endpoints w WHERE w.disabled_reason IN ('FAILING', 'GONE') AND w.deleted_at IS NULL
	UNION ALL
	SELECT '` + models.ExceptionNotice + `', l.organization_id, l.id, l.kind, l.received_date::timestamp AT TIME ZONE 'UTC', l.due_date,
	       l.currency, l.amount
	  FROM notices l WHERE l.status IN ('` + string(models.NoticeOpen) + `', '` + string(models.NoticeInProgress) + `')
	UNION ALL` + creditsToClaim + `
	UNION ALL` + refundsToClaim

// exceptionFilter are the arguments of filteredExceptions, as arguments returns them.
var exceptionFilter = viewer.And("types", "assignee", "until", "object", "reason", "after", "wants", "only", "few", "kept", "stale")

// filteredExceptions returns those that pass the filter, as found with the columns: @until is the latest time. They come after
// the place @after, which has five parts or none: time, organization, type, object and reason. @wants is what returns want
// of registrations. @only is the only type that is read, "" for all. @few are the only organizations that are read, none for all.
// @kept reads exceptions of which counts are kept only of the organizations @stale.
// The planner leaves out the other parts, and the tables of columns that are not named.
func filteredExceptions(columns string) string {
	return `
	wanted AS MATERIALIZED (
	  SELECT * FROM ` + filings.Wanted("@wants") + `),` + wantedTogether + `,
	found AS MATERIALIZED (
	  SELECT ` + columns + `
	    FROM (SELECT * FROM (` + keptExceptions + `) k WHERE NOT @kept OR k.organization_id = ANY (@stale)
	          UNION ALL` + otherExceptions + `) e
	    LEFT JOIN exception_notes w ON w.organization_id = e.organization_id AND w.type = e.type
	         AND w.object_id = e.object_id
	   WHERE ` + inSeen("e") + ` AND (@only = '' OR e.type = @only) AND (cardinality(@few::text[]) = 0 OR e.organization_id = ANY (@few))
	     AND w.done_at IS NULL AND (@assignee = '' OR w.assignee = @assignee)
	     AND (@until::timestamptz IS NULL OR e.since <= @until)
	     AND (@object = '' OR e.object_id = @object) AND (@reason = '' OR e.code = @reason)
	     AND (cardinality(@after::text[]) = 0 OR (e.since, e.organization_id, e.type, e.object_id, e.code)
	          > ((@after::text[])[1]::timestamptz, (@after::text[])[2], (@after::text[])[3], (@after::text[])[4], (@after::text[])[5])))`
}

// selectExceptions counts exceptions by type, regardless of the types in the filter. It reads a page, the oldest first,
// with the display data of each object. It returns at least one row. The amount of a return is that of its claimed
// transactions.
var selectExceptions = pg.Prepare("WITH"+visibleOrganizations+","+
	filteredExceptions("e.type, e.organization_id, e.object_id, e.code, e.since, e.due")+`,
	page AS (
	  SELECT p.*, s.name AS organization_name, s.partner, s.granted, w.assignee, w.note
	    FROM (SELECT * FROM found WHERE cardinality(@types::text[]) = 0 OR type = ANY (@types)
	           ORDER BY since, organization_id, type, object_id, code LIMIT @at_most OFFSET @skipped) p
	    JOIN seen s ON s.id = p.organization_id
	    LEFT JOIN exception_notes w ON w.organization_id = p.organization_id AND w.type = p.type AND w.object_id = p.object_id)
	SELECT c.counts, coalesce(p.type, ''), coalesce(p.organization_id, ''), p.organization_name,
	       coalesce(p.object_id, ''), coalesce(p.code, ''), coalesce(p.since, 'epoch'), p.due, p.assignee, p.note,
	       coalesce(t.external_id, f.id, r.state_name, i.name, n.state_name, l.authority, ''),
	       coalesce(f.state_name, f.state_code, l.state_code, ''),
	       coalesce(f.country_code, r.country_code, n.country_code, l.country_code, ''),
	       coalesce(f.filing_category, ''), coalesce(f.start_date, early.day),
	       coalesce(f.end_date, least(r.registration_date, r.create_filings_from)), coalesce(f.status, r.status, l.status, ''),
	       CASE WHEN early.owed IS NOT NULL THEN early.owed::text
	            WHEN claim.amount IS NOT NULL THEN claim.amount::numeric(20,2)::text
	            WHEN t.id IS NOT NULL THEN (`+filings.DocumentTotal+`)::text
	            WHEN n.id IS NOT NULL THEN n.tax_liability::text
	            WHEN l.id IS NOT NULL THEN l.amount::text
	            WHEN f.claimed_at IS NOT NULL
	            THEN `+filings.AmountOf+`::text END,
	       coalesce(claim.currency, t.currency, f.currency, n.currency, early.currency, l.currency),
	       coalesce(r.clarification, t.processing_reason, b.last_error, ''),
	       n.obliged_from IS NOT NULL,
	       CASE WHEN f.status = 'FILING' THEN f.unanswered_since WHEN p.code = '`+models.Unanswered+`'
	            THEN r.unanswered_since END, coalesce(p.partner, ''), coalesce(p.granted, ''),
	       p.type = '`+models.ExceptionTransaction+`' AND t.total_amount = 0,
	       CASE p.code WHEN '`+models.ReturnDataMissing+`' THEN `+lackingData+` END
	  FROM (SELECT coalesce(
	                 jsonb_agg(jsonb_build_object('type', n.type, 'count', n.count) ORDER BY n.type), '[]') AS counts
	          FROM (SELECT type, count(*) FROM found GROUP BY type) n) c
	  LEFT JOIN page p ON true
	  LEFT JOIN transactions t ON p.type IN ('`+models.ExceptionTransaction+`', '`+models.ExceptionRefund+`')
	       AND t.organization_id = p.organization_id AND t.id = p.object_id
	  LEFT JOIN outbox b ON p.type = '`+models.ExceptionTransaction+`' AND b.organization_id = p.organization_id
	       AND b.kind = 1 AND b.aggregate_id = p.object_id
	  LEFT JOIN filings f ON (p.type LIKE 'FILING%' OR p.type = '`+models.ExceptionRefund+`')
	   AND f.organization_id = p.organization_id AND f.id = p.object_id
	  LEFT JOIN registrations r ON p.type = '`+models.ExceptionRegistration+`' AND r.organization_id = p.organization_id
	       AND r.id = p.object_id
	  LEFT JOIN LATERAL (SELECT early.* FROM (SELECT) one`+backTax+` WHERE p.code = '`+models.BackTax+`') early ON true
	  LEFT JOIN transaction_imports i ON p.type = '`+models.ExceptionImport+`' AND i.organization_id = p.organization_id
	       AND i.id = p.object_id
	  LEFT JOIN nexus_records n ON p.type = '`+models.ExceptionNexus+`' AND n.organization_id = p.organization_id
	       AND n.id = p.object_id
	  LEFT JOIN notices l ON p.type = '`+models.ExceptionNotice+`' AND l.organization_id = p.organization_id
	       AND l.id = p.object_id
`+amountToClaim+`
	 ORDER BY p.since, p.organization_id, p.type, p.object_id, p.code`, exceptionFilter.And("at_most", "skipped"))

// countedException is a row of selectExceptions.
type countedException struct {
	Counts []models.ExceptionCount
	models.Exception
}

// ListExceptions returns a page of exceptions, the oldest first, and their number by type, regardless of the types in
// the filter.
func (s *Store) ListExceptions(
	ctx context.Context, visible models.Visibility, f models.ExceptionFilter, page models.Page,
) (models.ExceptionList, error) {
	ctx = models.AcrossOrganizations(ctx) // the statements select the organizations
	list := models.ExceptionList{}
	args, err := s.arguments(ctx, visible, f)
	if err != nil {
		return list, err
	}
	rows, err := s.db.Query(ctx, selectExceptions.SQL, append(args, page.Limit, page.Offset)...)
	found, err := pg.Collect(rows, err, pgx.RowToStructByPos[countedException])
	if err != nil {
		return list, err
	}
	list.Items, list.Counts = make([]models.Exception, 0, len(found)), found[0].Counts
	for i := range found {
		if found[i].Type != "" { // an empty page has only the counts
			list.Items = append(list.Items, found[i].Exception)
		}
	}
	for _, c := range list.Counts {
		if f.Asks(c.Type) {
			list.Total += c.Count
		}
	}
	return list, nil
}

// viewedBy returns the arguments of visibleOrganizations.
func viewedBy(visible models.Visibility, organizationID string) []any {
	return []any{visible.All, append([]string{}, visible.OrganizationIDs...), organizationID, visible.Mailed}
}

// mostFew is the most organizations that fewOf returns.
var mostFew = 50

// selectFew reads at most $2 of the organizations $1 and their clients.
const selectFew = `
	SELECT id FROM organizations WHERE id = ANY ($1) OR parent_organization_id = ANY ($1) LIMIT $2`

// fewOf returns the organizations that can be visible, perhaps with others, if they are at most mostFew; none otherwise. A
// statement that has them as constants reads only their rows. It would otherwise read the exceptions of all.
func (s *Store) fewOf(ctx context.Context, visible models.Visibility, organizationID string) ([]string, error) {
	switch {
	case organizationID != "":
		return []string{organizationID}, nil
	case visible.All || len(visible.OrganizationIDs) == 0:
		return []string{}, nil
	}
	rows, err := s.db.Query(ctx, selectFew, visible.OrganizationIDs, mostFew+1)
	few, err := pg.Collect(rows, err, pgx.RowTo[string])
	if len(few) > mostFew {
		few = few[:0]
	}
	return few, err
}

// arguments returns the arguments of the lists of exceptions. No slice is nil, because that would be NULL and match
// nothing.
func (s *Store) arguments(ctx context.Context, visible models.Visibility, f models.ExceptionFilter) ([]any, error) {
	few, err := s.fewOf(ctx, visible, f.OrganizationID)
	var until *time.Time
	if !f.Until.IsZero() {
		until = &f.Until
	}
	after := []string{}
	if p := f.After; p != nil {
		after = []string{p.Since.UTC().Format(time.RFC3339Nano), p.OrganizationID, p.Type, p.ObjectID, p.Code}
	}
	return append(viewedBy(visible, f.OrganizationID), append([]string{}, f.Types...), f.Assignee, until, f.ObjectID, f.Code,
		after, filings.WantsJSON(f.Wants), f.Only, append([]string{}, few...), false, []string{}), err
}

// Exception returns the exception of an object of an organization. Errors: models.ErrNotFound.
func (s *Store) Exception(ctx context.Context, scope models.Scope, ref models.ExceptionRef) (models.Exception, error) {
	visible := models.Visibility{OrganizationIDs: []string{scope.OrganizationID}}
	filter := models.ExceptionFilter{
		OrganizationID: scope.OrganizationID, Only: ref.Type, ObjectID: ref.ObjectID, Wants: ref.Wants,
	}
	list, err := s.ListExceptions(ctx, visible, filter, models.Page{Limit: 1})
	if err == nil && len(list.Items) == 0 {
		err = models.ErrNotFound
	}
	if err != nil {
		return models.Exception{}, err
	}
	return list.Items[0], nil
}

// reassignNotice gives the notice $2 another revision if the person in charge changes to $3. Its trigger writes the event.
// It comes before the note, as changes of notices do, so that two changes do not wait for each other.
const reassignNotice = `
	UPDATE notices SET revision = revision + 1, updated_at = now()
	 WHERE organization_id = $1 AND id = $2
	   AND $3::text IS DISTINCT FROM (SELECT w.assignee FROM exception_notes w
	     WHERE w.organization_id = $1 AND w.type = '` + models.ExceptionNotice + `' AND w.object_id = $2)`

var saveNote = pg.Prepare(`
	INSERT INTO exception_notes AS w (organization_id, type, object_id, assignee, note, updated_at, done_at, assigned_at, assigned_by)
	VALUES (@organization, @type, @object, @assignee, @note, now(), CASE WHEN @done THEN now() END, now(), nullif(@person, ''))
	ON CONFLICT (organization_id, type, object_id) DO UPDATE
	  SET assignee = excluded.assignee, note = excluded.note, updated_at = now(), done_at = excluded.done_at, `+pg.AssigneeSince,
	pg.Names{"organization", "type", "object", "assignee", "note", "done", "person"})

// NoteException stores the assignee and the note of an exception, as change alters them. Errors: models.ErrNotFound if
// there is no such exception.
func (s *Store) NoteException(
	ctx context.Context, scope models.Scope, actor models.Actor, ref models.ExceptionRef,
	change func(*models.ExceptionNote),
) (models.Exception, error) {
	e, err := s.Exception(ctx, scope, ref)
	if err != nil {
		return e, err
	}
	note := models.ExceptionNote{Assignee: e.Assignee, Note: e.Note}
	change(&note)
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if note.Done && e.Code != models.NoReturn {
			if _, err := s.db.Exec(ctx, claimCredit, scope.OrganizationID, ref.ObjectID); err != nil {
				return err
			}
		}
		if ref.Type == models.ExceptionNotice {
			if _, err := s.db.Exec(ctx, reassignNotice, scope.OrganizationID, ref.ObjectID, note.Assignee); err != nil {
				return err
			}
		}
		_, err := s.db.Exec(ctx, saveNote.SQL, saveNote.Values([]any{
			scope.OrganizationID, ref.Type, ref.ObjectID, note.Assignee, note.Note, note.Done, actor.UserID,
		})...)
		if err != nil {
			return err
		}
		return pg.Audit(s.db.GORM(ctx), actor.Entry(scope, models.AuditAssign, "exception", ref.ObjectID).
			With(map[string]any{"type": ref.Type, "done": note.Done}))
	})
	e.Assignee, e.Note = note.Assignee, note.Note
	return e, err
}
