package api_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service"
)

// tokenOf returns the token in the path of a feed.
func tokenOf(path string) string {
	return strings.TrimSuffix(strings.TrimPrefix(path, service.CalendarFeedPath), ".ics")
}

// readFeed reads the calendar of a feed without HTTP.
func (in *installation) readFeed(token string) (file string, err error) {
	in.t.Helper()
	session, err := in.server.Service().Feed(in.t.Context(), token)
	if err != nil {
		return "", err
	}
	defer session.Close()
	var to kept
	err = session.WithQuery("format=ics").ExportDueFilings(in.t.Context(), contract.ExportDueFilingsRequest{}, &to)
	return to.String(), err
}

// kept is a stream in memory.
type kept struct {
	bytes.Buffer
	content contract.Content
}

func (k *kept) Begin(content contract.Content) { k.content = content }
func (k *kept) Flush()                         {}
func (k *kept) LastEventID() string            { return "" }

func TestAFeedReadsTheCalendarAlone(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Acme"), in.client("Other")
	made := in.do(client, "POST", "/v1/calendar_feeds", `{"name":"Office"}`).expect(200)
	token := tokenOf(made.text("path"))
	file, err := in.readFeed(token)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(file, "BEGIN:VCALENDAR\r\n") && strings.HasSuffix(file, "END:VCALENDAR\r\n"))
	in.read(new(int), "SELECT 1 FROM calendar_feeds WHERE last_read_at IS NOT NULL AND id = $1", made.text("id"))
	listed := in.do(client, "GET", "/v1/calendar_feeds", "").expect(200)
	require.Contains(t, listed.Body.String(), made.text("id"))
	require.NotContains(t, listed.Body.String(), token)
	require.NotContains(t, in.do(other, "GET", "/v1/calendar_feeds", "").expect(200).Body.String(), made.text("id"))
	in.do(other, "DELETE", "/v1/calendar_feeds/"+made.text("id"), "").expect(404)

	session, err := in.server.Service().Feed(t.Context(), token)
	require.NoError(t, err)
	defer session.Close()
	_, err = session.ListFilings(t.Context(), contract.ListFilingsRequest{})
	requireCode(t, problem.CodeForbiddenForKey, err)
	_, err = session.CreateCalendarFeed(t.Context(), contract.CreateCalendarFeedRequest{Body: contract.CalendarFeedCreate{Name: "x"}})
	requireCode(t, problem.CodeForbiddenForKey, err)

	in.do(client, "DELETE", "/v1/calendar_feeds/"+made.text("id"), "").expect(204)
	_, err = in.readFeed(token)
	require.ErrorIs(t, err, models.ErrUnauthenticated)
	in.do(client, "DELETE", "/v1/calendar_feeds/"+made.text("id"), "").expect(404)
	_, err = in.readFeed("unknown")
	require.ErrorIs(t, err, models.ErrUnauthenticated)
}

// A feed ends also when a release that knows no feeds ends its maker, and no later than the key that made it.
func TestAFeedOfAnEndedMakerIsNotFound(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Acme")
	made := in.do(client, "POST", "/v1/calendar_feeds", `{"name":"Office"}`).expect(200)
	token := tokenOf(made.text("path"))
	in.execute("UPDATE makers SET maker_ended_at = now() WHERE kind = 'calendar_feed' AND id = $1", made.text("id"))
	_, err := in.readFeed(token)
	require.ErrorIs(t, err, models.ErrUnauthenticated)

	ending := client
	ending.key = in.do(in.root, "POST", "/v1/api-keys", `{"expires_at":"2099-01-01T00:00:00Z"}`,
		header("x-organization-id", client.organizationID)).expect(200).text("api_key")
	unread := client
	unread.key = in.do(in.root, "POST", "/v1/api-keys", `{"scopes":["people"]}`,
		header("x-organization-id", client.organizationID)).expect(200).text("api_key")
	in.do(unread, "POST", "/v1/calendar_feeds", `{"name":"Office"}`).expect(403, "forbidden_for_key")
	made = in.do(ending, "POST", "/v1/calendar_feeds", `{"name":"Office"}`).expect(200)
	require.Equal(t, "2099-01-01T00:00:00Z", made.text("expires_at"))
	in.execute("UPDATE calendar_feeds SET expires_at = now() - interval '1 second' WHERE id = $1", made.text("id"))
	_, err = in.readFeed(tokenOf(made.text("path")))
	require.ErrorIs(t, err, models.ErrUnauthenticated)
}

func TestFeedsAreLimited(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Acme")
	for i := range models.MaxCalendarFeeds {
		in.do(client, "POST", "/v1/calendar_feeds", fmt.Sprintf(`{"name":"Office %d"}`, i)).expect(200)
	}
	in.do(client, "POST", "/v1/calendar_feeds", `{"name":"One more"}`).expect(409, "calendar_feed_limit_reached")
}

// A partner revokes the feeds that were made under its grant alone.
func TestAPartnerRevokesNoFeedOfItsClient(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Acme")
	in.granted(client, models.GrantPreparer)
	partner := header("x-organization-id", client.organizationID)
	own := in.do(client, "POST", "/v1/calendar_feeds", `{"name":"Own"}`).expect(200)
	in.do(in.root, "DELETE", "/v1/calendar_feeds/"+own.text("id"), "", partner).expect(403)
	made := in.do(in.root, "POST", "/v1/calendar_feeds", `{"name":"Office"}`, partner).expect(200)
	_, err := in.readFeed(tokenOf(made.text("path")))
	require.NoError(t, err)
	in.read(new(int), "SELECT 1 FROM makers WHERE granted AND id = $1", made.text("id"))
	in.do(in.root, "DELETE", "/v1/calendar_feeds/"+made.text("id"), "", partner).expect(204)
	_, err = in.readFeed(tokenOf(made.text("path")))
	require.ErrorIs(t, err, models.ErrUnauthenticated)
	_, err = in.readFeed(tokenOf(own.text("path")))
	require.NoError(t, err)
}
