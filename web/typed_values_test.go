package web

import (
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
)

// allNumberForms are the forms of numbers of the preferences.
var allNumberForms = []models.NumberFormat{models.CommaThousands, models.SpaceThousands, models.ApostropheThousands,
	models.PlainThousands, models.PointThousands, models.SpaceCommaThousands}

// inForm returns the form of a person with a form of numbers and of days.
func inForm(numbers models.NumberFormat, days models.DateFormat) personalForm {
	return formOf(&contract.Preferences{NumberFormat: contract.NumberFormat(numbers), DateFormat: contract.DateFormat(days)}, "")
}

// A number is read by the form of its person, and refused where the form leaves two readings or none.
func TestTypedNumbers(t *testing.T) {
	t.Parallel()
	const comma, point, spaces, plain = models.CommaThousands, models.PointThousands, models.SpaceCommaThousands, models.PlainThousands
	for _, c := range []struct {
		form         models.NumberFormat
		typed, want  string
		wantedAmount string // empty if an amount is refused
	}{
		{comma, "1,234.56", "1234.56", "1234.56"},
		{comma, "1234.5", "1234.5", "1234.5"},
		{comma, "8.875", "8.875", ""}, // a rate; as money it is often 8875
		{comma, "-1,234,567", "-1234567", "-1234567"},
		{comma, "\u22123", "-3", "-3"},
		{comma, "+ 7", "7", "7"},
		{comma, "0.123", "0.123", "0.123"},
		{comma, "1234.567", "1234.567", "1234.567"}, // thousands would have a mark after the 1
		{comma, "1.234,56", "", ""},
		{comma, "1,234", "", ""},
		{comma, "0,123", "", ""},
		{comma, "12,34", "", ""},
		{comma, "1,2345", "", ""},
		{comma, "1234,567", "", ""},
		{comma, "1 234.56", "", ""},
		{point, "1.234,56", "1234.56", "1234.56"},
		{point, "1234,5", "1234.5", "1234.5"},
		{point, "8,875", "8.875", ""},
		{point, "1.234.567", "1234567", "1234567"},
		{point, "1.234", "", ""},
		{point, "12.50", "", ""},
		{point, "1,234.56", "", ""},
		{point, "1.23456", "", ""},
		{spaces, "1 234,56", "1234.56", "1234.56"},
		{spaces, "1\u202F234\u00A0567,5", "1234567.5", "1234567.5"},
		{spaces, "1 234", "1234", "1234"},
		{spaces, "12.50", "", ""},
		{models.ApostropheThousands, "1'234.50", "1234.50", "1234.50"},
		{models.ApostropheThousands, "1’234.50", "1234.50", "1234.50"},
		{plain, "1234.50", "1234.50", "1234.50"},
		{plain, "1,234.50", "", ""},
		{plain, "1e3", "", ""}, {plain, "0x10", "", ""}, {plain, "1/2", "", ""}, {plain, "٣", "", ""}, {plain, ".5", "", ""},
		{plain, "5.", "", ""}, {plain, "-", "", ""}, {plain, "--5", "", ""}, {plain, "1.2.3", "", ""}, {plain, "5 %", "", ""},
	} {
		form := inForm(c.form, models.ISODate)
		got, fault := form.readNumber(c.typed)
		require.Equal(t, c.want, got, "%s %q", c.form, c.typed)
		require.Equal(t, c.want == "", fault != "", "%s %q: %s", c.form, c.typed, fault)
		got, fault = form.readAmount(c.typed)
		require.Equal(t, c.wantedAmount, got, "%s %q", c.form, c.typed)
		require.Equal(t, c.wantedAmount == "", fault != "", "%s %q: %s", c.form, c.typed, fault)
	}
}

// Whatever a page shows of a number is read as that number by its person, or refused. An amount that another form shows is
// never read as another amount.
func TestTypedNumbersNeverBecomeOtherNumbers(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 20_000 {
		number := fmt.Sprint(random.Uint64() >> (random.UintN(60) + 1))
		if places := random.IntN(6); places > 0 {
			number += "." + fmt.Sprintf("%0*d", places, random.Uint64()>>40%uint64([]int{10, 100, 1000, 10_000, 100_000}[places-1]))
		}
		shownBy, readBy := allNumberForms[random.IntN(6)], allNumberForms[random.IntN(6)]
		shows, reads := inForm(shownBy, models.ISODate), inForm(readBy, models.ISODate)
		for _, text := range []string{shows.number(number), strings.Replace(number, ".", shows.Decimal, 1)} {
			got, fault := reads.readAmount(text)
			if fault != "" {
				refused++
				continue
			}
			require.Equal(t, rat(t, number), rat(t, got), "%s as %s, read as %s", text, shownBy, readBy)
		}
		got, fault := shows.readNumber(strings.Replace(number, ".", shows.Decimal, 1))
		require.Empty(t, fault)
		require.Equal(t, number, got, "a field is read as it was shown")
	}
	require.Greater(t, refused, 1000)
	require.Less(t, refused, 30_000)
}

func rat(t *testing.T, number string) string {
	t.Helper()
	r, ok := new(big.Rat).SetString(number)
	require.True(t, ok, number)
	return r.String()
}

// A day has one reading, whatever the form of its person. Others are refused with the readings or an example.
func TestTypedDays(t *testing.T) {
	t.Parallel()
	form := inForm(models.CommaThousands, models.MonthDayYear)
	for typed, want := range map[string]string{
		"2026-01-02": "2026-01-02", "2026/1/2": "2026-01-02", "2 Jan 2026": "2026-01-02", "Jan 2, 2026": "2026-01-02",
		"jan 2 2026": "2026-01-02", "2. January 2026": "2026-01-02", "January 2, 2026": "2026-01-02", "2-MAY-2026": "2026-05-02",
		"31/01/2026": "2026-01-31", "01/31/2026": "2026-01-31", "05.05.2026": "2026-05-05", "29 Feb 2028": "2028-02-29",
	} {
		got, fault := form.readDay(typed)
		require.Equal(t, want, got, "%s: %s", typed, fault)
	}
	for typed, says := range map[string]string{
		"03/04/2026":  "“03/04/2026” can be Apr 3, 2026 or Mar 4, 2026. Write the one that is meant like this.",
		"3.4.2026":    "“3.4.2026” can be Apr 3, 2026 or Mar 4, 2026. Write the one that is meant like this.",
		"31 Apr 2026": "“31 Apr 2026” cannot be read as a day. Write it like Jan 31, 2026.",
		"2026-02-30":  "“2026-02-30” cannot be read as a day. Write it like Jan 31, 2026.",
		"29 Feb 2026": "“29 Feb 2026” cannot be read as a day. Write it like Jan 31, 2026.",
		"3/4/26":      "“3/4/26” cannot be read as a day. Write it like Jan 31, 2026.",
		"soon":        "“soon” cannot be read as a day. Write it like Jan 31, 2026.",
		"32/13/2026":  "“32/13/2026” cannot be read as a day. Write it like Jan 31, 2026.",
	} {
		got, fault := form.readDay(typed)
		require.Empty(t, got, typed)
		require.Equal(t, says, string(form.write([]byte(fault))), typed)
	}
}

// germanSession are preferences with a decimal comma.
const germanSession = `"number_format":"POINT","date_format":"DAY_MONTH_YEAR"`

// A rate is typed and shown in the form of its person, and arrives at the API as it is meant.
func TestATypedRateInThePersonsForm(t *testing.T) {
	t.Parallel()
	rate := url.Values{"action": {"set"}, "country_code": {"US"}, "jurisdiction_type": {"STATE"}, "jurisdiction_name": {"Texas"},
		"reason": {"Notice"}, "rate": {"8,875"}, "start_date": {"2 Jan 2026"}, "seen": {"0.08875"},
		"typed_percent": {"rate"}, "typed_day": {"start_date", "end_date"}}
	sent, answered := sentBy(t, "/o/org_1/rates", rate)
	require.Equal(t, http.StatusSeeOther, answered)
	require.Contains(t, sent, `"rate":"0.08875"`)
	require.Contains(t, sent, `"start_date":"2026-01-02"`)

	rate.Set("rate", "8.875")
	rate.Set("start_date", "03/04/2026")
	page := visitedOver(t, answering(t, nil), "/o/org_1/rates", rate).Body.String()
	require.Contains(t, page, "“8.875” can be read in two ways. Write 8875, or 8,8750.")
	require.Contains(t, page, "“03/04/2026” can be 3 Apr 2026 or 4 Mar 2026.")
	require.Contains(t, page, `value="8.875"`, "the field has what was typed")
	require.Contains(t, page, `value="03/04/2026"`)
	require.NotContains(t, page, "\uFDD5")
}

// sentBy sends a form, and returns the last body that the API got, and the status of the page.
func sentBy(t *testing.T, path string, form url.Values) (sent string, status int) {
	t.Helper()
	answered := visitedOver(t, answering(t, &sent), path, form)
	return sent, answered.Code
}

// answering is an API that takes every change whose values have its own form.
func answering(t *testing.T, sent *string) http.Handler {
	t.Helper()
	answers := saying(map[string]string{"GET /v1/session": withPreferences(germanSession), "GET /v1/rate_overrides": `{"items":[]}`,
		"GET /v1/products/categories": `[]`})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			answers.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		if strings.Contains(string(body), "\uFDD5") {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"status":400,"code":"validation_failed","title":"The request is invalid","errors":[`+
				`{"location":"body.rate","message":"Must be a decimal."},{"location":"body.start_date","message":"Must be a date."}]}`)
			return
		}
		*sent = string(body)
		_, _ = io.WriteString(w, `{}`)
	})
}

// A filter is typed in the form of the person, and its address has the form of the API.
func TestTheAddressOfAFilterIsNeutral(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": withPreferences(germanSession), "GET /v1/transactions": `{"items":[]}`,
		"GET /v1/session/views": `{}`}
	const list = "/o/org_1/transactions"
	answered := visitedWith(t, answers, list+"?typed_day=date__gte&typed_day=date__lte&date__gte=2+Jan+2026&date__lte=&source=SHOPIFY", nil)
	require.Equal(t, http.StatusSeeOther, answered.Code)
	require.Equal(t, list+"?date__gte=2026-01-02&date__lte=&source=SHOPIFY", answered.Header().Get("Location"))

	answered = visitedWith(t, answers, list+"?date__gte=2026-01-02", nil)
	require.Equal(t, http.StatusOK, answered.Code)
	require.Contains(t, answered.Body.String(), `value="2 Jan 2026"`)
	require.Contains(t, answered.Body.String(), `name="typed_day" value="date__gte"`)

	answered = visitedWith(t, answers, list+"?typed_day=date__gte&date__gte=03/04/2026", nil)
	require.Equal(t, http.StatusBadRequest, answered.Code)
	require.Contains(t, answered.Body.String(), "“03/04/2026” can be 3 Apr 2026 or 4 Mar 2026.")
}

// A personal day is neither shown again nor repeated in a message. Visitors without preferences have a field of the
// browser.
func TestPersonalDays(t *testing.T) {
	t.Parallel()
	typed := url.Values{"dob": {"03/04/1980"}, "typed_personal": {"dob"}}
	require.Equal(t, []string{"dob"}, inForm(models.CommaThousands, models.DayMonthYear).neutral(typed))
	require.NotContains(t, typed.Get("misread_dob"), "1980")
	dob := field{Name: "dob", Kind: "personal-date"}
	require.Equal(t, "text", dob.InputType())
	require.Equal(t, typedPersonal, dob.Typed())
	dob.Neutral = true
	require.Equal(t, "date", dob.InputType())
	require.Empty(t, dob.Typed())
}

// Reading what was typed twice changes nothing, and a form cannot bring its own reasons. A stored amount with three
// decimals is sent as it was shown.
func TestTypedValuesAreReadOnce(t *testing.T) {
	t.Parallel()
	typed := url.Values{"typed_amount": {"a", "b", "a"}, "a": {"1.234,50"}, "b": {"1,234"}, "was_b": {"1.234"}, "misread_a": {"x"},
		"c": {"1.234,50"}}
	want := url.Values{"a": {"1234.50"}, "b": {"1.234"}, "was_b": {"1.234"}, "c": {"1.234,50"}}
	for range 2 {
		require.Empty(t, inForm(models.PointThousands, models.DayMonthYear).neutral(typed))
		require.Equal(t, want, typed)
	}
}

// A search sends an amount with a decimal comma in the form of the API, and every other text as it is.
func TestAnAmountWithACommaIsSearchedFor(t *testing.T) {
	t.Parallel()
	point, comma := inForm(models.PointThousands, models.ISODate), inForm(models.CommaThousands, models.ISODate)
	for text, want := range map[string]string{
		"1.234,50": "1234.50", " 12,5": "12.5", "1.234": "1.234", "12.345.678": "12.345.678", "Acme, Inc.": "Acme, Inc.", "1,234": "1,234",
	} {
		require.Equal(t, want, point.asked(text))
		require.Equal(t, text, comma.asked(text))
	}
}

// The field with the original value says how the page shows it, so that a script knows what was not changed.
func TestAnOriginalValueHasTheFormOfThePage(t *testing.T) {
	t.Parallel()
	form := inForm(models.PointThousands, models.MonthDayYear)
	shown := func(f field) string { return string(form.write([]byte(f.WasInForm()))) }
	require.Equal(t, "Jan 31, 2026", shown(field{Name: "day", Kind: "date", Was: "2026-01-31", Value: "2026-02-01"}))
	require.Equal(t, "1234,50", shown(field{Name: "amount", Kind: "number", Was: "1234.50"}))
	require.Empty(t, shown(field{Name: "name", Kind: "text", Was: "Ada"}))
}
