package web

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"
)

// calendarFeedList is the page of the calendar feeds of an organization.
type calendarFeedList struct {
	Items  []contract.CalendarFeed
	Fields []field
}

func (c *Console) calendarFeeds(v *pageRequest) error {
	found, err := v.session.ListCalendarFeeds(v.Context(), contract.ListCalendarFeedsRequest{})
	if err != nil {
		return err
	}
	return v.show("Calendar feeds", calendarFeedList{
		Items: found.Items, Fields: v.inputs("make", required(text("name", "What it is for", 100, "off"))),
	})
}

// changeCalendarFeeds creates or revokes a feed. The address of a new one is shown once.
func (c *Console) changeCalendarFeeds(v *pageRequest) error {
	switch v.PostFormValue("action") {
	case "make":
		session, err := v.sending(map[string]any{"name": v.PostFormValue("name")})
		if err != nil {
			return err
		}
		created, err := session.CreateCalendarFeed(v.Context(), contract.CreateCalendarFeedRequest{})
		if err != nil {
			return err
		}
		return v.showOnce(shownOnce{Title: "The address of the feed", Address: v.absolute(valueOf(created.Path)),
			Says: "Subscribe to this address in your calendar. It is shown only now. Everyone who has it can read the returns."}, c.calendarFeeds)
	case "revoke":
		return v.goBack(v.session.DeleteCalendarFeed(v.Context(), contract.DeleteCalendarFeedRequest{
			CalendarFeedID: v.PostFormValue("id"),
		}))
	default:
		return unknownAction()
	}
}

// calendarFeed answers a program for calendars with the returns of a feed. At an unknown or revoked
// address there is nothing, as at any other path.
func (c *Console) calendarFeed(v *pageRequest) error {
	admitted, err := v.console.gate.Feed(v.Context(), strings.TrimSuffix(v.PathValue("token"), ".ics"))
	if errors.Is(err, models.ErrUnauthenticated) {
		c.notFound(v.w)
		return nil
	}
	if err != nil {
		return err
	}
	v.closing = append(v.closing, admitted.Close)
	v.enter(admitted)
	days := url.Values{
		"format": {"ics"}, "due_days__gte": {strconv.Itoa(-models.FeedDaysBefore)}, "due_days__lte": {strconv.Itoa(models.FeedDaysAfter)},
	}
	return v.download(func(out contract.Stream) error {
		return v.session.WithQuery(days.Encode()).ExportDueFilings(v.Context(), contract.ExportDueFilingsRequest{}, out)
	})
}
