package people

import (
	"context"

	"levy/contract"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// FeedPath is the path of calendar feeds. The token follows it.
const FeedPath = "/calendar/"

// FeedHashes returns the hashes of the token of a calendar feed under every master key. The prefix keeps a token from
// being a valid key, session or link.
func (o *Operations) FeedHashes(token string) [][]byte {
	return o.keys.Hashes("calendar feed " + token)
}

// ListCalendarFeeds lists the feeds of the organization.
func (o *Operations) ListCalendarFeeds(
	ctx context.Context, _ contract.ListCalendarFeedsRequest,
) (contract.CalendarFeedList, error) {
	feeds, err := o.deps.CalendarFeeds.CalendarFeeds(ctx, call.Of(ctx).Scope)
	list := contract.CalendarFeedList{Items: make([]contract.CalendarFeed, len(feeds))}
	for i := range feeds {
		list.Items[i] = feedAnswer(&feeds[i])
	}
	return list, err
}

// CreateCalendarFeed creates a feed. Only this answer contains its path.
func (o *Operations) CreateCalendarFeed(
	ctx context.Context, r contract.CreateCalendarFeedRequest,
) (contract.CreatedCalendarFeed, error) {
	c := call.Of(ctx)
	if err := c.MayGiveFeed(); err != nil {
		return contract.CreatedCalendarFeed{}, err
	}
	token := secret.NewToken()
	feed := models.CalendarFeed{Name: r.Body.Name, Hash: o.FeedHashes(token)[0]}
	if err := o.deps.CalendarFeeds.CreateCalendarFeed(ctx, c.Scope, c.Actor(), &feed); err != nil {
		return contract.CreatedCalendarFeed{}, err
	}
	shown, path := feedAnswer(&feed), FeedPath+token+".ics"
	return contract.CreatedCalendarFeed{
		ID: shown.ID, Name: shown.Name, MadeBy: shown.MadeBy, CreatedAt: shown.CreatedAt, ExpiresAt: shown.ExpiresAt,
		Path: &path, SecretAvailable: true,
	}, nil
}

// DeleteCalendarFeed revokes a feed at once.
func (o *Operations) DeleteCalendarFeed(ctx context.Context, r contract.DeleteCalendarFeedRequest) error {
	c := call.Of(ctx)
	return o.deps.CalendarFeeds.DeleteCalendarFeed(ctx, c.Scope, c.Actor(), r.CalendarFeedID)
}

func feedAnswer(f *models.CalendarFeed) contract.CalendarFeed {
	return contract.CalendarFeed{
		ID: f.ID, Name: f.Name, MadeBy: f.MadeBy, CreatedAt: convert.Instant(f.CreatedAt),
		ExpiresAt: convert.OptionalInstant(f.ExpiresAt), LastReadAt: convert.OptionalInstant(f.LastReadAt),
	}
}
