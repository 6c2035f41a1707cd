package rules_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

func TestDaysOfAnObligation(t *testing.T) {
	t.Parallel()
	span := func(start, end string) calendar.Period {
		p := calendar.Period{Start: calendar.MustDate(start)}
		if end != "" {
			p.End = calendar.MustDate(end)
		}
		return p
	}
	for name, c := range map[string]struct {
		spans []calendar.Period
		want  string
	}{
		"none":             {nil, ""},
		"one that goes on": {[]calendar.Period{span("2026-01-01", "")}, "2026-01-01.."},
		"one that ends":    {[]calendar.Period{span("2026-01-01", "2026-01-31")}, "2026-01-01..2026-01-31"},
		"days between are not obliged": {
			[]calendar.Period{span("2026-03-01", "2026-03-31"), span("2026-01-01", "2026-01-31")},
			"2026-01-01..2026-03-31 without 2026-02-01..2026-02-28",
		},
		"one follows the other": {
			[]calendar.Period{span("2026-01-01", "2026-01-31"), span("2026-02-01", "")}, "2026-01-01..",
		},
		"they overlap": {
			[]calendar.Period{span("2026-01-01", "2026-02-15"), span("2026-02-01", "2026-03-31")},
			"2026-01-01..2026-03-31",
		},
		"one lies in the other": {
			[]calendar.Period{span("2026-01-01", "2026-12-31"), span("2026-02-01", "2026-03-31")},
			"2026-01-01..2026-12-31",
		},
		"a period without an end covers all later ones": {
			[]calendar.Period{
				span("2026-01-01", "2026-01-31"), span("2026-03-01", ""), span("2026-05-01", "2026-05-31"),
			},
			"2026-01-01.. without 2026-02-01..2026-02-28",
		},
		"two gaps": {
			[]calendar.Period{
				span("2026-01-01", "2026-01-31"), span("2026-03-01", "2026-03-31"), span("2026-05-01", ""),
			},
			"2026-01-01.. without 2026-02-01..2026-02-28 without 2026-04-01..2026-04-30",
		},
	} {
		o := rules.ObligationOf(c.spans)
		got := ""
		if o.From != nil {
			got = o.From.Format("2006-01-02") + ".."
		}
		if o.Until != nil {
			got += o.Until.Format("2006-01-02")
		}
		for _, g := range o.Gaps {
			got += fmt.Sprintf(" without %s..%s", g.Start, g.End)
		}
		require.Equal(t, c.want, got, name)
		for day := calendar.MustDate("2025-12-01"); day < calendar.MustDate("2026-12-31"); day = day.AddDays(1) {
			exists := false
			for _, s := range c.spans {
				exists = exists || s.Start <= day && (s.End == 0 || day <= s.End)
			}
			require.Equal(t, exists, o.Exists(day), "%s on %s", name, day)
		}
	}
	o := rules.ObligationOf([]calendar.Period{span("2026-01-01", "2026-01-31"), span("2026-03-01", "")})
	require.Equal(t, "2026-01-01", o.Start(calendar.MustDate("2026-01-31")).String())
	require.Equal(t, "2026-03-01", o.Start(calendar.MustDate("2026-03-01")).String())
}

func TestTaxesThatARegistrationCovers(t *testing.T) {
	t.Parallel()
	covers := models.Covers{
		{Country: "US", State: "NY", From: calendar.MustDate("2026-02-01")},
		{Country: "CA", State: "CA", From: calendar.MustDate("2026-01-01")},
		{Country: nexus.EuropeanUnion, State: nexus.EuropeanUnion, Home: "IE", From: calendar.MustDate("2026-01-01")},
	}
	for _, c := range []struct {
		name      string
		authority tax.Authority
		day       string
		covered   bool
	}{
		{"the first day", tax.Authority{Country: "US", State: "NY"}, "2026-02-01", true},
		{"the day before", tax.Authority{Country: "US", State: "NY"}, "2026-01-31", false},
		{"another state", tax.Authority{Country: "US", State: "NJ"}, "2026-05-01", false},
		{"the federal tax of Canada", tax.Authority{Country: "CA"}, "2026-05-01", true},
		{"a province's tax needs the province's own", tax.Authority{Country: "CA", State: "BC"}, "2026-05-01", false},
		{"a member state by the one-stop shop", tax.Authority{Country: "DE"}, "2026-05-01", true},
		{"the member state of identification", tax.Authority{Country: "IE"}, "2026-05-01", false},
		{"a country outside the Union", tax.Authority{Country: "CH"}, "2026-05-01", false},
	} {
		require.Equal(t, c.covered, rules.IsCovered(covers, c.authority, calendar.MustDate(c.day)), c.name)
	}
	require.False(
		t,
		rules.IsCovered(models.Covers(nil), tax.Authority{Country: "US", State: "NY"}, calendar.MustDate("2026-05-01")),
	)
}

func TestARegistrationExtendsAnObligation(t *testing.T) {
	t.Parallel()
	span := func(start, end string) calendar.Period {
		p := calendar.Period{Start: calendar.MustDate(start)}
		if end != "" {
			p.End = calendar.MustDate(end)
		}
		return p
	}
	january, march := span("2026-01-01", "2026-01-31"), span("2026-03-01", "2026-03-31")
	for name, c := range map[string]struct {
		before []calendar.Period
		first  string
		want   []calendar.Period
	}{
		"where there was none": {nil, "2026-02-01", []calendar.Period{span("2026-02-01", "")}},
		"before it":            {[]calendar.Period{march}, "2026-02-01", []calendar.Period{span("2026-02-01", "")}},
		"within it":            {[]calendar.Period{january}, "2026-01-20", []calendar.Period{span("2026-01-01", "")}},
		"after it": {[]calendar.Period{january}, "2026-02-02",
			[]calendar.Period{january, span("2026-02-02", "")}},
		"the day after it": {[]calendar.Period{january}, "2026-02-01", []calendar.Period{span("2026-01-01", "")}},
		"in its gap": {[]calendar.Period{january, march}, "2026-02-10",
			[]calendar.Period{january, span("2026-02-10", "")}},
		"after its last days": {[]calendar.Period{january, march}, "2026-05-01",
			[]calendar.Period{january, march, span("2026-05-01", "")}},
		"of one that goes on anyway": {[]calendar.Period{span("2026-01-01", "")}, "2026-05-01",
			[]calendar.Period{span("2026-01-01", "")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, rules.ObligationOf(c.want),
				rules.WithRegistration(rules.ObligationOf(c.before), calendar.MustDate(c.first)))
		})
	}
}
