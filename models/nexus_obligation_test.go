package models_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

func TestSpansOfAnObligation(t *testing.T) {
	t.Parallel()
	span := func(start, end string) tax.Period {
		p := tax.Period{Start: tax.MustDate(start)}
		if end != "" {
			p.End = tax.MustDate(end)
		}
		return p
	}
	for name, c := range map[string]struct {
		spans []tax.Period
		want  string
	}{
		"none":                             {nil, ""},
		"one that goes on":                 {[]tax.Period{span("2026-01-01", "")}, "2026-01-01.."},
		"one that ends":                    {[]tax.Period{span("2026-01-01", "2026-01-31")}, "2026-01-01..2026-01-31"},
		"days between are not obliged":     {[]tax.Period{span("2026-03-01", "2026-03-31"), span("2026-01-01", "2026-01-31")}, "2026-01-01..2026-03-31 without 2026-02-01..2026-02-28"},
		"one follows the other":            {[]tax.Period{span("2026-01-01", "2026-01-31"), span("2026-02-01", "")}, "2026-01-01.."},
		"they overlap":                     {[]tax.Period{span("2026-01-01", "2026-02-15"), span("2026-02-01", "2026-03-31")}, "2026-01-01..2026-03-31"},
		"one lies in the other":            {[]tax.Period{span("2026-01-01", "2026-12-31"), span("2026-02-01", "2026-03-31")}, "2026-01-01..2026-12-31"},
		"what goes on covers all after it": {[]tax.Period{span("2026-01-01", "2026-01-31"), span("2026-03-01", ""), span("2026-05-01", "2026-05-31")}, "2026-01-01.. without 2026-02-01..2026-02-28"},
		"two gaps": {
			[]tax.Period{span("2026-01-01", "2026-01-31"), span("2026-03-01", "2026-03-31"), span("2026-05-01", "")},
			"2026-01-01.. without 2026-02-01..2026-02-28 without 2026-04-01..2026-04-30",
		},
	} {
		o := models.ObligationOf(c.spans)
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
		for day := tax.MustDate("2025-12-01"); day < tax.MustDate("2026-12-31"); day = day.AddDays(1) {
			exists := false
			for _, s := range c.spans {
				exists = exists || s.Start <= day && (s.End == 0 || day <= s.End)
			}
			require.Equal(t, exists, o.Exists(day), "%s on %s", name, day)
		}
	}
	o := models.ObligationOf([]tax.Period{span("2026-01-01", "2026-01-31"), span("2026-03-01", "")})
	require.Equal(t, "2026-01-01", o.Start(tax.MustDate("2026-01-31")).String())
	require.Equal(t, "2026-03-01", o.Start(tax.MustDate("2026-03-01")).String())
}
