package organizations

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"levy/models"
	"levy/store/pg"
)

// onboardingsOfClients selects the onboardings of the clients of a root organization, with the columns of filters and
// sort keys. since is models.Onboarding.Since.
const onboardingsOfClients = `
	SELECT b.organization_id, b.status,
	       CASE WHEN b.status IN ('NOT_STARTED', 'IN_PROGRESS') THEN b.completed + 1 ELSE 0 END AS next,
	       coalesce(b.compensation_started_at, CASE WHEN b.completed = 8 THEN n.completed_at ELSE n.started_at END,
	         b.created_at) AS since
	  FROM organizations o
	  JOIN onboardings b ON b.organization_id = o.id
	  LEFT JOIN onboarding_steps n ON n.organization_id = b.organization_id AND n.number = least(b.completed + 1, 8)
	 WHERE o.parent_organization_id = @root
	   AND (@text = '' OR o.name ILIKE @part OR o.external_id ILIKE @part OR o.id = @text)
	   AND (CAST(@test AS boolean) IS NULL OR o.is_test = @test)`

const countOnboardings = `
	SELECT status, next, count(*) AS count,
	       count(*) FILTER (WHERE next > 0 AND since <= @long) AS long FROM (` + onboardingsOfClients + `) l
	 WHERE CAST(@until AS timestamptz) IS NULL OR since <= @until
	 GROUP BY status, next ORDER BY status, next`

const selectOnboardings = `
	WITH page AS (
	  SELECT * FROM (` + onboardingsOfClients + `) l
	   WHERE (CAST(@until AS timestamptz) IS NULL OR since <= @until)
	     AND (@any_status OR status IN @statuses) AND (@any_step OR next IN @steps)
	   ORDER BY %[1]s LIMIT @limit OFFSET @offset)
	SELECT b.*, b.created_at AS progress_at, false AS root, s.disable_onboarding AS unlimited, o.name AS organization_name
	  FROM page l
	  JOIN onboardings b ON b.organization_id = l.organization_id
	  JOIN organizations o ON o.id = b.organization_id
	  JOIN organization_settings s ON s.organization_id = b.organization_id
	 ORDER BY %[2]s`

const selectProgress = `
	SELECT b.organization_id, p.at FROM onboardings b CROSS JOIN LATERAL (` + lastProgress + `) p
	 WHERE b.organization_id IN ?`

// onboardingOrder maps sort keys to columns, of the page and of the rows that are read for it.
var onboardingOrder = map[string]string{"since": "since", "status": "status", "next_step": "next"}

const selectOnboardingIDs = `
	SELECT organization_id FROM (` + onboardingsOfClients + `) l
	 WHERE (CAST(@until AS timestamptz) IS NULL OR since <= @until)
	   AND (@any_status OR status IN @statuses) AND (@any_step OR next IN @steps)
	 ORDER BY %s LIMIT @limit`

const selectOnboardingSlice = `
	SELECT b.*, b.created_at AS progress_at, false AS root, s.disable_onboarding AS unlimited, o.name AS organization_name
	  FROM onboardings b
	  JOIN organizations o ON o.id = b.organization_id AND o.parent_organization_id = ?
	  JOIN organization_settings s ON s.organization_id = b.organization_id
	 WHERE b.organization_id IN ?`

// ListOnboardings returns a page of the onboardings of the clients of root, archived ones included,
// and their number by status and next step. order may contain "since", "status" and "next_step". It reads all
// onboardings once for the counts and once for the page. It reads parts of an onboarding only for the page.
func (s *Store) ListOnboardings(
	ctx context.Context, root models.Scope, f models.OnboardingFilter, order []models.Order, page models.Page,
) (models.OnboardingList, error) {
	list := models.OnboardingList{List: models.List[models.Onboarding]{Items: []models.Onboarding{}}}
	args := onboardingArguments(root, f, page)
	if err := s.db.OpenTables().GORM(ctx).Raw(countOnboardings, args).Scan(&list.Counts).Error; err != nil {
		return list, pg.Translate(err)
	}
	for _, c := range list.Counts {
		if (len(f.Statuses) == 0 || slices.Contains(f.Statuses, c.Status)) &&
			(len(f.Next) == 0 || slices.Contains(f.Next, c.Next)) {
			list.Total += c.Count
		}
	}
	if list.Total <= int64(page.Offset) {
		return list, nil
	}
	ofPage, err := onboardingKeys("", order)
	if err != nil {
		return list, err
	}
	ofRows, err := onboardingKeys("l.", order)
	if err != nil {
		return list, err
	}
	var rows []onboardingRow
	err = s.db.OpenTables().GORM(ctx).Raw(fmt.Sprintf(selectOnboardings, ofPage, ofRows), args).Scan(&rows).Error
	if err != nil {
		return list, pg.Translate(err)
	}
	if err := s.withProgress(ctx, root, rows); err != nil {
		return list, pg.Translate(err)
	}
	return list, pg.Translate(s.withSteps(ctx, rows, &list.Items))
}

// exportedOnboardings is how many onboardings of an export are read at a time.
const exportedOnboardings = 500

// ExportOnboardings exports the onboardings that pass the filter, in list order. Each slice has the state of its own
// moment. An error of the export ends it.
func (s *Store) ExportOnboardings(
	ctx context.Context, root models.Scope, f models.OnboardingFilter, order []models.Order,
	to models.Export[models.Onboarding],
) error {
	keys, err := onboardingKeys("", order)
	if err != nil {
		return err
	}
	var ids []string
	args := onboardingArguments(root, f, models.Page{Limit: to.Limit})
	if err := s.db.OpenTables().GORM(ctx).Raw(fmt.Sprintf(selectOnboardingIDs, keys), args).Scan(&ids).Error; err != nil {
		return pg.Translate(err)
	}
	for slice := range slices.Chunk(ids, exportedOnboardings) {
		list, err := s.onboardingSlice(ctx, root, slice)
		if err != nil {
			return pg.Translate(err)
		}
		for i := range list {
			if err := to.Row(&list[i]); err != nil {
				return err
			}
		}
		if err := to.Pause(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) onboardingSlice(
	ctx context.Context, root models.Scope, ids []string,
) (list []models.Onboarding, err error) {
	var rows []onboardingRow
	err = s.db.OpenTables().GORM(ctx).Raw(selectOnboardingSlice, root.OrganizationID, ids).Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	places := make(map[string]int, len(ids))
	for place, id := range ids {
		places[id] = place
	}
	slices.SortFunc(rows, func(a, b onboardingRow) int { return places[a.OrganizationID] - places[b.OrganizationID] })
	if err := s.withProgress(ctx, root, rows); err != nil {
		return nil, err
	}
	return list, s.withSteps(ctx, rows, &list)
}

// withProgress adds the time of the last write of each client. It is in the audit trail of the client,
// which this statement may read because the page found the client to be one of root.
func (s *Store) withProgress(ctx context.Context, root models.Scope, rows []onboardingRow) error {
	ctx = models.WithReach(ctx, root.OrganizationID)
	ids, byID := make([]string, len(rows)), make(map[string]*onboardingRow, len(rows))
	for i := range rows {
		ids[i] = rows[i].OrganizationID
		byID[ids[i]] = &rows[i]
		models.ReachOf(ctx).Add(ids[i])
	}
	var last []struct {
		OrganizationID string
		At             time.Time
	}
	err := s.db.GORM(ctx).Raw(selectProgress, ids).Scan(&last).Error
	for _, l := range last {
		byID[l.OrganizationID].ProgressAt = l.At
	}
	return err
}

func onboardingArguments(root models.Scope, f models.OnboardingFilter, page models.Page) map[string]any {
	var until *time.Time
	if !f.Until.IsZero() {
		until = &f.Until
	}
	args := map[string]any{
		"root": root.OrganizationID, "text": f.Text, "part": pg.Containing(f.Text), "test": f.IsTest, "until": until, "long": f.Long,
		"any_status": len(f.Statuses) == 0, "statuses": f.Statuses, "any_step": len(f.Next) == 0, "steps": f.Next,
		"limit": page.Limit, "offset": page.Offset,
	}
	if len(f.Statuses) == 0 {
		args["statuses"] = []string{""}
	}
	if len(f.Next) == 0 {
		args["steps"] = []int{0}
	}
	return args
}

// onboardingKeys returns the ORDER BY of the list. The organization orders equal rows.
func onboardingKeys(table string, order []models.Order) (string, error) {
	var keys []string
	for _, o := range order {
		column, known := onboardingOrder[o.Column]
		if !known {
			return "", fmt.Errorf("list cannot be sorted by %q", o.Column)
		}
		if o.Desc {
			column += " DESC"
		}
		keys = append(keys, table+column)
	}
	return strings.Join(append(keys, table+"organization_id"), ", "), nil
}

// withSteps adds the steps to onboardings, in one statement.
func (s *Store) withSteps(ctx context.Context, rows []onboardingRow, to *[]models.Onboarding) error {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].OrganizationID
	}
	var steps []models.OnboardingStepRecord
	err := s.db.OpenTables().GORM(ctx).Where("organization_id IN ?", ids).
		Order("organization_id, number").Find(&steps).Error
	if err != nil {
		return err
	}
	byID := make(map[string][]models.OnboardingStepRecord, len(rows))
	for _, step := range steps {
		byID[step.OrganizationID] = append(byID[step.OrganizationID], step)
	}
	for i := range rows {
		o := rows[i].onboarding()
		o.Steps = byID[o.OrganizationID]
		*to = append(*to, o)
	}
	return nil
}
