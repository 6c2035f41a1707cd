package transactions

import "levy/models"

// The statements that read transactions.

var selectTransactions = transactionColumnsRead + `
	  FROM transactions t` + withCustomer

// The columns that are read of a transaction and its customer: all except those that only the stages need.
var (
	transactionRead = transactionRecord.Without("sent", "place", "origin")
	customerRead    = customerRecord.Without("organization_id", "id")

	transactionColumnsRead = "\n	SELECT " + transactionRead.Select("t") + ", " + customerRead.Select("c")
)

// selectPage reads the transactions whose keys "page" found. The organization is a column, not a constant.
// For the constant of an organization that has grown since the table was analyzed, the planner assumes a row or none.
// It would then consider any index as fast as the primary key.
func selectPage(ids *statement, keys sortKeysOfTransactions) string {
	return "WITH page AS MATERIALIZED (SELECT $1::text AS organization_id, p.key FROM (" + ids.sql + ") p)" +
		transactionColumnsRead + `
	  FROM page
	 CROSS JOIN LATERAL (
	   SELECT * FROM transactions x WHERE x.organization_id = page.organization_id AND x.` + keys.keyColumn() +
		` = page.key OFFSET 0) t
	 CROSS JOIN LATERAL (
	   SELECT * FROM customers x WHERE x.organization_id = t.organization_id
	      AND x.id = t.customer_id OFFSET 0) c` + keys.OrderBy(false)
}

const withCustomer = " JOIN customers c ON c.organization_id = t.organization_id AND c.id = t.customer_id"

func transactionTargets(t *models.Transaction) []any {
	return append(transactionRead.Targets(t), customerRead.Targets(&t.Customer)...)
}

var (
	itemRead = itemRecord.Without("original_line_no")

	selectItems = "\n	SELECT " + itemRead.Select("i") + `
	  FROM transaction_items i
	 WHERE i.organization_id = $1 AND i.transaction_id `

	selectAddresses = "\n	SELECT " + addressRecord.Select("a") + `
	  FROM transaction_addresses a
	 WHERE a.organization_id = $1 AND a.transaction_id `

	selectAppliedExemptions = "\n	SELECT l.transaction_id, " + exemptionRecord.Select("e") + `,
	       (SELECT json_agg(json_build_object('ID', a.id, 'ExemptionID', a.exemption_id, 'Filename', a.filename,
	       'ContentType', a.content_type,
	                        'Size', a.size, 'SHA256', encode(a.sha256, 'base64'), 'CreatedAt', a.created_at)
	                          ORDER BY a.created_at, a.id)
	          FROM exemption_attachments a WHERE a.organization_id = e.organization_id AND a.exemption_id = e.id)
	  FROM transaction_exemptions l JOIN exemptions e ON e.organization_id = l.organization_id AND e.id = l.exemption_id
	 WHERE l.organization_id = $1 AND l.applied AND l.transaction_id `
)
