package contract_test

import "levy/store/integrity"

// examined has a query for each rule of integrity of the records that it is about, as words after FROM. A rule without
// such records proves nothing.
var examined = map[string]string{
	"I-1 an external id belongs to one transaction":           `transactions`,
	"I-3 unfinished work is in the outbox":                    `transaction_stages WHERE stage = 'QUEUED'`,
	"I-3 the outbox holds only unfinished work":               `transaction_stages WHERE stage = 'QUEUED'`,
	"I-4 stages happen once and in order":                     `transaction_stages WHERE stage = 'PROCESSED'`,
	"I-4 the journal ends where the transaction is":           `transactions WHERE ` + isFinished,
	"I-4 what is processed has one explanation, of its epoch": `transactions WHERE ` + isFinished,
	"I-4 what is calculated is calculated from the lines there are": `
		transactions WHERE ` + isFinished +
		` AND taxable_amount <> 0`,
	"I-4 the calculated tax of a line is the sum of its parts by jurisdiction": `transaction_items
		WHERE tax_amount_calculated <> 0`,
	"I-4 what is taxable and calculated has what it adds to returns": `
		transactions WHERE ` + isFinished +
		` AND total_tax_amount_calculated <> 0`,
	"I-4 status and processing of a transaction fit together": `transactions
		WHERE processing_status IN ('PENDING', 'EXCLUDED_IN_CALCULATION', 'ARCHIVED')`,
	"I-10 credit notes never exceed their original, and the totals are their sums": `transactions n
		JOIN transactions o ON o.id = n.related_to WHERE n.status = 'COMMITTED' AND o.total_amount = 0`,
	"I-10 the refund status follows the credit notes": `
		transactions WHERE refund_status = 'FULLY_REFUNDED'`,
	"I-10 credit notes never give back more tax than a line bore": `transactions n
		JOIN transaction_items i ON i.transaction_id = n.id
		WHERE n.related_to IS NOT NULL AND n.status = 'COMMITTED' AND i.tax_amount_calculated <> 0`,
	"I-10 a refund waits only for a sale that is not processed": `
		transactions WHERE related_to IS NOT NULL AND ` + isFinished,
	"I-11 counters are the sums of the contributions":        `nexus_counters WHERE amount <> 0`,
	"I-11 refunds of days are the sums of the contributions": `nexus_refunds WHERE amount <> 0`,
	"I-11 taxes of days are the sums of the totals":          `transaction_totals WHERE tax <> 0`,
	"I-6 what is owed by place adds up to what is owed": `
		transaction_totals WHERE places IS NOT NULL`,
	"I-6 the figures of a transaction add up to its total": `
		transaction_totals WHERE cardinality(figure_keys) > 1`,
	"I-10 a sale and its refunds owe together what their net taxes say": `transactions n
		JOIN transaction_totals x ON x.transaction_id = n.id
		WHERE n.related_to IS NOT NULL AND x.liability_case IS NOT NULL AND x.liability <> 0`,
	"I-6 a filing is the sum of its return lines": `
		filings WHERE claimed_at IS NOT NULL AND amount_sales <> 0`,
	"I-6 return lines are of the period and the registration, and unchanged since they were claimed": `
		filing_transactions`,
	"I-6 whatever is locked for a filing is in its return lines": `
		transactions WHERE processing_status = 'LOCKED'`,
	"I-6 the jurisdictions of a sealed return add up to what it owes, and to its calculated tax": `
		filing_jurisdictions`,
	"I-6 the figures of a return add up to its sums":  `filing_figures WHERE gross <> 0`,
	"I-6 what a return has taken off is what it says": `filing_credits`,
	"I-6 a credit is used as often as it says, and by its registration": `
		filing_credits WHERE NOT prepaid`,
	"I-6 a return that is settled is not to be paid back": `
		filings WHERE settled AND amount_credit_carried > 0`,
	"I-7 nothing is returned twice":              `filing_transactions`,
	"I-8 each day has one regular return":        `filings WHERE filing_category = 'REGULAR'`,
	"I-8 each period is planned once":            `filings WHERE planned`,
	"I-8 a return has one open amendment":        `filings WHERE filing_category = 'AMENDMENT'`,
	"I-9 each jurisdiction has one registration": `registrations WHERE status = 'REGISTERED'`,
	"I-13 steps are done in their order, without gaps": `
		onboarding_steps WHERE completed_at IS NOT NULL`,
	"I-13 who is on the way has somebody who looks after it": `
		onboardings WHERE status = 'IN_PROGRESS'`,
	"I-13 nothing is left of who went away":    `organizations WHERE status = 'ARCHIVED'`,
	"I-13 an onboarded client has everything":  `onboardings WHERE status = 'COMPLETED'`,
	"I-13 a name belongs to one living client": `organizations WHERE status = 'ACTIVE'`,
	"I-14 a hash belongs to one key":           `api_keys WHERE revoked_at IS NOT NULL`,
	integrity.AmountsHold:                      `transactions WHERE subtotal <> 0`,
}

// isFinished is the condition of transactions that are processed.
const isFinished = `processing_status IN ('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')`
