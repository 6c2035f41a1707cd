package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
)

// plainText returns a text of a page in the default form.
func plainText(marked string) string {
	return string(formOf(defaultPreferences(), "").write([]byte(marked)))
}

// Numbers, days and instants have the form of the person. Other letters, and marks that a person typed, change nothing
// after them.
func TestThePersonalForm(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 7, 1, 3, 30, 0, 0, time.UTC)
	page := grouped("-1234567.50") + "|" + grouped("1000") + "|" + grouped("n/a") + "|" + day("2026-01-02") + "|" + day("soon") +
		"|" + momentText(at)
	for _, c := range []struct {
		numbers models.NumberFormat
		days    models.DateFormat
		zone    string
		want    string
	}{
		{models.CommaThousands, models.DayMonthYear, "UTC", "-1,234,567.50|1,000|n/a|2 Jan 2026|soon|1 Jul 2026, 03:30 UTC"},
		{models.SpaceThousands, models.MonthDayYear, "America/Chicago",
			"-1\u202F234\u202F567.50|1\u202F000|n/a|Jan 2, 2026|soon|Jun 30, 2026, 22:30 CDT"},
		{models.ApostropheThousands, models.ISODate, "Europe/Berlin", "-1’234’567.50|1’000|n/a|2026-01-02|soon|2026-07-01, 05:30 CEST"},
		{models.PlainThousands, models.ISODate, "UTC", "-1234567.50|1000|n/a|2026-01-02|soon|2026-07-01, 03:30 UTC"},
	} {
		form := formOf(&contract.Preferences{NumberFormat: contract.NumberFormat(c.numbers), DateFormat: contract.DateFormat(c.days),
			TimeZone: c.zone}, "")
		require.Equal(t, c.want, string(form.write([]byte(page))))
	}
	require.Equal(t, "-1,234,567.50", plainText(grouped("-1234567.50")))
	require.Equal(t, "1,000 <b>1,000</b>", plainText(numberMark+grouped("1000")+" "+numberMark+"<b>"+grouped("1000")+"</b>"))
	require.Equal(t, "\uFDFC \uFDCF x", plainText("\uFDFC \uFDCF "+endMark+"x"+dayMark))
	require.Equal(t, "1<2.500", plainText(numberMark+"1<2.500"+endMark))
	require.Equal(t, "\xEF\xB7", plainText("\xEF\xB7"))
}

// Instants have the zone that the person has chosen, else that of the organization, else UTC. The hour that a night of
// daylight-saving time has twice is told apart, and the one that it lacks is not shown.
func TestTheZoneOfInstants(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, chosen, organization, at, want string
	}{
		{"neither", "", "", "2026-07-01T03:30:00Z", "1 Jul 2026, 03:30 UTC"},
		{"that of the organization", "", "America/New_York", "2026-07-01T03:30:00Z", "30 Jun 2026, 23:30 EDT"},
		{"that of the person", "Europe/Berlin", "", "2026-07-01T03:30:00Z", "1 Jul 2026, 05:30 CEST"},
		{"that of the person first", "Europe/Berlin", "America/New_York", "2026-07-01T03:30:00Z", "1 Jul 2026, 05:30 CEST"},
		{"UTC, if chosen", "UTC", "America/New_York", "2026-07-01T03:30:00Z", "1 Jul 2026, 03:30 UTC"},
		{"autumn, the first time", "", "America/New_York", "2026-11-01T05:30:00Z", "1 Nov 2026, 01:30 EDT"},
		{"autumn, the second time", "", "America/New_York", "2026-11-01T06:30:00Z", "1 Nov 2026, 01:30 EST"},
		{"spring, before", "", "America/New_York", "2026-03-08T06:59:00Z", "8 Mar 2026, 01:59 EST"},
		{"spring, after", "", "America/New_York", "2026-03-08T07:00:00Z", "8 Mar 2026, 03:00 EDT"},
		{"spring in Europe", "Europe/Berlin", "America/New_York", "2026-03-29T01:00:00Z", "29 Mar 2026, 03:00 CEST"},
		{"autumn in Australia", "", "Australia/Sydney", "2026-04-04T16:00:00Z", "5 Apr 2026, 02:00 AEST"},
	} {
		p := defaultPreferences()
		if c.chosen != "" {
			p.TimeZone, p.TimeZoneChosen = c.chosen, true
		}
		at, err := time.Parse(time.RFC3339, c.at)
		require.NoError(t, err)
		require.Equal(t, c.want, string(formOf(p, c.organization).write([]byte(momentText(at)))), c.why)
	}
}

// A page of an organization has its time zone: of the session for its people, and of its settings for others. All pages of
// a person with one organization have it.
func TestPagesHaveTheZoneOfTheirOrganization(t *testing.T) {
	t.Parallel()
	const stored = `{"id":"org_1","created_at":"2026-07-01T03:30:00Z","settings":{"time_zone":"America/New_York"}}`
	member := strings.Replace(anAdmin, `"role"`, `"time_zone":"America/New_York","role"`, 1)
	const staff = `{"user":{"name":"Sam"},"staff_role":"auditor","organizations":[]}`
	choosesUTC := strings.TrimSuffix(member, "}") + `,"preferences":{"date_format":"ISO","time_zone":"UTC","time_zone_chosen":true}}`
	for session, want := range map[string]string{
		member:     "30 Jun 2026, 23:30 EDT",
		anAdmin:    "1 Jul 2026, 03:30 UTC",
		staff:      "30 Jun 2026, 23:30 EDT",
		choosesUTC: "2026-07-01, 03:30 UTC",
	} {
		page := visitedWith(t, map[string]string{"GET /v1/session": session, "GET /v1/organizations/org_1": stored}, "/o/org_1/settings", nil)
		require.Contains(t, page.Body.String(), "created "+want, session)
	}
	ofPartner := strings.Replace(member, `"role"`, `"root":true,"role"`, 1)
	for _, session := range []string{member, ofPartner} {
		account := visitedWith(t, map[string]string{"GET /v1/session": session, "GET /v1/session/passkeys": `{"items":[
			{"id":"pkey_1","name":"Phone","created_at":"2026-07-01T03:30:00Z"}]}`}, "/account", nil)
		require.Contains(t, account.Body.String(), "23:30 EDT", session)
	}
}

// The lists of time zones have the stored one, and no choice as their first entry.
func TestListsOfTimeZones(t *testing.T) {
	t.Parallel()
	const settings = `{"id":"org_1","settings":{"time_zone":"America/Boise"}}`
	page := visitedWith(t, map[string]string{"GET /v1/session": anAdmin, "GET /v1/organizations/org_1": settings},
		"/o/org_1/settings", nil).Body.String()
	require.Contains(t, page, `<option value="">UTC, as none is set</option>`)
	require.Regexp(t, `<option value="America/Boise" selected>`, page)
	viewer := visitedWith(t, map[string]string{"GET /v1/session": strings.Replace(anAdmin, `"admin"`, `"viewer"`, 1),
		"GET /v1/organizations/org_1": settings}, "/o/org_1/settings", nil).Body.String()
	require.Contains(t, viewer, "<li>Time zone: America/Boise</li>")
	for preferences, want := range map[string]string{
		`"time_zone":"UTC","time_zone_chosen":false`: `<option value="">That of the organization, else UTC</option>`,
		`"time_zone":"UTC","time_zone_chosen":true`:  `<option value="UTC" selected>`,
	} {
		page := visitedWith(t, map[string]string{"GET /v1/session": withPreferences(preferences)}, "/preferences", nil).Body.String()
		require.Contains(t, page, want)
		require.Equal(t, strings.Contains(preferences, "true"), strings.Contains(page, `<option value="UTC" selected>`))
	}
}

// The form of preferences sends no zone as null, and so takes back a choice.
func TestTheFormTakesBackTheZone(t *testing.T) {
	t.Parallel()
	for zone, want := range map[string]string{"": `"time_zone":null`, "UTC": `"time_zone":"UTC"`, "Asia/Tokyo": `"time_zone":"Asia/Tokyo"`} {
		_, sent := bodiesSent(t, map[string]string{"GET /v1/session": anAdmin, "PUT /v1/session/preferences": `{}`}, "/preferences",
			url.Values{"theme": {"DARK"}, "date_format": {"ISO"}, "number_format": {"COMMA"}, "time_zone": {zone}})
		require.Len(t, sent, 1)
		require.Contains(t, sent[0], want)
	}
}

// Pages have the colours that the person has chosen, and the switch in their frame names them.
func TestTheThemeOfAPage(t *testing.T) {
	t.Parallel()
	for theme, want := range map[string][2]string{
		"SYSTEM": {`content="light dark"`, `media="(prefers-color-scheme: dark)"`},
		"LIGHT":  {`content="light"`, ""},
		"DARK":   {`content="dark"`, `media="all"`},
	} {
		page := visitedWith(t, map[string]string{"GET /v1/session": withPreferences(`"theme":"` + theme + `"`)}, "/preferences", nil).
			Body.String()
		require.Contains(t, page, `<meta name="color-scheme" `+want[0]+`>`)
		require.Contains(t, page, want[1])
		require.Equal(t, want[1] != "", strings.Contains(page, "dark."), theme)
		require.Contains(t, page, `value="`+theme+`" aria-pressed="true"`)
		require.Equal(t, 1, strings.Count(page, `aria-pressed="true"`))
	}
}

// withPreferences returns the session of an admin with preferences.
func withPreferences(preferences string) string {
	return strings.TrimSuffix(anAdmin, "}") + `,"preferences":{` + preferences + `}}`
}

// The switch in the frame changes the theme alone, and leads back to its page, but to no other site.
func TestTheSwitchOfThemes(t *testing.T) {
	t.Parallel()
	for back, to := range map[string]string{"/filings?page=2": "/filings?page=2", "//example.com": "/", `/\example.com`: "/"} {
		var sent []byte
		answers := saying(map[string]string{"GET /v1/session": anAdmin, "PUT /v1/session/preferences": `{}`})
		answered := visitedOver(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				sent, _ = io.ReadAll(r.Body)
			}
			answers.ServeHTTP(w, r)
		}), "/preferences", url.Values{"theme": {"DARK"}, "back": {back}})
		require.Equal(t, http.StatusSeeOther, answered.Code, answered.Body)
		require.Equal(t, to, answered.Header().Get("Location"))
		require.JSONEq(t, `{"theme":"DARK"}`, string(sent))
	}
}

// A list has as many rows as its person has chosen.
func TestTheRowsOfAPage(t *testing.T) {
	t.Parallel()
	rows := 20
	v := &pageRequest{user: userOf(contract.Session{Preferences: &contract.Preferences{PageSize: &rows}})}
	require.Equal(t, "page=2&size=20", v.sized("page=2&size=50"))
	v.user.Preferences = nil
	require.Equal(t, "page=2&size=50", v.sized("page=2&size=50"))
}
