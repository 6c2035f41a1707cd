package deps

import (
	"context"

	"levy/models"
	"levy/tax"
)

// Places resolves addresses by the tax content in force.
type Places interface {
	Locator
	// Resolve returns the place of an address.
	Resolve(a tax.Address) tax.Place
	// Suggest completes the beginning of an address.
	Suggest(a tax.Address) []tax.Suggestion
	// Jurisdiction returns the taxing authority with an id of a place.
	Jurisdiction(id string) (tax.Jurisdiction, bool)
}

// Locator finds the places of addresses.
type Locator interface {
	// Locate resolves addresses on their days, all by the same content and as precisely as the loaded boundary files
	// allow. Each place names its content.
	Locate(ctx context.Context, addresses []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error)
}

// Engine resolves places and calculates tax by the tax content in force.
type Engine interface {
	Locator
	// Calculator returns the function that taxes sales by the named content, which resolved their place.
	// Errors of that function: tax.ErrOverflow for sums that are no amounts, and those of invalid requests.
	Calculator(ctx context.Context, contentVersion string) (func(tax.Request) (tax.Result, error), error)
}

// Sales reads the records that determine the tax of an unrecorded sale.
type Sales interface {
	// SaleRecords returns the named records that exist.
	SaleRecords(ctx context.Context, scope models.Scope, names models.SaleNames) (models.SaleRecords, error)
}

// Law is the tax content in force.
type Law interface {
	Current() *tax.Content
}
