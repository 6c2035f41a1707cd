// Package tax is the pure tax engine. It resolves an address to the jurisdictions that tax a sale there and classifies
// the products. It calculates the tax by the law in force on a date, to the cent and with its explanation.
//
// Read it in this order; each step uses only the steps before it:
//
//   - The words: enums.go, place.go, request.go, result.go and explanation.go hold the input and the answer of the engine.
//   - The law: jurisdiction.go, state.go and country.go hold dated rates and rules. Content holds all of them, and
//     lookup.go finds them. newContent in build.go makes a Content of the tables of package content, and reports every
//     fault in them.
//   - Resolve in resolve.go: from an Address to a Place.
//   - Classify in classify.go: from a category to a TaxClass.
//   - Calculate in calculate.go: sourcing.go decides which place taxes, relief.go what a border changes. assess.go decides
//     which jurisdiction taxes which part of a line, round.go rounds to cents. calculation.go is the state that these
//     steps share.
//   - Explain in explain.go: the reasons in sentences. recompute.go repeats a stored explanation, and refund.go refunds
//     the tax of one.
//
// Content.Nexus and Content.Calendar answer where tax must be collected and when returns are due. Exact arithmetic is
// in package money.
//
// The package does no I/O, reads no clock and uses no floating point. The rules of law come from an immutable Content
// snapshot of dated rows. Money is govalues/decimal with two decimals, rates are fractions (8.25 % is 0.0825).
// Every division of a tax is rounded exactly once, half away from zero, so that a sale and its refund cancel.
package tax
