package ser

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

func total(t testing.TB, text string) money.Total {
	t.Helper()
	sum, err := money.ParseTotal(text)
	require.NoError(t, err)
	return sum
}

// figure reads a figure from "level name rate channel category/class origin gross taxable owed"; "_" in names is a space.
func figure(t testing.TB, text string) models.FilingFigure {
	t.Helper()
	f := strings.Fields(text)
	require.Len(t, f, 9, text)
	category, class, _ := strings.Cut(f[4], "/")
	x := models.FilingFigure{
		FigureKey: models.FigureKey{
			Level: f[0], Name: strings.ReplaceAll(f[1], "_", " "), Rate: f[2], Sign: models.FigureSale, Channel: f[3],
			Origin:   map[string]string{"in": models.OriginInState, "out": models.OriginOutOfState, "?": models.OriginUnknown}[f[5]],
			Category: category, Class: class,
		},
		Transactions: 1, Gross: total(t, f[6]), Taxable: total(t, f[7]), Tax: total(t, f[8]), Owed: total(t, f[8]),
	}
	if x.Channel == models.ChannelMarketplace {
		x.Owed = money.Total{}
	}
	return x
}

// content is the embedded content, which is loaded once.
var content = func() func(t testing.TB) *tax.Content {
	loaded, err := tax.LoadContent()
	return func(t testing.TB) *tax.Content {
		t.Helper()
		require.NoError(t, err)
		return loaded
	}
}()

// layouts are the layouts of states that were read before.
var layouts sync.Map

type stateAndEnd struct {
	state string
	end   calendar.Date
}

// layout returns the simplified return of a state.
func layout(t testing.TB, state string, end calendar.Date) (tax.SimplifiedReturn, bool) {
	t.Helper()
	key := stateAndEnd{state, end}
	found, ok := layouts.Load(key)
	if !ok {
		s, _ := content(t).SimplifiedReturn(state, end)
		found, _ = layouts.LoadOrStore(key, s)
	}
	s := found.(tax.SimplifiedReturn)
	return s, s.Edition != ""
}

// filed is a monthly return of a state with figures, sent on 19 November 2026.
func filed(t testing.TB, state string, month time.Month, figures ...string) Input {
	t.Helper()
	start := time.Date(2026, month, 1, 0, 0, 0, 0, time.UTC)
	in := Input{
		Filing: models.Filing{
			CountryCode: "US", StateCode: state, Currency: "USD", StartDate: start, EndDate: start.AddDate(0, 1, -1),
			FilingCategory: calendar.FilingRegular,
		},
		Taxpayer: Taxpayer{Number: "S00004711", TIN: "98-7654321"}, Test: true, Day: calendar.MustDate("2026-11-19"),
		IDs: IDs{Transmitter: "S00004711", Transmission: "S0000471126323000001", Document: "S0000471126323000002"},
	}
	var ok bool
	in.Layout, ok = layout(t, state, calendar.DateOf(in.Filing.EndDate))
	require.True(t, ok)
	for _, text := range figures {
		in.add(t, figure(t, text))
	}
	return in
}

// add adds a figure and what is owed.
func (in *Input) add(t testing.TB, x models.FilingFigure) {
	t.Helper()
	in.Figures.Figures = append(in.Figures.Figures, x)
	var err error
	in.Filing.TotalTaxLiability, err = in.Filing.TotalTaxLiability.Plus(x.Owed)
	require.NoError(t, err)
}

// enter adds an entry, as a person does.
func (in *Input) enter(t testing.TB, e models.FilingEntry) {
	t.Helper()
	status := in.Filing.Status
	in.Filing.Status, in.Filing.Entries = models.FilingUnfiled, in.Entries
	require.NoError(t, in.Filing.AddEntry(e))
	in.Entries, in.Filing.Entries, in.Filing.Status = in.Filing.Entries, nil, status
}

// rule replaces a rule of the state.
func (in *Input) rule(part string, sure tax.Confidence, value ...string) {
	rules := []tax.SimplifiedRule{{State: in.Layout.State, Part: part, Value: value, Confidence: sure}}
	for _, r := range in.Layout.Rules {
		if r.Part != part {
			rules = append(rules, r)
		}
	}
	in.Layout.Rules = rules
}

// amends makes an amendment of what was filed and paid. Its figures are the difference.
func (in *Input) amends(t testing.TB, before ...Input) {
	t.Helper()
	in.Filing.FilingCategory = models.FilingAmendment
	totals := &models.AmendedTotals{TotalTaxLiability: in.Filing.TotalTaxLiability}
	plus := func(to *money.Total, by money.Total) {
		sum, err := to.Plus(by)
		require.NoError(t, err)
		*to = sum
	}
	for i := range before {
		b := &before[i]
		in.Before = append(in.Before, Before{Figures: b.Figures, Entries: b.Entries, Discounts: b.Filing.AmountDiscounts})
		plus(&totals.TotalTaxLiability, b.Filing.TotalTaxLiability)
		plus(&totals.PreviouslyReportedLiability, b.Filing.TotalTaxLiability)
		paid, err := b.Filing.Amount()
		require.NoError(t, err)
		plus(&totals.PreviouslyPaid, paid)
		plus(&totals.PreviouslyPaid, b.Filing.AmountPenalties.Neg())
		plus(&totals.PreviouslyPaid, b.Filing.AmountPrepaid)
	}
	in.Filing.AmendedTotals = totals
}

// receiver is the state that gets the return.
func (in *Input) receiver() Receiver {
	return Receiver{Layout: in.Layout, Test: in.Test, SignedIn: in.IDs.Transmitter, ContentType: MediaType, Day: in.Day}
}

// codes are the codes of findings.
func codes(findings []Finding) []string {
	all := []string{}
	for _, f := range findings {
		all = append(all, f.Code)
	}
	return all
}

// made returns a document without errors, and its elements.
func made(t testing.TB, in Input) (Document, *node) {
	t.Helper()
	d, findings := Make(in)
	require.NotEmpty(t, d.Bytes, "%v", findings)
	root, err := parse(d.Bytes)
	require.NoError(t, err)
	require.Empty(t, Validate(d.Bytes, in.receiver()))
	require.Empty(t, Sums(d.Bytes))
	return d, root
}

// texts are the texts of all elements without children, in their order.
func texts(n *node) (all []string) {
	if len(n.children) == 0 {
		return []string{n.name + " " + n.text}
	}
	for _, c := range n.children {
		all = append(all, texts(c)...)
	}
	return all
}
