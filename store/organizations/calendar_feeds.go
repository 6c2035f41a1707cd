package organizations

import (
	"context"

	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

// CreateCalendarFeed creates a feed, which ends with the requesting key. Errors: *models.LimitError if the organization
// has models.MaxCalendarFeeds, models.ErrNotFound if it is not active.
func (s *Store) CreateCalendarFeed(
	ctx context.Context, scope models.Scope, actor models.Actor, feed *models.CalendarFeed,
) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if err := lockKeys(tx, scope); err != nil {
			return err
		}
		var n int64
		err := tx.Model(&models.CalendarFeed{}).Where("organization_id = ?", scope.OrganizationID).Count(&n).Error
		if err != nil {
			return err
		}
		if n >= models.MaxCalendarFeeds {
			return &models.LimitError{What: models.LimitCalendarFeeds, Limit: models.MaxCalendarFeeds}
		}
		feed.OrganizationID, feed.ID = scope.OrganizationID, models.NewID(models.PrefixCalendarFeed)
		feed.MadeBy, feed.CreatedAt, feed.MasterKeyID = actor.Name(), tx.NowFunc(), s.db.MasterKeyID()
		made := models.Maker{OrganizationID: scope.OrganizationID, Kind: models.MadeCalendarFeed, ID: feed.ID}
		// It locks the key, whose end is read after that.
		if _, err := makers.Record(tx, actor, made); err != nil {
			return err
		}
		// guard: makers: a feed ends with the key that makes it
		if feed.ExpiresAt, err = makers.EndOf(tx, actor, scope.OrganizationID); err != nil {
			return err
		}
		if err := tx.Create(feed).Error; err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "calendar_feed", feed.ID))
	})
	return pg.Translate(err)
}

// CalendarFeeds returns the feeds of an organization, the newest first.
func (s *Store) CalendarFeeds(ctx context.Context, scope models.Scope) (feeds []models.CalendarFeed, err error) {
	err = s.db.GORM(ctx).Where("organization_id = ?", scope.OrganizationID).Order("created_at DESC, id DESC").
		Limit(models.MaxCalendarFeeds).Find(&feeds).Error
	return feeds, pg.Translate(err)
}

// CalendarFeed returns a feed. Errors: models.ErrNotFound.
func (s *Store) CalendarFeed(ctx context.Context, scope models.Scope, id string) (feed models.CalendarFeed, err error) {
	err = pg.Record(s.db.GORM(pg.ByKey(ctx)), scope, id).Take(&feed).Error
	return feed, pg.Translate(err)
}

// DeleteCalendarFeed revokes a feed at once. Errors: models.ErrNotFound, models.ErrForbidden for a partner and a feed that
// was not made under its grant.
func (s *Store) DeleteCalendarFeed(ctx context.Context, scope models.Scope, actor models.Actor, id string) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// The maker comes first, as where its end ends the feed.
		maker, err := makers.Forget(tx, scope.OrganizationID, models.MadeCalendarFeed, id)
		if err != nil {
			return err
		}
		feed := models.CalendarFeed{OrganizationID: scope.OrganizationID, ID: id}
		if err := pg.LockedRecord(tx, scope, id).Select("id").Take(&models.CalendarFeed{}).Error; err != nil {
			return err
		}
		// guard: grants: a partner revokes no feed of its client's own
		if actor.Granted && (maker == nil || !maker.Granted) {
			return models.ErrForbidden
		}
		if err := tx.Delete(&feed).Error; err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditRevoke, "calendar_feed", id))
	})
	return pg.Translate(err)
}

// findCalendarFeed finds a feed by the hashes $1 of its token. It records the use once a minute, and the hash $2 by the
// newest master key $3, unless that is NULL. A maker that has ended ends the feed, also if a release that knows no feeds ended it.
const findCalendarFeed = `
	WITH found AS (
	  SELECT f.organization_id, f.id, f.last_read_at, f.master_key_id
	    FROM calendar_feeds f
	    JOIN organizations o ON o.id = f.organization_id AND o.status = 'ACTIVE'
	    LEFT JOIN organizations p ON p.id = o.parent_organization_id
	    JOIN makers m ON m.organization_id = f.organization_id AND m.kind = 'calendar_feed' AND m.id = f.id
	   WHERE f.hash = ANY ($1::bytea[]) AND (f.expires_at IS NULL OR f.expires_at > now())
	     AND /* guard: makers: a feed of an ended maker is not found */ m.maker_ended_at IS NULL
	     AND (p.id IS NULL OR p.status = 'ACTIVE')
	), used AS (
	  UPDATE calendar_feeds c
	     SET last_read_at = now(), hash = CASE WHEN $3::text IS NULL THEN c.hash ELSE $2::bytea END,
	         master_key_id = coalesce($3::text, c.master_key_id)
	    FROM found f WHERE c.organization_id = f.organization_id AND c.id = f.id
	     AND (f.last_read_at IS NULL OR f.last_read_at < now() - interval '1 minute'
	          OR $3::text IS NOT NULL AND f.master_key_id IS DISTINCT FROM $3::text))
	SELECT organization_id, id FROM found`

// FindCalendarFeed returns the feed of a token. hashes are those of the token under every master key, the newest first.
// Errors: models.ErrNotFound for a feed that is unknown, revoked or expired, or whose maker has ended.
func (s *Store) FindCalendarFeed(ctx context.Context, hashes [][]byte) (feed models.CalendarFeed, err error) {
	err = s.db.OpenTables().QueryRow(ctx, findCalendarFeed, hashes, hashes[0], s.db.NewestMasterKeyID()).
		Scan(&feed.OrganizationID, &feed.ID)
	return feed, pg.Translate(err)
}
