// Package tax is the pure tax engine: it resolves an address to the set of
// jurisdictions that tax a sale there, classifies what is sold, and calculates
// the tax by the law in force on a date, to the cent and with its explanation.
//
// Beside the tax it knows the obligations: EvaluateNexus measures sales against the
// threshold of a jurisdiction (Content.NexusRule), FilingFrequency cuts time into
// the periods of returns, and Content.FilingDue says when one is due.
//
// The package does no I/O, reads no clock and uses no floating point. All
// knowledge about law comes from an immutable Content snapshot of dated rows.
// Money is govalues/decimal with two decimals, rates are fractions
// (8.25 % is 0.0825). Every division of a tax is rounded exactly once, half
// away from zero, so that a sale and its refund cancel.
package tax
