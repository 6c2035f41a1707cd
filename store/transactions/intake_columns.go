package transactions

import (
	"levy/models"
	"levy/store/pg"
)

// The mappings of the records of a transaction, see pg.Mapping.
var (
	transactionRecord = pg.MappingOf[models.Transaction]()
	itemRecord        = pg.MappingOf[models.TransactionItem]()
	addressRecord     = pg.MappingOf[models.TransactionAddress]()
	customerRecord    = pg.MappingOf[models.Customer]()
	exemptionRecord   = pg.MappingOf[models.Exemption]()
)

var linkColumns = []pg.Column[transactionLink]{
	pg.Col("organization_id", "text", func(l *transactionLink) *string { return pg.Text(l.organizationID) }),
	pg.Col("transaction_id", "text", func(l *transactionLink) *string { return pg.Text(l.transactionID) }),
	pg.Col("exemption_id", "text", func(l *transactionLink) *string { return pg.Text(l.exemptionID) }),
	pg.Col("linked", "boolean", func(*transactionLink) *string { return pg.Bool(true) }),
	pg.Col("applied", "boolean", func(*transactionLink) *string { return pg.Bool(false) }),
}

// transactionLink links a transaction to a stored exemption that it names.
type transactionLink struct{ organizationID, transactionID, exemptionID string }

var pendingRows = pg.RowsOf("pending", refColumns(func(o *models.OutboxRow) *models.Ref { return &o.Ref },
	pg.Col("background", "boolean", func(o *models.OutboxRow) *string { return pg.Bool(o.Background) }),
)...)
