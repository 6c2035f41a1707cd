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

// A feed and a link end no later than their key, also one that a partner's key made, whose end comes nearer afterwards.
func TestWhatAKeyMadeEndsWithItsNewEnd(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Acme")
	maker := in.root
	key := in.do(in.root, "POST", "/v1/api-keys", "").expect(200)
	maker.key = key.text("api_key")
	partner := header("x-organization-id", client.organizationID)
	made := in.do(maker, "POST", "/v1/calendar_feeds", `{"name":"Office"}`, partner).expect(200)
	lasting := in.do(in.root, "POST", "/v1/calendar_feeds", `{"name":"Other"}`, partner).expect(200).text("id")
	link := models.NewID(models.PrefixOnboardingLink)
	in.execute(`INSERT INTO onboarding_links (organization_id, id, hash, made_by, created_at, expires_at)
		VALUES ($1, $2, '\x01', 'test', now(), '2999-01-01')`, client.organizationID, link)
	in.execute(`INSERT INTO makers (organization_id, kind, id, key_id, made_at)
		VALUES ($1, 'onboarding_link', $2, $3, now())`, client.organizationID, link, key.text("id"))
	ends := func() (feed, link, other string) {
		in.read(&feed, "SELECT coalesce(date(expires_at)::text, '') FROM calendar_feeds WHERE id = $1", made.text("id"))
		in.read(&link, "SELECT date(expires_at)::text FROM onboarding_links WHERE organization_id = $1", client.organizationID)
		in.read(&other, "SELECT coalesce(date(expires_at)::text, '') FROM calendar_feeds WHERE id = $1", lasting)
		return feed, link, other
	}
	path := "/v1/api-keys/" + key.text("id")
	for _, end := range []string{"2099-01-02", "2098-01-02"} {
		in.do(in.root, "PUT", path, `{"expires_at":"`+end+`T12:00:00Z"}`).expect(200)
		feed, link, other := ends()
		require.Equal(t, []string{end, end, ""}, []string{feed, link, other})
	}
	in.do(in.root, "PUT", path, `{"expires_at":null}`).expect(200)
	feed, _, _ := ends()
	require.Equal(t, "2098-01-02", feed, "a later end of the key changes nothing")
	in.do(in.root, "POST", path+"/rotate", `{"overlap_seconds":0}`).expect(200)
	_, err := in.readFeed(tokenOf(made.text("path")))
	require.ErrorIs(t, err, models.ErrUnauthenticated)
	in.read(new(int), "SELECT 1 FROM onboarding_links WHERE organization_id = $1 AND expires_at < '2098-01-01'", client.organizationID)
}

// Of a revoked feed nothing stays, and of two revocations at once the second finds none.
func TestAFeedIsRevokedOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Acme")
	id := in.do(client, "POST", "/v1/calendar_feeds", `{"name":"Office"}`).expect(200).text("id")
	answers := make(chan int, 8)
	for range cap(answers) {
		go func() { answers <- in.do(client, "DELETE", "/v1/calendar_feeds/"+id, "").Code }()
	}
	codes := map[int]int{}
	for range cap(answers) {
		codes[<-answers]++
	}
	require.Equal(t, map[int]int{204: 1, 404: 7}, codes)
	var entries, rows int
	in.read(&entries, "SELECT count(*) FROM audit WHERE action = 'revoke' AND entity_id = $1", id)
	in.read(&rows, "SELECT count(*) FROM makers WHERE id = $1", id)
	require.Equal(t, []int{1, 0}, []int{entries, rows})
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
