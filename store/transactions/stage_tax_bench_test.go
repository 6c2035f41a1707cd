package transactions

import (
	"fmt"
	"testing"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"

	"levy/models"
)

// BenchmarkStatementOfStage4 builds the statements with which stage 4 saves a batch, and sends nothing.
func BenchmarkStatementOfStage4(b *testing.B) {
	hundred, tax := decimal.MustParse("100.00"), decimal.MustParse("8.88")
	for _, n := range []int{1, 250} {
		b.Run(fmt.Sprintf("batch=%d", n), func(b *testing.B) {
			outcomes := make([]models.TaxOutcome, n)
			for i := range outcomes {
				outcomes[i] = models.TaxOutcome{
					Ref: models.Ref{OrganizationID: "org_1", ID: fmt.Sprintf("tran_%06d", i), Epoch: 1},
					To:  models.ProcessingProcessed, Exempt: models.NotExempt,
					TaxableAmount: hundred, TaxAmount: tax, TaxRate: decimal.MustParse("0.08875"), LiabilityAmount: tax,
					LiabilitySource: models.LiabilityCollected, DestinationCurrency: "USD", ConversionRate: decimal.One,
					ContentVersion: "test",
					Totals: []models.AuthorityTotal{{CountryCode: "US", StateCode: "NY", MemberCode: "US",
						ReturnAmounts: models.ReturnAmounts{Sales: hundred, Taxable: hundred, Tax: tax, Liability: tax}}},
					Lines: []models.LineTax{{TaxableAmount: hundred, TaxAmount: tax, TaxRate: decimal.MustParse("0.08875")}},
				}
			}
			run := models.StageRun{WorkflowID: "transactions/b1", RunID: "r1", Attempt: 1}
			b.ReportAllocs()
			for b.Loop() {
				var late int64
				queueTax(&pgx.Batch{}, run, outcomes, &late)
			}
		})
	}
}
