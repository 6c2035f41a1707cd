package tax

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
)

func embedded(t *testing.T) *Content {
	t.Helper()
	c, err := LoadContent()
	require.NoError(t, err)
	return c
}

func TestTheStatesOfTheSharedReturn(t *testing.T) {
	t.Parallel()
	c, end := embedded(t), calendar.MustDate("2026-10-31")
	states := c.SimplifiedStates(end)
	require.Len(t, states, 24)
	for _, state := range states {
		s, ok := c.SimplifiedReturn(state, end)
		require.True(t, ok, state)
		require.Equal(t, "SST2015V01", s.Edition)
		whole, _ := c.Jurisdiction("US-" + state)
		require.Equal(t, whole.Code, s.Code, "the code of the state is that of the census")
		require.NotEmpty(t, s.Lines)
		require.Equal(t, []string{"EACH"}, s.Rule(SimplifiedBreakout).Value)
	}
	for _, other := range []string{"TX", "CA", "*", ""} {
		_, ok := c.SimplifiedReturn(other, end)
		require.False(t, ok, other)
	}
	_, ok := c.SimplifiedReturn("MI", calendar.MustDate("2012-12-31"))
	require.False(t, ok, "since 2013 every seller may file it")
}

func TestRulesOfTheSharedReturnAreDated(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	before, _ := c.SimplifiedReturn("AR", calendar.MustDate("2025-12-31"))
	after, _ := c.SimplifiedReturn("AR", calendar.MustDate("2026-01-31"))
	own, local := before.Rule(SimplifiedOwnRate), after.Rule(SimplifiedLocalOnly)
	require.True(t, own.Has("FOOD"))
	require.True(t, local.Has("FOOD"))
	require.Empty(t, before.Rule(SimplifiedLocalOnly).Value)
	require.Empty(t, after.Rule(SimplifiedOwnRate).Value)
}

// The classes with a state rate of their own are those of the table of taxability, at the end of each year. So are those that
// only localities tax. A class without a rule of its own has that of the class above it, so that bottled water is food.
func TestTheClassesOfTheSharedReturnAreThoseOfTheLaw(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	foods := []TaxClass{"FOOD", "SUPPLEMENT", "CANDY", "SOFT_DRINK", "BOTTLED_WATER", "DRUGS_RX", "DRUGS_OTC"}
	for _, text := range []string{"2023-12-31", "2024-12-31", "2025-12-31", "2026-12-31"} {
		day := calendar.MustDate(text)
		for _, state := range c.SimplifiedStates(day) {
			s, _ := c.SimplifiedReturn(state, day)
			own, local := s.Rule(SimplifiedOwnRate), s.Rule(SimplifiedLocalOnly)
			for _, class := range classes {
				key, named := class.key()
				law := c.states[c.usState(state)-1].taxabilityOn(key, day)
				if !named || law == nil {
					continue // sales of a class without a rule are taxed like all others
				}
				general, _ := c.jurisdictions[c.byID["US-"+state]].rateOn(keyAny, keyAny, day)
				if slices.Contains(foods, class) {
					taxed := law.treatment != treatExempt && law.hasRate && law.rate > 0 && law.rate != general.nano
					require.Equal(t, taxed, own.Has(string(class)), "%s %s %s has a rate of its own", state, class, text)
				}
				free := law.treatment == treatExempt || law.hasRate && law.rate == 0
				require.Equal(t, free && law.local != localNone, local.Has(string(class)), "%s %s %s is taxed by localities alone",
					state, class, text)
			}
		}
	}
}

func TestCodesOfTheSharedReturnLackTheDigitsOfTheState(t *testing.T) {
	t.Parallel()
	c, end := embedded(t), calendar.MustDate("2026-10-31")
	for _, test := range []struct {
		state     string
		kind      JurisdictionType
		name      string
		code      string
		statewide bool
	}{
		{"TN", TypeCounty, "Davidson County", "037", false},
		{"TN", TypeCity, "Bartlett", "03440", false},
		{"OK", TypeCity, "Tulsa (Osage County)", "75000", false},
		{"WV", TypeCity, "Morgantown", "55756", false},
		{"NV", TypeCounty, "Clark County", "003", false},
		{"NV", TypeSpecial, "Nevada statewide local taxes (BCCRT 0.50 + SCCRT 1.75)", "", true},
		{"IA", TypeCity, "Des Moines", "", false},
		{"TN", TypeCity, "Nowhere", "", false},
		{"TN", TypeState, "Tennessee", "", false},
	} {
		s, _ := c.SimplifiedReturn(test.state, end)
		code, statewide := s.Codes.Of(test.kind, test.name)
		require.Equal(t, test.code, code, test.name)
		require.Equal(t, test.statewide, statewide, test.name)
	}
	transit, _ := c.Jurisdiction("US-TN-D-davidson-transit")
	s, _ := c.SimplifiedReturn("TN", end)
	code, _ := s.Codes.Of(TypeSpecial, transit.Name)
	require.Equal(t, "91951", code, "districts have no digits of the state")
}

func TestFaultsOfTheSharedReturnNameTheRow(t *testing.T) {
	t.Parallel()
	at := content.RowRef{File: "shared.csv", Line: 7}
	ruled := func(change func(*content.SimplifiedRuleRow)) func(*content.Data) {
		return func(d *content.Data) {
			row := content.SimplifiedRuleRow{At: at, State: "TX", Part: "OWN_RATE", Value: []string{"FOOD"}, From: 20200101, Source: "Code",
				Confidence: "HIGH"}
			change(&row)
			d.SimplifiedRules = []content.SimplifiedRuleRow{row}
		}
	}
	lined := func(change func(*content.SimplifiedLineRow)) func(*content.Data) {
		return func(d *content.Data) {
			row := content.SimplifiedLineRow{At: at, Edition: "V1", Line: "TotalSales", Name: "Sales", Rule: "All", Source: "Schema",
				Confidence: "HIGH"}
			change(&row)
			d.SimplifiedLines = []content.SimplifiedLineRow{row}
		}
	}
	for name, test := range map[string]struct {
		change func(*content.Data)
		want   string
	}{
		"a rule":               {ruled(func(*content.SimplifiedRuleRow) {}), ""},
		"of no state":          {ruled(func(r *content.SimplifiedRuleRow) { r.State = "XX" }), `unknown state "XX"`},
		"without a source":     {ruled(func(r *content.SimplifiedRuleRow) { r.Source = "" }), "no source"},
		"without a value":      {ruled(func(r *content.SimplifiedRuleRow) { r.Value = nil }), "no value"},
		"without a first day":  {ruled(func(r *content.SimplifiedRuleRow) { r.From = 0 }), "no first day"},
		"of no part":           {ruled(func(r *content.SimplifiedRuleRow) { r.Part = "SIZE" }), `unknown part "SIZE"`},
		"of no class":          {ruled(func(r *content.SimplifiedRuleRow) { r.Value = []string{"BREAD"} }), `unknown class "BREAD"`},
		"of another value":     {ruled(func(r *content.SimplifiedRuleRow) { r.Part, r.Value = "BREAKOUT", []string{"YEARLY"} }), "and may be"},
		"a member with a name": {ruled(func(r *content.SimplifiedRuleRow) { r.Part, r.Value = "MEMBER", []string{"Texas"} }), "two digits"},
		"that ends before":     {ruled(func(r *content.SimplifiedRuleRow) { r.To = r.From - 1 }), "before it starts"},
		"two of a day": {func(d *content.Data) {
			ruled(func(*content.SimplifiedRuleRow) {})(d)
			d.SimplifiedRules = append(d.SimplifiedRules, d.SimplifiedRules[0])
		}, "overlaps another row"},
		"an edition without lines": {ruled(func(r *content.SimplifiedRuleRow) { r.Part, r.Value = "EDITION", []string{"V9"} }),
			"has no lines"},
		"a line":                  {lined(func(*content.SimplifiedLineRow) {}), ""},
		"a line without a name":   {lined(func(l *content.SimplifiedLineRow) { l.Name = "" }), "no edition, number, name or rule"},
		"a line without a source": {lined(func(l *content.SimplifiedLineRow) { l.Source = "" }), "no source"},
		"a line twice": {func(d *content.Data) {
			lined(func(*content.SimplifiedLineRow) {})(d)
			d.SimplifiedLines = append(d.SimplifiedLines, d.SimplifiedLines[0])
		}, "a second line TotalSales of V1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sample()
			test.change(&d)
			_, err := newContent(d)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, content.ErrContent)
			require.ErrorContains(t, err, "shared.csv:7")
			require.ErrorContains(t, err, test.want)
		})
	}
}

// A state that leaves, and an edition that follows another one, end the days of their files.
func TestTheFilesOfTheSharedReturnAreDated(t *testing.T) {
	t.Parallel()
	c := Content{shared: []SimplifiedRule{
		{State: AnyState, Part: SimplifiedEdition, Span: calendar.Span{From: 20130101, To: 20231231}, Value: []string{"A"}},
		{State: AnyState, Part: SimplifiedEdition, Span: calendar.Span{From: 20240101}, Value: []string{"B"}},
		{State: "KS", Part: SimplifiedMember, Span: calendar.Span{From: 20130101, To: 20240630}, Value: []string{"20"}},
		{State: "GA", Part: SimplifiedMember, Span: calendar.Span{From: 20250101}, Value: []string{"13"}},
	}}
	whole := embedded(t)
	c.states, c.usStates, c.jurisdictions = whole.states, whole.usStates, whole.jurisdictions
	var files []string
	for _, f := range c.SimplifiedFiles() {
		files = append(files, fmt.Sprint(f.State, " ", f.ID, " ", f.From, " ", f.To))
	}
	require.Equal(t, []string{
		"KS US-SER/A 2013-01-01 2023-12-31", "KS US-SER/B 2024-01-01 2024-06-30", "GA US-SER/B 2025-01-01 ",
	}, files)
}
