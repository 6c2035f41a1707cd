package filings_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/filings"
	"levy/store/storetest"
	"levy/tax/money"
)

// A list of the returns of many organizations shows each as the return itself does.
func TestReturnsOfManyShowWhatEachShows(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-01-11", "50.00"))
	january := b.January(t, models.FilingUnfiled)
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '2026-02-20' WHERE id = $1", january.ID)
	require.NoError(t, err)
	b.Sale(t, "2026-01-12", "7.00") // still in processing
	want := b.Read(t, january.ID)
	require.NotZero(t, want.TransactionCount)
	require.NotZero(t, want.Pending)
	list, err := b.Store.Filings.ListDueFilings(t.Context(), models.Visibility{All: true}, models.DueFilter{}, nil,
		models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	got := list.Items[0]
	require.Equal(t, want.FilingSums, got.FilingSums)
	require.Equal(t, want.Pending, got.Pending)
	require.Equal(t, want.Unresolved, got.Unresolved)
	require.Equal(t, models.WaitsForProcessing, got.WaitsFor())
	for country, n := range map[string]int{"US": 1, "CA": 0} {
		list, err = b.Store.Filings.ListDueFilings(t.Context(), models.Visibility{All: true},
			models.DueFilter{Countries: []string{country}}, nil, models.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, list.Items, n, country)
		require.EqualValues(t, n, list.Total)
	}
}

// A list after a position goes on with the next return, whatever was added before it, and counts nothing again.
func TestReturnsOfManyGoOnAfterAPosition(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	var ids []string
	for _, month := range [][2]string{{"2026-01-01", "2026-01-31"}, {"2026-02-01", "2026-02-28"}, {"2026-03-01", "2026-03-31"}} {
		ids = append(ids, b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, month[0], month[1])).ID)
	}
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '2026-05-20'")
	require.NoError(t, err)
	list := func(after *models.DuePosition, order ...models.Order) (models.DueList, error) {
		return b.Store.Filings.ListDueFilings(t.Context(), models.Visibility{All: true}, models.DueFilter{After: after}, order,
			models.Page{Limit: 1})
	}
	first, err := list(nil)
	require.NoError(t, err)
	require.EqualValues(t, 3, first.Total)
	seen := []string{first.Items[0].ID}
	moved := ids[slices.IndexFunc(ids, func(id string) bool { return id != seen[0] })]
	_, err = b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '2026-05-19' WHERE id = $1", moved)
	require.NoError(t, err)
	next, err := list(first.Items[0].Position())
	require.NoError(t, err)
	require.Zero(t, next.Total)
	require.Len(t, next.Items, 1)
	require.NotContains(t, []string{seen[0], moved}, next.Items[0].ID)
	last, err := list(next.Items[0].Position())
	require.NoError(t, err)
	require.Empty(t, last.Items)
	_, err = list(first.Items[0].Position(), models.Order{Column: "amount"})
	require.ErrorContains(t, err, "no other order")
}

// The calendar adds up what open returns need by day and currency: stored amounts of claimed ones, current ones of others.
// It says whether their registrations have a number of the authority.
func TestTheMoneyThatReturnsOfManyNeed(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-02-11", "500.00"), b.Sale(t, "2026-03-11", "300.00"))
	for month, span := range []([2]string){{"2026-01-01", "2026-01-31"}, {"2026-02-01", "2026-02-28"}, {"2026-03-01", "2026-03-31"}} {
		f := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, span[0], span[1]))
		_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '2026-04-20' WHERE id = $1", f.ID)
		require.NoError(t, err)
		if month == 1 { // claimed: its amount is stored
			_, err = b.Approve(f.ID)
			require.NoError(t, err)
		}
	}
	list := func(f models.DueFilter) models.DueList {
		found, err := b.Store.Filings.ListDueFilings(t.Context(), models.Visibility{All: true}, f, nil, models.Page{Limit: 10})
		require.NoError(t, err)
		return found
	}
	require.Nil(t, list(models.DueFilter{}).Money)
	due := list(models.DueFilter{Money: true})
	require.Len(t, due.Money, 1)
	require.Equal(t, []any{int64(3), "USD"}, []any{due.Money[0].Count, due.Money[0].Currency})
	var want money.Total
	for _, f := range due.Items {
		amount, err := money.ParseTotal(f.AmountText())
		require.NoError(t, err)
		want, err = want.Plus(amount)
		require.NoError(t, err)
	}
	require.False(t, want.IsZero())
	require.Equal(t, want, due.Money[0].Amount)
	wants := models.ReturnWants{{Data: models.WantedNumber}}
	for number, lacking := range map[string][]string{"1234": nil, "": {models.WantedNumber}} {
		_, err := b.SQL.Exec(t.Context(), "UPDATE registrations SET sales_tax_id = nullif($1, ''), tax_id = NULL", number)
		require.NoError(t, err)
		require.Equal(t, lacking, list(models.DueFilter{Wants: wants}).Items[0].Lacking)
	}
	require.Nil(t, list(models.DueFilter{}).Items[0].Lacking, "nothing is wanted")
}

// Data is wanted of some registrations and for some periods alone, and found where people enter it.
func TestWhatReturnsLack(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-01-01", "2026-01-31"))
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '2026-02-20', filing_frequency = 'MONTHLY' WHERE id = $1", f.ID)
	require.NoError(t, err)
	exec := func(sql string) {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	lacking := func(wants ...models.ReturnWant) []string {
		t.Helper()
		found, err := b.Store.Filings.ListDueFilings(t.Context(), models.Visibility{All: true}, models.DueFilter{Wants: wants}, nil,
			models.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, found.Items, 1)
		return found.Items[0].Lacking
	}
	exec("UPDATE registrations SET jurisdiction_specific_fields = " +
		"'{\"payment_method\":\"CREDIT\",\"n\":true,\"stagger\":2,\"county\":\"Duval\"}', " +
		"country_code = 'US', state_code = 'FL', registration_import_type = 'REGULAR'")
	county := func(change func(*models.ReturnWant)) []string {
		want := models.ReturnWant{Country: "US", State: "FL", Data: "n"}
		change(&want)
		return lacking(want)
	}
	require.Nil(t, lacking(models.ReturnWant{Data: "county"}, models.ReturnWant{Data: "stagger"}))
	for name, c := range map[string]struct {
		change func(*models.ReturnWant)
		lacks  bool
	}{
		"a boolean is no text":     {func(*models.ReturnWant) {}, true},
		"another state":            {func(w *models.ReturnWant) { w.State = "GA" }, false},
		"another country":          {func(w *models.ReturnWant) { w.Country, w.State = "CA", "" }, false},
		"its frequency":            {func(w *models.ReturnWant) { w.Frequency = "MONTHLY" }, true},
		"another frequency":        {func(w *models.ReturnWant) { w.Frequency = "QUARTERLY" }, false},
		"another kind":             {func(w *models.ReturnWant) { w.Kind = models.ImportSST }, false},
		"its way of payment":       {func(w *models.ReturnWant) { w.PaymentMethod = "CREDIT" }, true},
		"another way of payment":   {func(w *models.ReturnWant) { w.PaymentMethod = "DEBIT" }, false},
		"periods from its end on":  {func(w *models.ReturnWant) { w.First = 20260131 }, true},
		"later periods":            {func(w *models.ReturnWant) { w.First = 20260201 }, false},
		"periods until its end":    {func(w *models.ReturnWant) { w.Last = 20260131 }, true},
		"periods before its month": {func(w *models.ReturnWant) { w.Last = 20251231 }, false},
	} {
		want := []string(nil)
		if c.lacks {
			want = []string{"n"}
		}
		require.Equal(t, want, county(c.change), name)
	}
	all := []models.ReturnWant{{Data: models.WantedBank}, {Data: models.WantedContact}, {Data: models.WantedEIN}, {Data: models.WantedShared}}
	exec("DELETE FROM bank_details")
	exec("UPDATE organization_details SET business_details = '{}', business_contact = NULL")
	exec("UPDATE organization_settings SET sst_id = NULL")
	require.Equal(t, []string{models.WantedBank, models.WantedContact, models.WantedEIN, models.WantedShared}, lacking(all...))
	exec("UPDATE organization_settings SET sst_id = 'S12345678'")
	exec("INSERT INTO organization_details (organization_id, id, created_at, updated_at) " +
		"SELECT id, 'od_' || id, now(), now() FROM organizations ON CONFLICT DO NOTHING")
	exec("UPDATE organization_details SET business_details = '{\"ein\":\"sealed\"}', business_contact = '{\"business_contact_name\":\"Ada\"}'")
	exec("INSERT INTO bank_details (organization_id, id, details, created_at, updated_at) " +
		"SELECT id, 'bank_' || id, '{}', now(), now() FROM organizations")
	require.Nil(t, lacking(all...))
}

// A list by amount of many organizations uses the current amount of each return: the transactions of those that are
// not claimed are added up.
func TestReturnsOfManyAreSortedByAmount(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-02-11", "500.00"), b.Sale(t, "2026-03-11", "300.00"))
	names := map[string]string{}
	for month, span := range map[string][2]string{
		"January": {"2026-01-01", "2026-01-31"}, "February": {"2026-02-01", "2026-02-28"},
		"March": {"2026-03-01", "2026-03-31"},
	} {
		f := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, span[0], span[1]))
		names[f.ID] = month
		_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = end_date + 20 WHERE id = $1", f.ID)
		require.NoError(t, err)
		if month == "March" { // claimed: its amount is stored
			_, err = b.Approve(f.ID)
			require.NoError(t, err)
		}
	}
	sorted := func(page models.Page, order ...models.Order) (months []string) {
		list, err := b.Store.Filings.ListDueFilings(
			t.Context(), models.Visibility{All: true}, models.DueFilter{}, order, page,
		)
		require.NoError(t, err)
		require.EqualValues(t, 3, list.Total)
		organizations, ids, amounts := []string{}, []string{}, map[string]models.LiveReturn{}
		for _, f := range list.Items {
			months = append(months, names[f.ID])
			if f.Status.Live() {
				organizations, ids, amounts[f.ID] = append(organizations, f.OrganizationID), append(ids, f.ID), models.LiveReturn{
					Amount: f.AmountText(),
				}
			}
		}
		said, err := b.Store.Filings.LiveReturns(t.Context(), organizations, ids)
		require.NoError(t, err)
		require.Equal(t, amounts, said)
		return months
	}
	all := models.Page{Limit: 10}
	require.Equal(t, []string{"January", "February", "March"}, sorted(all))
	require.Equal(t, []string{"March", "February", "January"}, sorted(all, models.Order{Column: "due_date", Desc: true}))
	require.Equal(t, []string{"February", "March", "January"}, sorted(all, models.Order{Column: "amount", Desc: true}))
	require.Equal(t, []string{"March"}, sorted(models.Page{Limit: 1, Offset: 1}, models.Order{Column: "amount"}))
	require.Equal(t, []string{"January", "February", "March"}, sorted(all, models.Order{Column: "organization_name"}))
	_, err := b.Store.Filings.ListDueFilings(t.Context(), models.Visibility{All: true}, models.DueFilter{},
		[]models.Order{{Column: "id; --"}}, all)
	require.Error(t, err)
}

// numberRow is a row of one number.
type numberRow int

func (n numberRow) Scan(into ...any) error {
	*into[0].(*int) = int(n)
	return nil
}

// The transactions that a list by amount has to add up are limited; a refusal says by how many there are too many.
func TestAListByAmountIsBounded(t *testing.T) {
	t.Parallel()
	require.NoError(t, filings.RefuseTooMany(numberRow(models.MostSummed)))
	var invalid *models.InvalidError
	require.ErrorAs(t, filings.RefuseTooMany(numberRow(models.MostSummed+1)), &invalid)
	require.Equal(t, models.Fault{In: models.InQuery, Path: "order_by"}, models.Fault{In: invalid.Faults[0].In, Path: invalid.Faults[0].Path})
	require.Contains(t, invalid.Faults[0].Message, "20001 filings")
}

// A return that waits says how many transactions keep it.
func TestAReturnThatWaitsCountsWhatKeepsIt(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	hold(t, b, "2026-01-12", "7.00", nowhereInTheUnitedStates)
	january := b.January(t, models.FilingUnfiled)
	said, err := b.Store.Filings.LiveReturns(t.Context(), []string{january.OrganizationID}, []string{january.ID})
	require.NoError(t, err)
	require.Equal(t, map[string]models.LiveReturn{january.ID: {Amount: "0.00", Unresolved: 1}}, said)
}
