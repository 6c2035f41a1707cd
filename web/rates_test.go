package web

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// ratesWith answers with the rates that were set before.
func ratesWith(before string) map[string]string {
	return map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/rate_overrides": `{"items":[` + before + `]}`, "POST /v1/rate_overrides": `{"id":"rate_1"}`,
		"GET /v1/products/categories": `[]`,
	}
}

// aRate is a form for a rate in Denver.
func aRate(percent string, more url.Values) url.Values {
	form := url.Values{
		"action": {"set"}, "country_code": {"US"}, "state_code": {"CO"}, "jurisdiction_type": {"CITY"}, "jurisdiction_name": {"Denver"},
		"rate": {percent}, "start_date": {"2026-01-01"}, "reason": {"Ballot measure"},
	}
	for name, values := range more {
		form[name] = values
	}
	return form
}

const inDenver = `{"country_code":"US","state_code":"CO","jurisdiction_type":"CITY","jurisdiction_name":"Denver",` +
	`"start_date":"2025-01-01","rate":"0.04"},{"country_code":"US","state_code":"CO","jurisdiction_type":"COUNTY",` +
	`"jurisdiction_name":"Denver","start_date":"2025-06-01","rate":"0.5"}`

// The form that changes a rate has its place. The new rate, its days and its reason are typed.
func TestARateIsChangedFromItsLine(t *testing.T) {
	t.Parallel()
	answers := ratesWith(`{"id":"rate_1","jurisdiction_name":"Denver"}`)
	require.Contains(t, visitedWith(t, answers, "/o/org_1/rates?page=1", nil).Body.String(), `href="?like=rate_1&amp;page=1"`)
	answers["GET /v1/rate_overrides/rate_1"] = `{"id":"rate_1","country_code":"US","state_code":"CO","jurisdiction_type":"CITY",
		"jurisdiction_name":"Denver","rate":"0.0515","tax_class":"CLOTHING","start_date":"2025-01-01","reason":"Ballot measure"}`
	form := visitedWith(t, answers, "/o/org_1/rates?like=rate_1", nil).Body.String()
	for _, text := range []string{`value="Denver"`, `<option value="CITY" selected>`, `value="clothing"`, " autofocus"} {
		require.Contains(t, form, text)
	}
	for _, text := range []string{"0.0515", `value="2025-01-01"`, `value="Ballot measure"`} {
		require.NotContains(t, form, text)
	}
}

// A rate is typed in percent, and set after the page has shown the tax on 100.00.
func TestARateIsTypedInPercentAndShownOnAHundred(t *testing.T) {
	t.Parallel()
	const path = "/o/org_1/rates"
	page, sent := bodiesSent(t, ratesWith(inDenver), path, aRate("5.25", nil))
	require.Empty(t, sent, "nothing is set before the person has seen what it means")
	require.Contains(t, page, "5.25 % in <bdi>Denver</bdi>: on 100.00 that is <b>5.25</b> of tax.")
	require.Contains(t, page, "Until now you had set 4 % there, 4.00 on 100.00.")
	require.Contains(t, page, `name="seen" value="0.0525"`)
	require.Contains(t, page, `name="rate" type="text" inputmode="decimal"`)
	require.NotContains(t, page, `name="sure"`)

	_, sent = bodiesSent(t, ratesWith(inDenver), path, aRate("5.25 %", url.Values{"seen": {"0.0525"}, "before": {"0.04"}}))
	require.Len(t, sent, 1)
	require.Contains(t, sent[0], `"rate":"0.0525"`)

	page, sent = bodiesSent(t, ratesWith(inDenver), path, aRate("6", url.Values{"seen": {"0.0525"}, "before": {"0.04"}}))
	require.Empty(t, sent, "another rate than the one that was seen is shown first")
	require.Contains(t, page, "on 100.00 that is <b>6.00</b>")

	page, sent = bodiesSent(t, ratesWith(inDenver), path, aRate("5.25", url.Values{"seen": {"0.0525"}, "before": {"0.05"}}))
	require.Empty(t, sent, "the rate that a colleague has set meanwhile is shown first")
	require.Contains(t, page, "Until now you had set 4 % there")
}

// A leap, and a rate that no law has, are set only after the person has confirmed them.
func TestALeapOfARateIsAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, percent, seen, says string
		asks                        bool
	}{
		"half of the price":           {inDenver, "50", "0.5", "This is a leap.", true},
		"a fraction":                  {inDenver, "0.0525", "0.000525", "This is a leap.", true},
		"a fraction, without another": {"", "0.0825", "0.000825", "Such a rate is unusual.", true},
		"a high rate":                 {"", "30.5", "0.305", "Such a rate is unusual.", true},
		"none at all":                 {inDenver, "0", "0", "", false},
		"a usual rate":                {"", "8.875", "0.08875", "", false},
	} {
		answers, before := ratesWith(c.before), ""
		if c.before != "" {
			before = "0.04"
		}
		shown := url.Values{"seen": {c.seen}, "before": {before}}
		page, sent := bodiesSent(t, answers, "/o/org_1/rates", aRate(c.percent, shown))
		require.Equal(t, c.asks, len(sent) == 0, name)
		if !c.asks {
			continue
		}
		require.Contains(t, page, c.says, name)
		require.Contains(t, page, `name="sure"`, name)
		shown.Set("sure", "true")
		_, sent = bodiesSent(t, answers, "/o/org_1/rates", aRate(c.percent, shown))
		require.Len(t, sent, 1, name)
		require.Contains(t, sent[0], `"rate":"`+c.seen+`"`, name)
	}
}

// A text that is no rate goes to the service, which names all faults at once.
func TestARateThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	answers := ratesWith("")
	answers["POST /v1/rate_overrides"] = `{"status":400,"code":"validation_failed","title":"No","detail":"No.",` +
		`"errors":[{"code":"out_of_range","location":"body.rate","message":"Must be a fraction from 0 to 1."}]}`
	for _, percent := range []string{"5,25", "101", "-1", "1/4", "many"} {
		page, sent := bodiesSent(t, answers, "/o/org_1/rates", aRate(percent, nil))
		require.Len(t, sent, 1, percent)
		require.Contains(t, page, "Must be a number of percent from 0 to 100, such as 8.25.", percent)
		require.NotContains(t, page, "fraction", percent)
		require.Contains(t, page, `value="`+percent+`"`)
	}
}
