// Package notices stores letters of authorities, and what became of them.
package notices

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// Store reads and writes notices.
type Store struct{ db *pg.DB }

// New returns the store on a database.
func New(db *pg.DB) *Store { return &Store{db} }

// CreateNotice writes a notice. It completes it with the registration of its return, and with the place. Errors:
// *models.ReferencesNotFoundError (registration_id, filing_id); *models.LimitError.
func (s *Store) CreateNotice(ctx context.Context, scope models.Scope, actor models.Actor, n *models.Notice) error {
	n.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// Creations of one organization wait for each other. Otherwise two calls could both find room for the last notice.
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id").
			// An organization may have been archived since the call was admitted.
			Where("id = ? AND status = ?", scope.OrganizationID, models.OrganizationActive).Take(&models.Organization{}).Error
		if err != nil {
			return err
		}
		var own int64
		if err := tx.Model(&models.Notice{}).Where("organization_id = ?", scope.OrganizationID).Count(&own).Error; err != nil {
			return err
		}
		// guard: limits: an organization has no more notices than it may
		if own >= models.MaxNotices {
			return &models.LimitError{What: models.LimitNotices, Limit: models.MaxNotices}
		}
		if err := findSubject(tx, scope, n); err != nil {
			return err
		}
		if err := tx.Create(n).Error; err != nil {
			return err
		}
		if n.Assignee != nil {
			if err := assign(tx, scope, actor, n); err != nil {
				return err
			}
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "notice", n.ID).With(auditedNotice(n)))
	})
}

// findSubject sets the registration of a notice about a return, and its place. Errors: *models.ReferencesNotFoundError.
func findSubject(tx *gorm.DB, scope models.Scope, n *models.Notice) error {
	path, table, id := "registration_id", "registrations", n.RegistrationID
	columns := "id AS registration_id, country_code, state_code"
	if n.FilingID != nil {
		path, table, id, columns = "filing_id", "filings", *n.FilingID, "registration_id, country_code, state_code"
	}
	var found []models.Notice
	err := tx.Table(table).Select(columns).Where("organization_id = ? AND id = ?", scope.OrganizationID, id).Limit(1).Find(&found).Error
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return &models.ReferencesNotFoundError{Faults: []models.Fault{{
			Code: models.FieldNotFound, Path: path, Message: "No such record exists.",
		}}}
	}
	n.RegistrationID, n.CountryCode, n.StateCode = found[0].RegistrationID, found[0].CountryCode, found[0].StateCode
	return nil
}

// auditedNotice returns the audited fields of a new notice: all but texts, which may name people.
func auditedNotice(n *models.Notice) map[string]any {
	detail := map[string]any{
		"kind": string(n.Kind), "registration_id": n.RegistrationID, "received_date": n.ReceivedDate.Format(time.DateOnly),
	}
	if n.FilingID != nil {
		detail["filing_id"] = *n.FilingID
	}
	if n.DueDate != nil {
		detail["due_date"] = n.DueDate.Format(time.DateOnly)
	}
	return detail
}

// assign stores the person in charge of a notice, as that of its exception. The note of the exception stays.
func assign(tx *gorm.DB, scope models.Scope, actor models.Actor, n *models.Notice) error {
	return tx.Exec(`
		INSERT INTO exception_notes AS w (organization_id, type, object_id, assignee, updated_at, assigned_at, assigned_by)
		VALUES (?, ?, ?, ?, now(), now(), nullif(?, ''))
		ON CONFLICT (organization_id, type, object_id) DO UPDATE SET assignee = excluded.assignee, updated_at = now(), `+pg.AssigneeSince,
		scope.OrganizationID, models.ExceptionNotice, n.ID, n.Assignee, actor.UserID).Error
}

// Notice returns a notice with its letters. Errors: models.ErrNotFound.
func (s *Store) Notice(ctx context.Context, scope models.Scope, id string) (n models.Notice, err error) {
	if err = pg.Record(s.db.GORM(ctx), scope, id).Take(&n).Error; err != nil {
		return n, pg.Translate(err)
	}
	one := []models.Notice{n}
	err = s.CompleteNotices(ctx, scope, one)
	return one[0], err
}

// CompleteNotices adds the letters and the people in charge as they are now.
func (s *Store) CompleteNotices(ctx context.Context, scope models.Scope, list []models.Notice) error {
	ids, byID := make([]string, len(list)), map[string][]*models.Notice{}
	for i := range list {
		n := &list[i]
		n.Documents = []models.NoticeDocument{}
		ids[i], byID[n.ID] = n.ID, append(byID[n.ID], n)
	}
	if len(ids) == 0 {
		return nil
	}
	tx := s.db.GORM(ctx)
	var documents []models.NoticeDocument
	err := tx.Where("organization_id = ? AND notice_id IN ?", scope.OrganizationID, ids).Order("created_at, id").Find(&documents).Error
	if err != nil {
		return pg.Translate(err)
	}
	for _, d := range documents {
		for _, n := range byID[d.NoticeID] {
			n.Documents = append(n.Documents, d)
		}
	}
	var charges []struct{ ObjectID, Assignee string }
	err = tx.Table("exception_notes").Select("object_id, assignee").Where("organization_id = ? AND type = ? AND object_id IN ? "+
		"AND assignee IS NOT NULL", scope.OrganizationID, models.ExceptionNotice, ids).Find(&charges).Error
	for _, c := range charges {
		for _, n := range byID[c.ObjectID] {
			n.Assignee = &c.Assignee
		}
	}
	return pg.Translate(err)
}

var noticeOrder = pg.Sortable{
	"due_date": true, "received_date": false, "created_at": false, "updated_at": false, "status": false, "kind": false,
	"authority": false, "country_code": false, "state_code": false, "amount": true,
}

// ListNotices returns a page of the notices that pass the filter. order may contain the columns of noticeOrder. Errors:
// *models.InvalidError for a cursor of another list.
func (s *Store) ListNotices(
	ctx context.Context, scope models.Scope, f models.NoticeFilter, order []models.Order, page models.Page,
) (models.List[models.Notice], error) {
	q := s.db.GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	q = pg.OneOf(q, "status IN ?", f.Statuses)
	q = pg.OneOf(q, "kind IN ?", f.Kinds)
	q = pg.OneOf(q, "country_code IN ?", f.Countries)
	q = pg.OneOf(q, "state_code IN ?", f.States)
	for _, one := range []struct{ condition, value string }{
		{"registration_id = ?", f.RegistrationID}, {"filing_id = ?", f.FilingID},
		{`id IN (SELECT w.object_id FROM exception_notes w WHERE w.organization_id = notices.organization_id
			AND w.type = '` + models.ExceptionNotice + `' AND w.assignee = ?)`, f.Assignee},
	} {
		if one.value != "" {
			q = q.Where(one.condition, one.value)
		}
	}
	if !f.DueFrom.IsZero() {
		q = q.Where("due_date >= ?", f.DueFrom)
	}
	if !f.DueUntil.IsZero() {
		q = q.Where("due_date <= ?", f.DueUntil)
	}
	if f.Text != "" {
		q = q.Where("(authority ILIKE ? OR reference ILIKE ?)", pg.Containing(f.Text), pg.Containing(f.Text))
	}
	list, err := pg.ReadPage[models.Notice](q, noticeOrder, order, page)
	if err == nil {
		err = s.CompleteNotices(ctx, scope, list.Items)
	}
	return list, err
}

// UpdateNotice reads a notice, calls change and writes the result, in one database transaction. A change that alters nothing
// keeps the revision. Errors: models.ErrNotFound, and those of change.
func (s *Store) UpdateNotice(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.Notice) error,
) (n models.Notice, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		reassigned := false
		n, err = pg.Update(ctx, s.db, scope, id, pg.Change[models.Notice]{
			Columns: []string{"kind", "authority", "reference", "amount", "currency", "received_date", "due_date", "description", "status",
				"answer", "answered_at", "revision"},
			Alter: func(n *models.Notice) error {
				locked := []models.Notice{*n}
				if err := s.CompleteNotices(ctx, scope, locked); err != nil {
					return err
				}
				*n = locked[0]
				was := *n
				if err := change(n); err != nil {
					return err
				}
				reassigned = !sameText(n.Assignee, was.Assignee)
				if fields, _ := pg.Changed(&was, n)["fields"].([]string); len(fields) > 0 || reassigned {
					n.Revision++
				}
				return nil
			},
			AfterWrite: func(tx *gorm.DB, n *models.Notice, fields map[string]any) error {
				if reassigned {
					names, _ := fields["fields"].([]string)
					fields["fields"] = slices.Sorted(slices.Values(append(names, "assignee")))
					if err := assign(tx, scope, actor, n); err != nil {
						return err
					}
				}
				return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "notice", id).With(fields))
			},
		})
		return err
	})
	return n, pg.Translate(err)
}

// sameText reports whether two optional texts are the same.
func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }
