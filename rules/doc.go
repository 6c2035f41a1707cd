// Package rules makes decisions from records, the tax content and a moment. It reads no
// clock, no database and no configuration, so the same facts always give the same decision.
// Stages of processing, estimates, previews, workflows and the store under its locks call it.
//
// A transaction, stage by stage:
//
//	address.go             where a sale is delivered and sent from, and what is not processed
//	jurisdiction.go        whose law applies
//	exemption.go           which lines are exempt, and why
//	nexus_contribution.go  what it adds to the nexus counters
//	tax_request.go         what the tax engine is asked about it
//	calculation.go         its tax, and the explanation that is stored with it
//	liability.go           how much of the tax is owed
//	conversion.go          its conversion into the currency of the country that taxes
//	total.go               what it adds to the return of each authority
//	refund.go              the same of a refund, from the calculation of its original
//	batch_decision.go      what its state means for the batch it is in
//
// A transaction, before and after that:
//
//	estimate.go            the tax of a sale that is not recorded
//	credit_note.go         whether a refund fits its original, and what it has from it
//	transaction_sums.go    the discounts of its lines, and its sums
//	transaction_update.go  whether a new version may replace the stored one
//	transaction_changes.go in which fields two versions differ
//	import.go              whether a row of a file says what is recorded already
//	converted_amounts.go   its amounts in the currency of its destination, for answers
//	reclassification.go    what another classification of a product would change
//
// An organization:
//
//	onboarding_*.go        what a step of the onboarding makes of a request, and how far it brings it
//	nexus_*.go             where it has nexus, since when, and how that is proven
//	obligation.go          on which days it must collect tax, and what a registration covers
//	registration.go        what the workflow of a registration does next
//	registration_auto.go   where it is registered automatically
//	registration_frequency.go  how often it files, from when on
//	filing.go              what the workflow of a filing does next, and its reminders
//	filing_change.go       whether a filing may change, and what happens to the lines of the return
//	filing_steps.go        what a step of its workflow, or of staff, makes of a filing
//	filing_later.go        which of them its registration does not need any more
//	filing_plan.go         which filings its registrations need
//	filing_missing.go      which of them were never created, and which wait for people
package rules
