package work

import (
	"context"
	"time"

	"levy/models"
	"levy/store/pg"
)

// mailItems reads the records that a mail names. Each statement has their columns, and the number of all records.
func mailItems(ctx context.Context, db *pg.DB, sql string, args []any) (found models.MailItems, err error) {
	rows, err := db.Query(models.AcrossOrganizations(ctx), sql, args...) // the statement selects the organizations
	var i models.MailItem
	err = pg.ForEach(rows, err, []any{
		&i.OrganizationID, &i.Organization, &i.Type, &i.Place, &i.From, &i.To, &i.Due, &i.By, &found.Total,
	}, func() error {
		found.Items = append(found.Items, i)
		return nil
	})
	return found, err
}

// selectDueReturns reads open returns that are due on the days @first to @last.
var selectDueReturns = pg.Prepare("WITH"+visibleOrganizations+`
	SELECT s.id, coalesce(s.name, ''), 'filing', coalesce(f.state_name, f.state_code, f.country_code), f.start_date, f.end_date,
	       f.due_date, '', count(*) OVER ()
	  FROM filings f JOIN seen s ON s.id = f.organization_id
	 WHERE f.status IN ('UNFILED', 'PAUSED') AND f.due_date BETWEEN @first::date AND @last::date
	 ORDER BY f.due_date, s.name, s.id, f.id LIMIT @at_most`, viewer.And("first", "last", "at_most"))

// DueReturns returns the first open returns that are due on the days first to last, by due day.
func (s *Store) DueReturns(ctx context.Context, visible models.Visibility, first, last time.Time, most int) (models.MailItems, error) {
	return mailItems(ctx, s.db, selectDueReturns.SQL, append(viewedBy(visible, ""), first, last, most))
}

// selectRejectedReturns reads returns that got an issue from @since until before @until, and still have it.
var selectRejectedReturns = pg.Prepare("WITH"+visibleOrganizations+`
	SELECT s.id, coalesce(s.name, ''), 'filing', coalesce(f.state_name, f.state_code, f.country_code), f.start_date, f.end_date,
	       f.due_date, '', count(*) OVER ()
	  FROM (SELECT DISTINCT organization_id, filing_id FROM filing_history
	         WHERE to_status = 'ISSUE' AND at >= @since AND at < @until) h
	  JOIN filings f ON f.organization_id = h.organization_id AND f.id = h.filing_id AND f.status = 'ISSUE'
	  JOIN seen s ON s.id = f.organization_id
	 ORDER BY f.due_date, s.name, s.id, f.id LIMIT @at_most`, viewer.And("since", "until", "at_most"))

// RejectedReturns returns the first returns that got an issue from since until before until, and still have it.
func (s *Store) RejectedReturns(
	ctx context.Context, visible models.Visibility, since, until time.Time, most int,
) (models.MailItems, error) {
	return mailItems(ctx, s.db, selectRejectedReturns.SQL, append(viewedBy(visible, ""), since, until, most))
}

// selectNewMentions reads comments from @since until before @until that wait for @person.
var selectNewMentions = pg.Prepare("WITH"+visibleOrganizations+`
	SELECT s.id, coalesce(s.name, ''), c.object_type, '', NULL::date, NULL::date, NULL::date, u.name, count(*) OVER ()
	  FROM comment_mentions m
	  JOIN comments c ON c.organization_id = m.organization_id AND c.id = m.comment_id AND c.withdrawn_at IS NULL
	  JOIN seen s ON s.id = c.organization_id
	  JOIN users u ON u.id = c.user_id
	 WHERE m.user_id = @person AND m.done_at IS NULL AND c.created_at >= @since AND c.created_at < @until
	 ORDER BY c.created_at, c.id LIMIT @at_most`, viewer.And("person", "since", "until", "at_most"))

// NewMentions returns the first comments from since until before until that wait for a person.
func (s *Store) NewMentions(
	ctx context.Context, visible models.Visibility, userID string, since, until time.Time, most int,
) (models.MailItems, error) {
	return mailItems(ctx, s.db, selectNewMentions.SQL, append(viewedBy(visible, ""), userID, since, until, most))
}

// selectNewAssignments reads the exceptions that @name, with the id @person, was given by another from @since until before
// @until.
var selectNewAssignments = pg.Prepare("WITH"+visibleOrganizations+`
	SELECT s.id, coalesce(s.name, ''), w.type, '', NULL::date, NULL::date, NULL::date, '', count(*) OVER ()
	  FROM exception_notes w
	  JOIN seen s ON s.id = w.organization_id
	 WHERE w.assignee = @name AND w.assigned_by IS DISTINCT FROM @person AND w.done_at IS NULL
	   AND w.assigned_at >= @since AND w.assigned_at < @until
	 ORDER BY w.assigned_at, s.id, w.type, w.object_id LIMIT @at_most`, viewer.And("name", "person", "since", "until", "at_most"))

// NewAssignments returns the first exceptions that a person was given by another from since until before until.
func (s *Store) NewAssignments(
	ctx context.Context, visible models.Visibility, userID, name string, since, until time.Time, most int,
) (models.MailItems, error) {
	return mailItems(ctx, s.db, selectNewAssignments.SQL, append(viewedBy(visible, ""), name, userID, since, until, most))
}
