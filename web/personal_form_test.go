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
	return string(formOf(defaultPreferences()).write([]byte(marked)))
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
			TimeZone: c.zone})
		require.Equal(t, c.want, string(form.write([]byte(page))))
	}
	require.Equal(t, "-1,234,567.50", plainText(grouped("-1234567.50")))
	require.Equal(t, "1,000 <b>1,000</b>", plainText(numberMark+grouped("1000")+" "+numberMark+"<b>"+grouped("1000")+"</b>"))
	require.Equal(t, "\uFDFC \uFDCF x", plainText("\uFDFC \uFDCF "+endMark+"x"+dayMark))
	require.Equal(t, "1<2.500", plainText(numberMark+"1<2.500"+endMark))
	require.Equal(t, "\xEF\xB7", plainText("\xEF\xB7"))
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
