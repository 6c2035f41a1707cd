package work

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// commentSubjects are the statements that find a record with comments, by its type. $1 is the organization, $2 the record.
var commentSubjects = map[string]string{
	models.CommentOnTransaction:  "SELECT FROM transactions WHERE organization_id = $1 AND id = $2",
	models.CommentOnFiling:       "SELECT FROM filings WHERE organization_id = $1 AND id = $2",
	models.CommentOnNotice:       "SELECT FROM notices WHERE organization_id = $1 AND id = $2",
	models.CommentOnRegistration: "SELECT FROM registrations WHERE organization_id = $1 AND id = $2",
	models.CommentOnOrganization: "SELECT FROM organizations WHERE id = $1 AND id = $2",
}

// CommentSubjectExists returns an error if the organization has no such record, or records of the type have no comments.
// Errors: models.ErrNotFound.
func (s *Store) CommentSubjectExists(ctx context.Context, scope models.Scope, on models.CommentSubject) error {
	record, known := commentSubjects[on.Type]
	if !known {
		return models.ErrNotFound
	}
	found := false
	err := s.db.QueryRow(ctx, "SELECT EXISTS ("+record+")", scope.OrganizationID, on.ID).Scan(&found)
	if err == nil && !found {
		err = models.ErrNotFound
	}
	return pg.Translate(err)
}

// selectComments reads comments of the organization $1. They are those of the record $3 of the type $2, or the one with the
// id $4.
const selectComments = `
	SELECT c.id, c.object_type, c.object_id, c.user_id, u.name, c.created_at, c.withdrawn_at,
	       (SELECT jsonb_agg(jsonb_build_object('text', v.text, 'created_at', v.created_at) ORDER BY v.number)
	          FROM comment_versions v WHERE v.organization_id = c.organization_id AND v.comment_id = c.id),
	       coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) ORDER BY p.name, p.id)
	          FROM comment_mentions m JOIN users p ON p.id = m.user_id
	         WHERE m.organization_id = c.organization_id AND m.comment_id = c.id), '[]')
	  FROM comments c JOIN users u ON u.id = c.user_id
	 WHERE c.organization_id = $1 AND (c.object_type = $2 AND c.object_id = $3 OR c.id = $4)
	 ORDER BY c.created_at, c.id`

// ListComments lists the comments of a record, the oldest first.
func (s *Store) ListComments(ctx context.Context, scope models.Scope, on models.CommentSubject) ([]models.Comment, error) {
	rows, err := s.db.Query(ctx, selectComments, scope.OrganizationID, on.Type, on.ID, "")
	return pg.Collect(rows, err, scanComment)
}

// Comment reads a comment. Errors: models.ErrNotFound.
func (s *Store) Comment(ctx context.Context, scope models.Scope, id string) (models.Comment, error) {
	rows, err := s.db.Query(ctx, selectComments, scope.OrganizationID, "", "", id)
	found, err := pg.Collect(rows, err, scanComment)
	if err == nil && len(found) == 0 {
		err = models.ErrNotFound
	}
	if err != nil {
		return models.Comment{}, err
	}
	return found[0], nil
}

func scanComment(row pgx.CollectableRow) (c models.Comment, err error) {
	err = row.Scan(&c.ID, &c.Subject.Type, &c.Subject.ID, &c.Author.ID, &c.Author.Name, &c.CreatedAt, &c.WithdrawnAt,
		&c.Versions, &c.Mentions)
	return c, err
}

// CreateComment writes a comment of the actor, for the people with the ids. Errors: *models.LimitError.
func (s *Store) CreateComment(
	ctx context.Context, scope models.Scope, actor models.Actor, on models.CommentSubject, text string, mentions []string,
) (models.Comment, error) {
	id := models.NewID(models.PrefixComment)
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		// Comments of one organization wait for each other. Otherwise two calls could both find room for the last comment.
		var own, ofRecord int
		_, err := s.db.Exec(ctx, "SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", scope.OrganizationID)
		if err != nil {
			return err
		}
		err = s.db.QueryRow(ctx, `SELECT count(*), count(*) FILTER (WHERE object_type = $2 AND object_id = $3)
			FROM comments WHERE organization_id = $1`, scope.OrganizationID, on.Type, on.ID).Scan(&own, &ofRecord)
		switch {
		case err != nil:
			return err
		case own >= models.MaxComments:
			return &models.LimitError{What: models.LimitComments, Limit: models.MaxComments}
		case ofRecord >= models.MaxCommentsOfRecord:
			return &models.LimitError{What: models.LimitComments, Limit: models.MaxCommentsOfRecord}
		}
		_, err = s.db.Exec(ctx, `
			WITH comment AS (
			  INSERT INTO comments (organization_id, id, object_type, object_id, user_id) VALUES ($1, $2, $3, $4, $5)
			), mentions AS (
			  INSERT INTO comment_mentions (organization_id, comment_id, user_id) SELECT $1, $2, unnest($7::text[])
			)
			INSERT INTO comment_versions (organization_id, comment_id, number, text) VALUES ($1, $2, 1, $6)`,
			scope.OrganizationID, id, on.Type, on.ID, actor.UserID, text, append([]string{}, mentions...))
		if err != nil {
			return err
		}
		return pg.Audit(s.db.GORM(ctx), actor.Entry(scope, models.AuditCreate, "comment", id).
			With(map[string]any{"object_type": on.Type, "object_id": on.ID, "mentions": len(mentions)}))
	})
	if err != nil {
		return models.Comment{}, pg.Translate(err)
	}
	return s.Comment(ctx, scope, id)
}

// ChangeComment corrects or withdraws a comment of the actor. Its earlier texts stay in its history. A withdrawn comment
// does not wait. A repetition changes nothing. Errors: models.ErrNotFound, models.ErrForbidden for a comment of another
// person, and for one that was withdrawn, *models.LimitError.
func (s *Store) ChangeComment(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change models.CommentChange,
) (models.Comment, error) {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, "SELECT FROM comments WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE", scope.OrganizationID, id)
		if err != nil {
			return err
		}
		c, err := s.Comment(ctx, scope, id)
		switch {
		case err != nil:
			return err
		// guard: comments: only its author changes a comment
		case c.Author.ID != actor.UserID:
			return models.ErrForbidden
		case c.WithdrawnAt != nil && change.Withdraw, !change.Withdraw && change.Text == c.Text():
			return nil
		case c.WithdrawnAt != nil:
			return models.ErrForbidden
		}
		field, args := "withdrawn", []any{scope.OrganizationID, id}
		statement := `
			WITH ended AS (UPDATE comment_mentions SET done_at = now()
			  WHERE organization_id = $1 AND comment_id = $2 AND done_at IS NULL)
			UPDATE comments SET withdrawn_at = now() WHERE organization_id = $1 AND id = $2`
		if !change.Withdraw {
			if len(c.Versions) >= models.MaxCommentVersions {
				return &models.LimitError{What: models.LimitCommentVersions, Limit: models.MaxCommentVersions}
			}
			field, statement = "text", `INSERT INTO comment_versions (organization_id, comment_id, number, text) VALUES ($1, $2, $3, $4)`
			args = append(args, len(c.Versions)+1, change.Text)
		}
		if _, err := s.db.Exec(ctx, statement, args...); err != nil {
			return err
		}
		return pg.Audit(s.db.GORM(ctx), actor.Entry(scope, models.AuditUpdate, "comment", id).
			With(map[string]any{"fields": []string{field}}))
	})
	if err != nil {
		return models.Comment{}, pg.Translate(err)
	}
	return s.Comment(ctx, scope, id)
}

// selectColleagues reads the active people who see the organizations @listed. They are their own, those of their partner under
// the grant, and those of staff if @staff. A person on two sides has both rows.
var selectColleagues = pg.Prepare("WITH"+visibleOrganizations+`
	SELECT p.organization_id, u.id, u.name, p.side, p.role, p.granted
	  FROM (
	    SELECT s.id AS organization_id, m.user_id, '`+models.SideOrganization+`' AS side, m.role::text AS role, '' AS granted
	      FROM seen s JOIN memberships m ON m.organization_id = s.id
	     WHERE s.id = ANY (@listed)
	    UNION ALL
	    SELECT s.id, m.user_id, '`+models.SidePartner+`', m.role, s.granted
	      FROM seen s JOIN memberships m ON m.organization_id = s.partner
	     /* guard: comments: people of a partner are asked about clients under a grant */ WHERE s.id = ANY (@listed) AND s.granted <> ''
	    UNION ALL
	    SELECT s.id, t.id, '`+models.SideStaff+`', t.staff_role, ''
	      FROM seen s CROSS JOIN users t WHERE s.id = ANY (@listed) AND @staff AND t.staff_role IS NOT NULL) p
	  JOIN users u ON u.id = p.user_id AND u.status = 'ACTIVE'
	 ORDER BY p.organization_id, u.name, u.id, p.side`, viewer.And("listed", "staff"))

// Colleagues lists the people who see organizations, by organization and name; those of staff only for staff.
// Organizations that are not visible have none.
func (s *Store) Colleagues(
	ctx context.Context, visible models.Visibility, organizations []string, staff bool,
) ([]models.Colleague, error) {
	ctx = models.AcrossOrganizations(ctx) // the statement selects the organizations
	only := ""
	if len(organizations) == 1 {
		only = organizations[0]
	}
	rows, err := s.db.Query(ctx, selectColleagues.SQL, append(viewedBy(visible, only), organizations, staff)...)
	all, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (c models.Colleague, err error) {
		role, granted := "", ""
		if err := row.Scan(&c.OrganizationID, &c.ID, &c.Name, &c.Side, &role, &granted); err != nil {
			return c, err
		}
		c.Acts = models.Acts(c.Side, role, models.GrantRole(granted))
		return c, nil
	})
	merged := all[:0]
	for _, c := range all {
		if n := len(merged); n > 0 && merged[n-1].OrganizationID == c.OrganizationID && merged[n-1].ID == c.ID {
			merged[n-1].Acts = merged[n-1].Acts || c.Acts
			continue
		}
		merged = append(merged, c)
	}
	return slices.Clip(merged), err
}

// selectMentions reads the comments that wait for a person, in the visible organizations.
var selectMentions = pg.Prepare("WITH"+visibleOrganizations+`
	SELECT c.id, c.organization_id, s.name, c.object_type, c.object_id, u.name,
	       (SELECT v.text FROM comment_versions v WHERE v.organization_id = c.organization_id AND v.comment_id = c.id
	         ORDER BY v.number DESC LIMIT 1), c.created_at
	  FROM comment_mentions m
	  JOIN comments c ON c.organization_id = m.organization_id AND c.id = m.comment_id AND c.withdrawn_at IS NULL
	  JOIN seen s ON s.id = c.organization_id
	  JOIN users u ON u.id = c.user_id
	 WHERE m.user_id = @person AND m.done_at IS NULL
	 ORDER BY c.created_at, c.id LIMIT @at_most`, viewer.And("person", "at_most"))

// ListMentions lists the comments that wait for a person, the oldest first, in organizations that the person still sees.
func (s *Store) ListMentions(
	ctx context.Context, visible models.Visibility, userID string, most int,
) ([]models.CommentMention, error) {
	ctx = models.AcrossOrganizations(ctx) // the statement selects the organizations
	// Mostly none waits, and every first page asks. The organizations of staff take milliseconds.
	waits := false
	err := s.db.QueryRow(ctx, "SELECT EXISTS (SELECT FROM comment_mentions WHERE user_id = $1 AND done_at IS NULL)", userID).Scan(&waits)
	if err != nil || !waits {
		return nil, pg.Translate(err)
	}
	rows, err := s.db.Query(ctx, selectMentions.SQL, append(viewedBy(visible, ""), userID, most)...)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (m models.CommentMention, err error) {
		err = row.Scan(&m.CommentID, &m.OrganizationID, &m.OrganizationName, &m.Subject.Type, &m.Subject.ID, &m.AuthorName,
			&m.Text, &m.At)
		return m, err
	})
}

// EndMention ends that a comment waits for the actor. A repetition changes nothing. Errors: models.ErrNotFound for a
// comment that never waited for the actor.
func (s *Store) EndMention(ctx context.Context, actor models.Actor, commentID string) error {
	ctx = models.AcrossOrganizations(ctx) // the person says no organization
	return pg.Translate(s.db.InTx(ctx, func(ctx context.Context) error {
		var organizationID string
		ended := false
		err := s.db.QueryRow(ctx, `
			WITH mine AS (SELECT * FROM comment_mentions WHERE user_id = $1 AND comment_id = $2 FOR NO KEY UPDATE),
			ended AS (UPDATE comment_mentions m SET done_at = now() FROM mine
			  WHERE m.organization_id = mine.organization_id AND m.comment_id = mine.comment_id AND m.user_id = mine.user_id
			    AND mine.done_at IS NULL)
			SELECT organization_id, done_at IS NOT NULL FROM mine`, actor.UserID, commentID).Scan(&organizationID, &ended)
		if err != nil || ended {
			return err
		}
		scope := models.Scope{OrganizationID: organizationID}
		return pg.Audit(s.db.GORM(ctx), actor.Entry(scope, models.AuditUpdate, "comment", commentID).
			With(map[string]any{"fields": []string{"mentions"}}))
	}))
}
