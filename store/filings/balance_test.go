package filings_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/test/seed"
)

// account is a random history of two registrations at one authority, of which the second follows the first. It knows by
// itself what each document owes.
type account struct {
	credited
	t             *testing.T
	random        *rand.Rand
	story         []string
	registrations []models.Registration
	owes          map[string]int64         // by document, in cents
	sales         []models.Ref             // that are not refunded
	soldOn        map[string]calendar.Date // by sale
	read          []models.Filing          // after the last step; nil: unknown
	claimed       map[string]int64         // the credit that people have claimed, by registration; of refunds under ""
}

func newAccount(t *testing.T, history uint64) *account {
	t.Helper()
	a := &account{
		credited: credited{storetest.SetupFilings(t)}, t: t, random: rand.New(rand.NewPCG(seed.Seed(), history)),
		owes: map[string]int64{}, soldOn: map[string]calendar.Date{}, claimed: map[string]int64{},
	}
	a.registrations = []models.Registration{a.Registration}
	for m := range months {
		a.open(0, m)
	}
	return a
}

// months is the number of months of a history, from January 2026 on.
const months = 4

func monthOf(m int) (first, last calendar.Date) {
	first = calendar.MustDate("2026-01-01").AddMonths(m)
	return first, first.LastOfMonth()
}

func (a *account) tell(format string, args ...any) {
	a.story = append(a.story, fmt.Sprintf(format, args...))
}

// open creates the return of a month.
func (a *account) open(registration, m int) {
	first, last := monthOf(m)
	a.Create(a.t, storetest.FilingOf(a.registrations[registration], models.FilingUnfiled, first.String(), last.String()))
}

func cents(t *testing.T, amount string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	require.NoError(t, err)
	return n
}

func inMoney(n int64) money.Total {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	amount, err := money.ParseTotal(fmt.Sprintf("%s%d.%02d", sign, n/100, n%100))
	if err != nil {
		panic(err)
	}
	return amount
}

// day draws a day from a first one on.
func (a *account) day(from calendar.Date) calendar.Date {
	_, last := monthOf(months - 1)
	return from.AddDays(a.random.IntN(int(last.Time().Sub(from.Time()).Hours()/24) + 1))
}

func (a *account) sell() {
	first, _ := monthOf(0)
	day, tax := a.day(first), int64(100+a.random.IntN(20_000))
	ref := a.Sale(a.t, day.String(), inMoney(10*tax).String())
	a.owes[ref.ID], a.soldOn[ref.ID] = tax, day
	a.sales = append(a.sales, ref)
	a.tell("sell %d on %s", tax, day)
	a.arrive(ref)
}

func (a *account) refund() {
	if len(a.sales) == 0 {
		return
	}
	i := a.random.IntN(len(a.sales))
	sale := a.sales[i]
	a.sales = append(a.sales[:i:i], a.sales[i+1:]...)
	day, tax := a.day(a.soldOn[sale.ID]), a.owes[sale.ID]
	if a.random.IntN(2) == 0 {
		tax = 1 + a.random.Int64N(tax)
	}
	ref := a.CreditNote(a.t, sale, day.String(), inMoney(-10*tax).String())
	a.owes[ref.ID] = -tax
	a.tell("refund %d on %s", tax, day)
	a.arrive(ref)
}

func (a *account) arrive(ref models.Ref) {
	a.Process(a.t, ref)
	_, err := a.Store.Filings.AmendFilings(a.t.Context())
	require.NoError(a.t, err)
}

// filings are those of the organization as a client reads them after a step.
func (a *account) filings() []models.Filing {
	if a.read != nil {
		return a.read
	}
	list, err := a.Store.Filings.ListFilings(a.t.Context(), a.Scope, models.FilingFilter{},
		[]models.Order{{Column: "created_at"}}, models.Page{Limit: 1000})
	require.NoError(a.t, err)
	a.read = list.Items
	return a.read
}

// draw draws one of the filings that meet a condition.
func (a *account) draw(which func(models.Filing) bool) (models.Filing, bool) {
	var of []models.Filing
	for _, f := range a.filings() {
		if which(f) {
			of = append(of, f)
		}
	}
	if of == nil {
		return models.Filing{}, false
	}
	return of[a.random.IntN(len(of))], true
}

// prepay pays on account more or less than is owed: for a month, its first half, or days of two months.
func (a *account) prepay() {
	m := a.random.IntN(months)
	first, last := monthOf(m)
	switch a.random.IntN(4) {
	case 0:
		last = first.AddDays(14)
	case 1:
		first, last = first.AddDays(15), last.AddDays(15)
	}
	for i, r := range a.registrations {
		if r.DeregistrationDate != nil && calendar.DateOf(*r.DeregistrationDate) < first {
			continue
		}
		a.Registration = a.registrations[i]
		paid := a.random.Int64N(15_000)
		a.tell("prepay %d from %s to %s", paid, first, last)
		a.prepayment(a.t, first.String(), last.String(), inMoney(paid).String())
		return
	}
}

func isOpen(f models.Filing) bool { return f.Status == models.FilingUnfiled }

// approve hands a return over with the figures that it showed before.
func (a *account) approve() {
	f, ok := a.draw(isOpen)
	if !ok {
		return
	}
	a.tell("approve %s of %s", f.FilingCategory, f.StartDate.Format("2006-01"))
	approved, err := a.Approve(f.ID)
	require.NoError(a.t, err)
	require.Equal(a.t, creditOf(a.t, f), creditOf(a.t, approved), "what it showed is what it claims: %s", a.story)
}

// move takes a return on that was handed over, or back.
func (a *account) move() {
	f, ok := a.draw(func(f models.Filing) bool {
		return f.Status == models.FilingFiling || f.Status == models.FilingIssue
	})
	if !ok {
		return
	}
	to := []models.FilingStatus{models.FilingFiled, models.FilingFiled, models.FilingFiled, models.FilingIssue}
	if f.Status == models.FilingIssue {
		to = []models.FilingStatus{models.FilingUnfiled, models.FilingFiling, models.FilingFiling, models.FilingCancelled}
	}
	next := to[a.random.IntN(len(to))]
	a.tell("%s of %s becomes %s", f.FilingCategory, f.StartDate.Format("2006-01"), next)
	_, err := a.Transition(f.ID, next)
	require.NoError(a.t, err)
}

// enter changes what people enter in a return.
func (a *account) enter() {
	f, ok := a.draw(func(f models.Filing) bool { return isOpen(f) || f.Status == models.FilingIssue })
	if !ok {
		return
	}
	adjusted, fee := a.random.Int64N(2000)-1000, a.random.Int64N(500)
	a.tell("enter %d and %d in %s of %s", adjusted, fee, f.FilingCategory, f.StartDate.Format("2006-01"))
	_, err := a.Store.Filings.UpdateFiling(a.t.Context(), a.Scope, models.Actor{}, f.ID, func(f *models.Filing) error {
		f.AmountAdjusted, f.AmountFees = inMoney(adjusted), inMoney(fee)
		return nil
	})
	require.NoError(a.t, err)
}

// demand amends a filed return without a late transaction.
func (a *account) demand() {
	f, ok := a.draw(func(f models.Filing) bool { return f.CheckAmendable() == nil })
	if !ok {
		return
	}
	adjusted := a.random.Int64N(4000) - 3000
	a.tell("amend %s by %d", f.StartDate.Format("2006-01"), adjusted)
	_, err := a.Store.Filings.AmendFiling(a.t.Context(), a.Scope, models.Actor{}, f.ID, "A letter",
		models.EnteredAmounts{Adjusted: inMoney(adjusted)})
	var duplicate *models.DuplicateError
	if !errors.As(err, &duplicate) {
		require.NoError(a.t, err)
	}
}

// cancel ends a return that nobody has handed over, and another one may follow it.
func (a *account) cancel() {
	f, ok := a.draw(func(f models.Filing) bool { return isOpen(f) && f.FilingCategory == calendar.FilingRegular })
	if !ok {
		return
	}
	a.tell("cancel %s", f.StartDate.Format("2006-01"))
	_, err := a.Transition(f.ID, models.FilingCancelled)
	require.NoError(a.t, err)
	if a.random.IntN(2) == 0 {
		a.reopen()
	}
}

// reopen creates the returns of months that have none.
func (a *account) reopen() {
	a.read = nil
	for m := range months {
		first, last := monthOf(m)
		has := false
		for _, f := range a.filings() {
			has = has || f.FilingCategory == calendar.FilingRegular && f.Status != models.FilingCancelled &&
				calendar.DateOf(f.StartDate) == first
		}
		of := len(a.registrations) - 1
		if end := a.registrations[0].DeregistrationDate; end != nil && calendar.DateOf(*end) >= last {
			of = 0
		}
		if r := a.registrations[of]; !has && (r.DeregistrationDate == nil || calendar.DateOf(*r.DeregistrationDate) >= last) {
			a.tell("open %s", first)
			a.open(of, m)
		}
	}
}

// succeed ends the first registration with a month, and lets another one follow it.
func (a *account) succeed() {
	m := 1 + a.random.IntN(months-2)
	_, end := monthOf(m)
	later := []models.Filing{}
	for _, f := range a.filings() {
		if calendar.DateOf(f.StartDate) > end && f.Status != models.FilingCancelled {
			later = append(later, f)
		}
	}
	claimed := slices.ContainsFunc(later, func(f models.Filing) bool { return !isOpen(f) })
	if a.registrations[0].DeregistrationDate != nil || claimed {
		return
	}
	a.tell("the registration ends with %s", end)
	for _, f := range later {
		_, err := a.Transition(f.ID, models.FilingCancelled)
		require.NoError(a.t, err)
	}
	last := end.Time()
	for _, status := range []string{"DEREGISTERING", "DEREGISTERED"} {
		_, err := a.SQL.Exec(a.t.Context(), "UPDATE registrations SET status = $2, deregistration_date = $3 WHERE id = $1",
			a.registrations[0].ID, status, last)
		require.NoError(a.t, err)
	}
	a.registrations[0].DeregistrationDate = &last
	if a.random.IntN(3) == 0 {
		return // the seller has left the state
	}
	r, since := storetest.Registration("US", "NY"), end.AddDays(1).Time()
	r.Status, r.RegistrationDate = models.RegistrationRegistered, &since
	require.NoError(a.t, a.Store.Registrations.CreateRegistration(a.t.Context(), a.Scope, models.Actor{}, &r))
	a.registrations = append(a.registrations, r)
	for m++; m < months; m++ {
		a.open(1, m)
	}
}

// toClaim lists what the exceptions say that the authority owes back, by filing or refund.
func (a *account) toClaim() map[string]int64 {
	list, err := a.Store.Work.ListExceptions(a.t.Context(), models.Visibility{All: true},
		models.ExceptionFilter{Types: []string{models.ExceptionRefund}, OrganizationID: a.Scope.OrganizationID},
		models.Page{Limit: 1000})
	require.NoError(a.t, err)
	amounts := map[string]int64{}
	for _, e := range list.Items {
		amounts[e.ObjectID] = cents(a.t, *e.Amount)
	}
	return amounts
}

// claim asks the authority for one of the amounts that it owes back.
func (a *account) claim() {
	amounts := a.toClaim()
	if len(amounts) == 0 {
		return
	}
	id := slices.Sorted(maps.Keys(amounts))[a.random.IntN(len(amounts))]
	a.tell("claim %d", amounts[id])
	of := ""
	for _, f := range a.filings() {
		if f.ID == id {
			of = f.RegistrationID
		}
	}
	_, err := a.Store.Work.NoteException(a.t.Context(), a.Scope, models.Actor{},
		models.ExceptionRef{Type: models.ExceptionRefund, ObjectID: id}, func(n *models.ExceptionNote) { n.Done = true })
	require.NoError(a.t, err)
	a.claimed[of] += amounts[id]
}

// balance is what is known of a registration, in cents.
type balance struct{ owed, paid, left int64 }

// balances returns those of the registrations. owed is of the documents that their returns hold, with what people have
// entered. left is the credit that later returns take off, or that is to be claimed or was.
func (a *account) balances() map[string]*balance {
	all := map[string]*balance{}
	for _, r := range a.registrations {
		stored, err := a.Store.Registrations.Registration(a.t.Context(), a.Scope, r.ID)
		require.NoError(a.t, err)
		all[r.ID] = &balance{left: cents(a.t, stored.CreditsTotalAvailable) + a.claimed[r.ID]}
	}
	filings, toClaim := a.filings(), a.toClaim()
	for _, f := range filings {
		b := all[f.RegistrationID]
		b.left += toClaim[f.ID]
		amount, err := f.Amount()
		require.NoError(a.t, err)
		require.False(a.t, amount.IsNeg(), "%s of %s pays %s", f.FilingCategory, f.StartDate, amount)
		switch prepays := f.FilingCategory == calendar.FilingPrepayment; {
		case f.ClaimedAt == nil || prepays && f.Status != models.FilingFiled:
		case prepays:
			b.paid += cents(a.t, f.TaxRemitted.String())
			b.left += a.waiting(filings, f)
		default:
			b.paid += cents(a.t, amount.String())
			b.owed += cents(a.t, f.AmountAdjusted.String()) + cents(a.t, f.AmountFees.String())
			if f.Status != models.FilingFiled {
				b.left += cents(a.t, f.AmountCreditCarried.String())
			}
		}
	}
	for id, registration := range a.held() {
		all[registration].owed += a.owes[id]
	}
	return all
}

// waiting is what a filed prepayment still has for the return of its days.
func (a *account) waiting(filings []models.Filing, p models.Filing) (left int64) {
	for _, f := range filings {
		if f.FilingCategory == calendar.FilingRegular && f.RegistrationID == p.RegistrationID && !f.Status.Over() &&
			!f.StartDate.After(p.StartDate) && !f.EndDate.Before(p.EndDate) {
			require.NoError(a.t, a.SQL.QueryRow(a.t.Context(), "SELECT ((tax_remitted - credit_used - credit_claimed) * 100)::bigint "+
				"FROM filings WHERE id = $1", p.ID).Scan(&left))
		}
	}
	return left
}

// held are the documents that returns hold, with the registration.
func (a *account) held() map[string]string {
	rows, err := a.SQL.Query(a.t.Context(), "SELECT transaction_id, registration_id FROM filing_transactions")
	require.NoError(a.t, err)
	held, id, registration := map[string]string{}, "", ""
	_, err = pgx.ForEachRow(rows, []any{&id, &registration}, func() error {
		require.Empty(a.t, held[id], "no document is in two returns")
		held[id] = registration
		return nil
	})
	require.NoError(a.t, err)
	return held
}

// check refuses a history after which a registration has not paid what it owes.
func (a *account) check() {
	a.t.Helper()
	a.read = nil
	for id, b := range a.balances() {
		require.Equal(a.t, b.owed, b.paid-b.left, "registration %s owes %+v after\n%s\n%s", id, *b,
			strings.Join(a.story, "\n"), seed.Again())
	}
}

// finish files everything, until nothing is open.
func (a *account) finish() {
	a.reopen()
	for range 100 {
		f, ok := a.draw(func(f models.Filing) bool { return !f.Status.Over() })
		if !ok {
			return
		}
		a.tell("finish %s of %s", f.FilingCategory, f.StartDate.Format("2006-01"))
		to := map[models.FilingStatus]models.FilingStatus{
			models.FilingFiling: models.FilingFiled, models.FilingIssue: models.FilingFiling,
		}[f.Status]
		var err error
		if isOpen(f) {
			_, err = a.Approve(f.ID)
		} else {
			_, err = a.Transition(f.ID, to)
		}
		require.NoError(a.t, err, a.story)
		a.check()
		a.read = nil
		_, err = a.Store.Filings.AmendFilings(a.t.Context())
		require.NoError(a.t, err)
	}
	require.Fail(a.t, "returns stay open")
}

// A registration owes the sum that was paid, less the credit that is left or to be claimed. That is so after each step of
// a history. At its end it is so of all documents.
func TestWhatIsPaidIsWhatIsOwed(t *testing.T) {
	t.Parallel()
	for history := range uint64(2) {
		a := newAccount(t, history)
		steps := []func(){
			a.sell, a.sell, a.sell, a.refund, a.refund, a.prepay, a.approve, a.approve, a.approve, a.move, a.move, a.move,
			a.enter, a.demand, a.cancel, a.reopen, a.succeed, a.claim,
		}
		for range 25 {
			steps[a.random.IntN(len(steps))]()
			a.check()
		}
		a.finish()
		all := balance{left: a.claimed[""]}
		for _, b := range a.balances() {
			all.paid, all.left = all.paid+b.paid, all.left+b.left
		}
		for id, amount := range a.toClaim() {
			if a.owes[id] != 0 {
				all.left += amount
			}
		}
		for _, f := range a.filings() {
			if f.ClaimedAt != nil && f.FilingCategory != calendar.FilingPrepayment {
				all.owed += cents(t, f.AmountAdjusted.String()) + cents(t, f.AmountFees.String())
			}
		}
		for _, amount := range a.owes {
			all.owed += amount
		}
		require.Equal(t, all.owed, all.paid-all.left, "history %d: %+v, %s\n%s", history, all, seed.Again(),
			strings.Join(a.story, "\n"))
	}
}
