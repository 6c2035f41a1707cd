package activities

import (
	"context"

	"levy/models"
	"levy/tax"
)

// Transactions reads the transactions of a batch and takes them through the stages. Each Load returns
// those among refs that still stand at that epoch in a state from which the stage
// starts; others are simply missing. Each Save writes the outcomes under the
// guard and returns one state per ref, in the order of refs, read after the
// update.
type Transactions interface {
	// LoadForAddresses also makes those QUEUED that are new or updated.
	LoadForAddresses(ctx context.Context, run models.StageRun, refs []models.Ref) ([]models.Transaction, error)
	LoadForExemptions(ctx context.Context, refs []models.Ref) ([]models.Transaction, error)
	LoadForNexus(ctx context.Context, refs []models.Ref) ([]models.Transaction, error)
	LoadForTax(ctx context.Context, refs []models.Ref) ([]models.Transaction, error)
	// ConversionRates returns the rate of each pair on its day, or the latest of the
	// 7 days before. Pairs without one are missing.
	ConversionRates(
		ctx context.Context, pairs []models.CurrencyPair,
	) (map[models.CurrencyPair]models.ConversionRate, error)
	// Settings returns the settings of the organizations named.
	Settings(ctx context.Context, organizationIDs []string) (map[string]models.OrganizationSettings, error)

	SaveAddresses(
		ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.AddressOutcome,
	) ([]models.StageState, error)
	SaveExemptions(
		ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.ExemptionOutcome,
	) ([]models.StageState, error)
	SaveNexus(
		ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.NexusOutcome,
	) ([]models.StageState, error)
	SaveTax(
		ctx context.Context, run models.StageRun, refs []models.Ref, outcomes []models.TaxOutcome,
	) ([]models.StageState, error)

	// SaveRefunds calculates refunds, and sales with refunds, and saves them as SaveTax does, in one database transaction.
	// It locks what is left of the sales and calls decide with the transactions and the other documents. Those that decide
	// leaves out stay as they are.
	SaveRefunds(ctx context.Context, run models.StageRun, refs []models.Ref, refunds []models.Transaction,
		decide func([]models.Transaction) ([]models.TaxOutcome, error)) ([]models.StageState, error)
	// WaitForOriginals takes refunds out of their batch until their originals are
	// processed, which makes them due again.
	WaitForOriginals(ctx context.Context, refs []models.Ref) error

	// MarkFailed sets transactions aside: it takes them out of their batch and lets them wait before the next attempt. It
	// records the reason on their outbox rows and in their journal.
	MarkFailed(ctx context.Context, run models.StageRun, refs []models.Ref, code string) error
	// ShowFailed shows on the transactions themselves what MarkFailed noted.
	ShowFailed(ctx context.Context, refs []models.Ref) error
}

// Engine resolves places and calculates tax by the tax content in force.
type Engine interface {
	// Locate resolves addresses on their days, all by the same content and as finely
	// as the boundary files loaded allow.
	Locate(ctx context.Context, addresses []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error)
	// Calculator returns the calculation by the content of that name; empty means the content in force. A transaction is
	// calculated by the content that resolved its place.
	Calculator(ctx context.Context, contentVersion string) (func(tax.Request) (tax.Result, error), error)
}
