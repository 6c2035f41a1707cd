package tax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

// After the last day of a state's table a rate there may have changed. The answer says which table, since when, and what
// brings the next edition. A line that no local rate can change stays as sure as it was.
func TestAnAnswerSaysThatTheTableHasEnded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule string
		sale sale
		sure tax.Confidence
		told bool
	}{
		{"the last day of the table", sale{"New York, NY 10118", "PHYSICAL", "100.00", "", "2026-11-30"}, tax.ConfidenceHigh, false},
		{"the day after", sale{"New York, NY 10118", "PHYSICAL", "100.00", "", "2026-12-01"}, tax.ConfidenceMedium, true},
		{"a refund of goods by itself", sale{"New York, NY 10118", "PHYSICAL", "-100.00", "", "2026-12-01"},
			tax.ConfidenceMedium, true},
		{"nothing is paid", sale{"New York, NY 10118", "PHYSICAL", "0.00", "", "2026-12-01"}, tax.ConfidenceHigh, false},
		{"food that nobody taxes", sale{"New York, NY 10118", "FOOD", "100.00", "", "2026-12-01"}, tax.ConfidenceHigh, false},
		{"clothing below the limit", sale{"New York, NY 10118", "CLOTHING", "50.00", "", "2026-12-01"}, tax.ConfidenceHigh, false},
		{"a quarterly table in December", sale{"Minneapolis, MN 55401", "PHYSICAL", "50.00", "", "2026-12-31"},
			tax.ConfidenceHigh, false},
		{"and in January", sale{"Minneapolis, MN 55401", "PHYSICAL", "50.00", "", "2027-01-01"}, tax.ConfidenceMedium, true},
		{"a state without local taxes", sale{"Newark, NJ 07102", "PHYSICAL", "100.00", "", "2031-01-01"}, tax.ConfidenceHigh, false},
	} {
		r := test.sale.calculate(t)
		require.Equal(t, test.sure, r.Confidence, "%s: %v", test.rule, r.Warnings)
		require.Equal(t, test.told, slices.Contains(codes(r), tax.WarningNotConfirmedSince), test.rule)
	}
	r := sale{"New York, NY 10118", "PHYSICAL", "100.00", "", "2026-12-01"}.calculate(t)
	require.Equal(t, []tax.Warning{{Code: tax.WarningNotConfirmedSince, Message: "The rates of New York are confirmed until " +
		"2026-11-30 (Publication 718): what has changed there since is not in the tax content. The operator imports the next " +
		"edition: levy content update, or levy content import-csv and levy content confirm NY=DAY."}}, r.Warnings)
	freed := sale{"New York, NY 10118", "PHYSICAL", "100.00", "", "2026-12-01"}.request(t)
	freed.Lines[0].Exempt = &tax.Exempt{TaxExemption: tax.ExemptionCustomer}
	r, err := loaded(t).Calculate(freed)
	require.NoError(t, err)
	require.Empty(t, r.Warnings)
	require.Equal(t, tax.ConfidenceHigh, r.Confidence)
}

// Of each state it is known when its table ends, or that a statute alone changes its rates.
func TestEveryStateHasATable(t *testing.T) {
	t.Parallel()
	tables := loaded(t).RateTables()
	require.Len(t, tables, 52)
	for _, table := range tables {
		require.Equal(t, table.Until == 0, table.Publication == "statute" && table.State != "DC", table.State)
		require.Equal(t, table.Until == 0, table.Import == "", table.State)
	}
	require.Empty(t, loaded(t).EndedTables(calendar.MustDate("2026-11-30")))
}

// goodsInStates are the states in which a sale of goods is not confirmed on a day, as the answers about it say.
func goodsInStates(t *testing.T, c *tax.Content, day calendar.Date) (told []string) {
	t.Helper()
	for _, table := range c.RateTables() {
		req := sale{"", "PHYSICAL", "100.00", "", day.String()}.request(t)
		req.Destination = tax.Place{Country: "US", State: table.State, Jurisdictions: []string{"US-" + table.State}}
		r, err := c.Calculate(req)
		require.NoError(t, err)
		if slices.Contains(codes(r), tax.WarningNotConfirmedSince) {
			told = append(told, table.State)
		}
	}
	return told
}

// A year goes by. On the first day of each quarter the answers about the states whose tables end before it are told. Where
// their next edition was imported they are sure for that quarter, and told on the first day of the next one.
func TestAYearWithAndWithoutUpdates(t *testing.T) {
	t.Parallel()
	updated, err := content.Unpack(content.Packed())
	require.NoError(t, err)
	places := strings.SplitAfterN(string(updated["places.csv"]), "\n", 3)
	updated["places.csv"] = []byte(places[0] + places[1])
	without := loaded(t)
	var before int
	for _, first := range []string{
		"2026-12-01", "2027-01-01", "2027-03-01", "2027-04-01", "2027-06-01", "2027-07-01", "2027-09-01", "2027-10-01",
	} {
		day := calendar.MustDate(first)
		stale := goodsInStates(t, without, day)
		require.GreaterOrEqual(t, len(stale), before, "without an update nothing is confirmed again")
		before = len(stale)

		pack, err := updated.Pack()
		require.NoError(t, err)
		until, err := tax.ParseContent(pack)
		require.NoError(t, err)
		ended := goodsInStates(t, until, day)
		require.NotEmpty(t, ended, first)
		for _, table := range until.EndedTables(day) {
			require.NoError(t, updated.ConfirmUntil(table.State, day.AddMonths(3).AddDays(-1)))
		}
		pack, err = updated.Pack()
		require.NoError(t, err)
		renewed, err := tax.ParseContent(pack)
		require.NoError(t, err)
		require.Empty(t, goodsInStates(t, renewed, day), first)
		require.Empty(t, goodsInStates(t, renewed, day.AddMonths(1).AddDays(-1)), first)
		require.Subset(t, goodsInStates(t, renewed, day.AddMonths(3)), ended, first)
	}
	require.Equal(t, []string{"AL", "AZ", "NY"}, goodsInStates(t, without, calendar.MustDate("2026-12-01")))
	require.Contains(t, goodsInStates(t, without, calendar.MustDate("2027-01-01")), "GA")
}
