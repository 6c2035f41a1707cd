package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store"
	"levy/tax"
)

var Run = models.StageRun{WorkflowID: "transactions/b1", RunID: "r1", Attempt: 1}

// Accepted posts n sales and returns their refs.
func (b *Bundle) Accepted(t *testing.T, n int) []models.Ref {
	t.Helper()
	refs := make([]models.Ref, n)
	for i := range refs {
		d := Draft(b.Scope, fmt.Sprintf("SALE-%d", i))
		require.NoError(t, b.Intake.Accept(context.Background(), d))
		refs[i] = models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}
	}
	return refs
}

func SaveAddresses(s *store.Store, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	outcomes := make([]models.AddressOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.AddressOutcome{Ref: ref, To: models.ProcessingAddressDone, Place: NewYork,
			Statuses: map[models.AddressType]tax.AddressStatus{models.ShipTo: tax.StatusVerified}}
	}
	return s.Transactions.SaveAddresses(context.Background(), run, refs, outcomes)
}

func saveExemptions(s *store.Store, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	outcomes := make([]models.ExemptionOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.ExemptionOutcome{Ref: ref, Exempt: models.PartiallyExempt,
			Lines: []models.LineExemption{{LineNo: 0, Exempt: true, TaxExemption: "PRODUCT"}}}
	}
	return s.Transactions.SaveExemptions(context.Background(), run, refs, outcomes)
}

func saveNexus(s *store.Store, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	outcomes := make([]models.NexusOutcome, len(refs))
	loaded, err := s.Transactions.LoadForNexus(context.Background(), refs)
	if err != nil {
		return nil, err
	}
	day := map[string]models.Transaction{}
	for _, t := range loaded {
		day[t.ID] = t
	}
	for i, ref := range refs {
		outcomes[i] = models.NexusOutcome{Ref: ref, ExemptLines: []int{0, 2}, Contributions: []models.NexusContribution{{
			CountryCode: "US", StateCode: "NY", Currency: "USD",
			Day: day[ref.ID].TaxDate, Count: 1, Amount: decimal.MustParse("100.00"),
			CollectedTax: decimal.MustParse("8.88"), SoldAt: day[ref.ID].Date,
		}}}
	}
	return s.Transactions.SaveNexus(context.Background(), run, refs, outcomes)
}

func saveTax(s *store.Store, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	outcomes := make([]models.TaxOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.TaxOutcome{
			Ref: ref, To: models.ProcessingProcessed, Exempt: models.NotExempt,
			TaxableAmount: decimal.MustParse("100.00"), TaxAmount: decimal.MustParse("8.88"),
			TaxRate: decimal.MustParse("0.08875"), LiabilityAmount: decimal.MustParse("8.88"),
			LiabilitySource:     models.LiabilityCollected,
			DestinationCurrency: "USD", ConversionRate: decimal.MustParse("1"),
			ContentVersion: "test", Totals: newYorkTotals, Explanation: []byte(`{"steps":[]}`),
			Lines: []models.LineTax{{LineNo: 0, TaxableAmount: decimal.MustParse("100.00"),
				TaxAmount: decimal.MustParse("8.88"), TaxRate: decimal.MustParse("0.08875"),
				TaxItems: []models.TaxItem{
					{
						Type: "CALCULATED", RuleID: "us-ny-general", Rate: decimal.MustParse("0.04"),
						Amount: decimal.MustParse("4.00"),
					},
					{
						Type: "CALCULATED", RuleID: "us-ny-nyc-general", Rate: decimal.MustParse("0.04875"),
						Amount: decimal.MustParse("4.88"),
					},
				}}},
		}
	}
	return s.Transactions.SaveTax(context.Background(), run, refs, outcomes)
}

var Stages = []struct {
	Name string
	To   models.ProcessingStatus
	Save func(*store.Store, models.StageRun, []models.Ref) ([]models.StageState, error)
}{
	{"addresses", models.ProcessingAddressDone, SaveAddresses},
	{"exemptions", models.ProcessingExemptDone, saveExemptions},
	{"nexus", models.ProcessingNexusDone, saveNexus},
	{"tax", models.ProcessingProcessed, saveTax},
}

// Facts returns all data that the stages write, as one comparable text.
func (b *Bundle) Facts(t *testing.T) string {
	t.Helper()
	var all string
	require.NoError(t, b.SQL.QueryRow(context.Background(), `
		SELECT concat_ws(E'\n',
		  (SELECT string_agg(to_jsonb(t)::text, E'\n' ORDER BY id) FROM transactions t),
		  (SELECT string_agg(to_jsonb(i)::text, E'\n' ORDER BY transaction_id, line_no) FROM transaction_items i),
		  (SELECT string_agg(to_jsonb(a)::text, E'\n' ORDER BY transaction_id, type) FROM transaction_addresses a),
		  (SELECT string_agg((to_jsonb(s))::text, E'\n' ORDER BY seq) FROM transaction_stages s),
		  (SELECT string_agg(to_jsonb(c)::text, E'\n' ORDER BY transaction_id) FROM nexus_contributions c),
		  (SELECT string_agg(to_jsonb(k)::text, E'\n' ORDER BY day) FROM nexus_counters k),
		  (SELECT string_agg(to_jsonb(e)::text, E'\n' ORDER BY transaction_id) FROM transaction_explanations e),
		  (SELECT string_agg(to_jsonb(x)::text, E'\n' ORDER BY transaction_id, epoch) FROM transaction_totals x),
		  (SELECT string_agg(to_jsonb(o)::text, E'\n' ORDER BY aggregate_id) FROM outbox o))`).Scan(&all))
	return all
}

const RatesOfMay = "Date,CAD\n2026-05-15,1.5\n"

// NextVersion returns a builder of the new version of a sale: the sale of the factory, changed by change.
func NextVersion(change func(d *models.TransactionDraft)) models.BuildUpdate {
	return func(stored *models.Transaction) (*models.TransactionDraft, error) {
		d := Draft(models.Scope{OrganizationID: stored.OrganizationID}, stored.ExternalID)
		d.ID, d.Type, d.Epoch, d.Revision, d.Date, d.TaxDate = stored.ID, stored.Type, stored.Epoch+
			1, stored.Revision+1, stored.Date, stored.TaxDate
		d.ProcessingStatus = models.ProcessingUpdated
		change(d)
		if d.Status == models.StatusArchived {
			d.ProcessingStatus = models.ProcessingArchived
		}
		for i := range d.Items {
			d.Items[i].TransactionID, d.Items[i].Date = d.ID, stored.Date
		}
		for i := range d.Addresses {
			d.Addresses[i].TransactionID = d.ID
		}
		names := make([]rules.LineName, len(d.Items))
		for i := range d.Items {
			if name := d.Items[i].ExternalID; name != nil {
				names[i].ExternalID = *name
			}
		}
		for i, j := range rules.ContinuedLines(stored.Items, names) {
			if j >= 0 {
				d.Items[i].ID = stored.Items[j].ID
			}
		}
		return d, nil
	}
}

var NewYork = tax.Place{
	Status: tax.StatusVerified, City: "New York", State: "NY", PostalCode: "10118", Country: "US",
	Jurisdictions: []string{"US-NY"},
}

var newYorkTotals = []models.AuthorityTotal{{
	CountryCode: "US", StateCode: "NY", MemberCode: "US",
	ReturnAmounts: models.ReturnAmounts{
		Sales: decimal.MustParse("100.00"), Taxable: decimal.MustParse("100.00"),
		Tax: decimal.MustParse("8.88"), Collected: decimal.MustParse("8.88"), Liability: decimal.MustParse("8.88"),
	},
}}

func ImportRef(im models.Import) models.ImportRef {
	return models.ImportRef{OrganizationID: im.OrganizationID, ID: im.ID}
}
