package filings

// DocumentTotal is the total of a transaction t as lists show it, like rules.DocumentTotal. Without a submitted total it is
// what the lines come to with the tax.
const DocumentTotal = `CASE WHEN t.total_amount <> 0 THEN t.total_amount WHEN t.gross_amount <> 0 THEN t.gross_amount
	     ELSE t.subtotal - t.total_discount + t.total_tax_liability_amount END`
