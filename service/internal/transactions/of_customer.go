package transactions

import (
	"context"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// ListCustomerTransactions lists the transactions of a customer.
func (o *Operations) ListCustomerTransactions(
	ctx context.Context, r contract.ListCustomerTransactionsRequest,
) (contract.TransactionRows, error) {
	if _, err := o.deps.Customers.Customer(ctx, call.Of(ctx).Scope, r.CustomerID); err != nil {
		return nil, err
	}
	p := contract.ListTransactionsParams(r.Params)
	if p.CustomerID != "" && p.CustomerID != r.CustomerID { // no transaction has both customers
		p.CustomerID = "nobody"
	} else {
		p.CustomerID = r.CustomerID
	}
	return rowsOf(ctx)(o.ListTransactions(ctx, contract.ListTransactionsRequest{Params: p}))
}

// CreateCustomerTransaction records a transaction of an existing customer.
func (o *Operations) CreateCustomerTransaction(
	ctx context.Context, r contract.CreateCustomerTransactionRequest,
) (contract.Transaction, error) {
	c, err := o.deps.Customers.Customer(ctx, call.Of(ctx).Scope, r.CustomerID)
	if err != nil {
		if faults := OfUnknownCustomer(ctx, convert.Instant(o.now()), r.CustomerID, &r.Body); faults != nil {
			err = &models.InvalidError{Faults: faults}
		}
		return contract.Transaction{}, err
	}
	if faults := OfCustomer(&c, &r.Body); faults != nil {
		faults = append(faults, Faults(ctx, convert.Instant(o.now()), &r.Body)...)
		return contract.Transaction{}, &models.InvalidError{Faults: faults}
	}
	accepted, err := o.CreateTransaction(ctx, contract.CreateTransactionRequest{Body: r.Body})
	if err != nil {
		return contract.Transaction{}, err
	}
	return accepted[0], nil
}

// OfUnknownCustomer returns the faults of a transaction for any customer. They come before the 404
// of an unknown customer in the path.
func OfUnknownCustomer(ctx context.Context, now time.Time, id string, b *contract.TransactionCreate) []models.Fault {
	b.CustomerID = id
	return Faults(ctx, now, b)
}

// OfCustomer sets the customer of a transaction to that of the path. It returns a fault if the body names another one.
func OfCustomer(c *models.Customer, b *contract.TransactionCreate) (faults []models.Fault) {
	refuse := func(sent, own, path string) {
		if sent != "" && !convert.IsIdentifier(sent, own) {
			faults = append(faults, models.Fault{
				Code: models.FieldMismatch, Path: path, Message: "The path names another customer.",
			})
		}
	}
	refuse(b.CustomerID, c.ID, "customer_id")
	refuse(b.Customer.ExternalID, c.ExternalID, "customer.external_id")
	b.CustomerID, b.Customer.ExternalID = c.ID, c.ExternalID
	return faults
}
