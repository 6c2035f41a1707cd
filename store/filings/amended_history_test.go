package filings_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/test/seed"
)

// event is what happens to one document of a history. Amounts are in cents.
type event struct {
	kind        string // SELL, EDIT, REFUND
	of          int    // the document that an edit changes, or that a refund is of
	amount      int64
	day         int
	marketplace bool
}

// period is a month in which a history happens. Its documents are numbered.
type period struct {
	*storetest.FilingBundle
	t      *testing.T
	month  calendar.Date // its first day
	filing string        // the regular return
	refs   []models.Ref
}

// open creates the return of a month, counted from January 2025 on.
func (p *period) open(month int) {
	p.month = calendar.MustDate("2025-01-01").AddMonths(month)
	f := storetest.FilingOf(p.Registration, models.FilingUnfiled, p.month.String(), p.month.LastOfMonth().String())
	p.filing = p.Create(p.t, f).ID
}

// divided gives a half of the tax of a total to a place. The number of cents decides which place, and which class was sold.
func divided(x *models.Transaction, total *models.AuthorityTotal) {
	cents := int64(total.Sales.Coef())
	key := models.FigureKey{
		Level: "STATE", Name: "New York", Rate: "0.05", Sign: models.FigureSale, Channel: models.ChannelOwn,
		Origin: models.OriginInState, Class: []string{"PHYSICAL", "SOFTWARE"}[cents/3%2],
	}
	if x.Type.IsCredit() {
		key.Sign = models.FigureRefund
	}
	if x.Marketplace {
		key.Channel = models.ChannelMarketplace
	}
	half := decimal.MustNew(int64(total.Tax.Coef())/2, total.Tax.Scale())
	if total.Tax.IsNeg() {
		half = half.Neg()
	}
	rest, err := total.Tax.Sub(half)
	if err != nil {
		panic(err)
	}
	total.FigurePlace = []string{"Albany County", "Erie County", "Kings County"}[cents%3]
	local := key
	local.Level, local.Name = "COUNTY", total.FigurePlace
	total.Figures = []models.Figure{
		{FigureKey: key, Gross: total.Sales, Taxable: total.Taxable, Tax: half, Owed: half},
		{FigureKey: local, Taxable: total.Taxable, Tax: rest, Owed: rest},
	}
	if x.Marketplace {
		total.Figures[0].Owed, total.Figures[1].Owed = decimal.Zero, decimal.Zero
	}
}

// happen does what an event says, and reports whether the store takes it: what was handed over takes no edit.
func (p *period) happen(e event) bool {
	ctx := context.Background()
	if e.kind == "EDIT" {
		changed, err := p.Update(p.refs[e.of].ID, func(d *models.TransactionDraft) { d.Items[0].Amount = decimal.MustNew(e.amount, 2) })
		if err != nil {
			require.True(p.t, tolerated(err), err)
			return false
		}
		p.refs[e.of].Epoch = changed.Epoch
		p.Process(p.t, p.refs[e.of])
		return true
	}
	d := storetest.Draft(p.Scope, models.NewID(models.PrefixTransaction))
	d.Date = p.month.AddDays(e.day).Time()
	d.TaxDate, d.Marketplace, d.Items[0].Amount = d.Date, e.marketplace, decimal.MustNew(e.amount, 2)
	require.NoError(p.t, p.Intake.Accept(ctx, d))
	ref := models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1}
	if e.kind == "REFUND" {
		_, err := p.SQL.Exec(ctx, "UPDATE transactions SET type = 'PARTIAL_CREDIT_NOTE', related_to = $2 WHERE id = $1", ref.ID,
			p.refs[e.of].ID)
		require.NoError(p.t, err)
	}
	p.refs = append(p.refs, ref)
	p.Process(p.t, ref)
	return true
}

func (p *period) amend() {
	_, err := p.Store.Filings.AmendFilings(p.t.Context())
	require.NoError(p.t, err)
}

// returns are the regular return of the period and its amendments, the oldest first.
func (p *period) returns() []models.Filing {
	return append([]models.Filing{p.Read(p.t, p.filing)}, p.Amendments(p.t, p.filing)...)
}

// step approves a return, or takes one on that was handed over, or back.
func (p *period) step(random *rand.Rand) string {
	all := p.returns()
	f := all[random.IntN(len(all))]
	to := models.FilingFiled
	switch f.Status {
	case models.FilingUnfiled:
		_, err := p.Approve(f.ID)
		require.True(p.t, tolerated(err), err)
		return "approve " + string(f.FilingCategory)
	case models.FilingFiling:
		if random.IntN(3) == 0 {
			to = models.FilingIssue
		}
	case models.FilingIssue:
		to = []models.FilingStatus{models.FilingUnfiled, models.FilingFiling}[random.IntN(2)]
	default:
		return ""
	}
	_, err := p.Transition(f.ID, to)
	require.True(p.t, tolerated(err), err)
	p.amend()
	return string(f.FilingCategory) + " becomes " + string(to)
}

// finish files all returns that are open.
func (p *period) finish() {
	next := map[models.FilingStatus]models.FilingStatus{
		models.FilingIssue: models.FilingUnfiled, models.FilingUnfiled: models.FilingFiling, models.FilingFiling: models.FilingFiled,
	}
	for range 50 {
		p.amend()
		all := p.returns()
		at := slices.IndexFunc(all, func(f models.Filing) bool { return next[f.Status] != "" })
		if at < 0 {
			return
		}
		var err error
		if f := all[at]; isOpen(f) {
			_, err = p.Approve(f.ID)
		} else {
			_, err = p.Transition(f.ID, next[f.Status])
		}
		require.NoError(p.t, err)
	}
	require.Fail(p.t, "returns stay open")
}

// said is what the authority has in the end: the totals that the last amendment says, and the sums of all figures.
func (p *period) said() (totals string, figures map[string]string, amendments int) {
	p.t.Helper()
	all := p.returns()
	sums := map[string][4]money.Total{}
	counts := map[string]int64{}
	var last *models.Filing
	for i := range all {
		f := &all[i]
		if f.Status != models.FilingFiled {
			continue
		}
		if last == nil || f.ID != p.filing && f.ClaimedAt.After(*last.ClaimedAt) {
			last = f
		}
		amendments++
		of, err := p.Store.Filings.Figures(p.t.Context(), p.Scope, f.ID)
		require.NoError(p.t, err)
		require.True(p.t, of.Frozen)
		require.Zero(p.t, of.Missing)
		for _, x := range of.Figures {
			at := x.Place + "|" + x.String()
			sum := sums[at]
			for n, amount := range []money.Total{x.Gross, x.Taxable, x.Tax, x.Owed} {
				sum[n], err = sum[n].Plus(amount)
				require.NoError(p.t, err)
			}
			sums[at], counts[at] = sum, counts[at]+x.Transactions
		}
	}
	figures = map[string]string{}
	for at, sum := range sums {
		figures[at] = fmt.Sprint(counts[at], sum)
	}
	require.NotNil(p.t, last, "nothing is filed")
	if a := last.AmendedTotals; a != nil {
		return fmt.Sprint(a.AmountSales, a.TotalTaxableSales, a.AmountCalculated, a.TotalTaxLiability), figures, amendments - 1
	}
	return fmt.Sprint(last.AmountSales, last.TotalTaxableSales, last.AmountCalculated, last.TotalTaxLiability), figures, amendments - 1
}

// drawEvent draws the next event of a history of some documents.
func drawEvent(random *rand.Rand, sales []int) event {
	e := event{kind: "SELL", amount: 10 * (1 + random.Int64N(20_000)), day: random.IntN(28), marketplace: random.IntN(5) == 0}
	if len(sales) == 0 {
		return e
	}
	switch e.of = sales[random.IntN(len(sales))]; random.IntN(5) {
	case 0:
		e.kind = "EDIT"
	case 1:
		e.kind, e.amount, e.marketplace = "REFUND", -10*(1+random.Int64N(500)), false
	}
	return e
}

// A return and its amendments end in the same totals and figures as a return with one amendment that is made at once. A
// return that waits for everything ends there too. Returns are handed over, taken back and amended between any two events.
func TestAmendmentsEndWhereOneAtOnceEnds(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Divide = divided
	several, histories := 0, 2
	if seed.Seed() != 1 { // the long form
		histories = 7
	}
	for history := range histories {
		random := rand.New(rand.NewPCG(seed.Seed(), 300+uint64(history)))
		steps := &period{FilingBundle: b, t: t}
		steps.open(3 * history)
		var events []event
		var story []string
		var sales []int
		filedAt := 0 // the events before the regular return was filed
		happen := func() {
			e := drawEvent(random, sales)
			if !steps.happen(e) {
				return
			}
			if e.kind == "SELL" {
				sales = append(sales, len(steps.refs)-1)
			}
			events, story = append(events, e), append(story, fmt.Sprintf("%+v", e))
			steps.amend()
		}
		regular := models.FilingUnfiled
		claimed := 0
		for range 40 {
			if random.IntN(2) == 0 {
				happen()
				continue
			}
			story = append(story, steps.step(random))
			now := steps.Read(t, steps.filing).Status
			if regular == models.FilingUnfiled && now == models.FilingFiling {
				claimed = len(events)
			}
			if regular != models.FilingFiled && now == models.FilingFiled {
				filedAt = claimed
			}
			regular = now
		}
		if regular != models.FilingFiled {
			steps.finish()
			filedAt = len(events)
		}
		for n := len(events) + 3; len(events) < n; { // some are late in every history
			happen()
		}
		steps.finish()

		atOnce, waiting := &period{FilingBundle: b, t: t}, &period{FilingBundle: b, t: t}
		atOnce.open(3*history + 1)
		waiting.open(3*history + 2)
		for n, e := range events {
			if n == filedAt {
				_, err := atOnce.Approve(atOnce.filing)
				require.NoError(t, err)
				_, err = atOnce.Transition(atOnce.filing, models.FilingFiled)
				require.NoError(t, err)
			}
			require.True(t, atOnce.happen(e), "%+v", e)
			require.True(t, waiting.happen(e), "%+v", e)
		}
		atOnce.finish()
		waiting.finish()

		where := fmt.Sprintf("history %d, %s\n%s", history, seed.Again(), strings.Join(story, "\n"))
		totals, figures, amendments := steps.said()
		totalsAtOnce, figuresAtOnce, one := atOnce.said()
		require.Equal(t, 1, one, where)
		totalsWaiting, figuresWaiting, none := waiting.said()
		require.Zero(t, none, where)
		require.Equal(t, totalsWaiting, totals, where)
		require.Equal(t, totalsWaiting, totalsAtOnce, where)
		require.Equal(t, figuresWaiting, figures, where)
		require.Equal(t, figuresWaiting, figuresAtOnce, where)
		several += amendments
	}
	require.True(t, several > histories || seed.Seed() != 1, "some return has several amendments")
}
