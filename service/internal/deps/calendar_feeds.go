package deps

import (
	"context"

	"levy/models"
)

// CalendarFeeds are the secret addresses at which programs read the calendar of returns.
type CalendarFeeds interface {
	// CreateCalendarFeed writes a feed. Errors: *models.LimitError if the organization has the largest number of feeds.
	CreateCalendarFeed(ctx context.Context, scope models.Scope, actor models.Actor, feed *models.CalendarFeed) error
	// CalendarFeeds lists the feeds of an organization, the newest first.
	CalendarFeeds(ctx context.Context, scope models.Scope) ([]models.CalendarFeed, error)
	// CalendarFeed reads a feed. Errors: models.ErrNotFound.
	CalendarFeed(ctx context.Context, scope models.Scope, id string) (models.CalendarFeed, error)
	// DeleteCalendarFeed revokes a feed. Errors: models.ErrNotFound, models.ErrForbidden for a partner and a feed that was
	// not made under its grant.
	DeleteCalendarFeed(ctx context.Context, scope models.Scope, actor models.Actor, id string) error
	// FindCalendarFeed finds the feed with one of the hashes, the first of which is that by the newest master key. Errors:
	// models.ErrNotFound for a feed that is not valid.
	FindCalendarFeed(ctx context.Context, hashes [][]byte) (models.CalendarFeed, error)
}
