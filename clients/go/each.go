package client

import (
	"context"
	"iter"
)

// each iterates over a list page by page. Each page begins after the last row of the page before, so every row that
// existed at the beginning is read once. Rows that are added meanwhile change nothing. It ends with the first error.
// next gets a copy of the parameters, so the list can be iterated again.
func each[P, T any](
	params P, next func(params P, after string) (items []T, cursor *string, err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for cursor := new(""); cursor != nil; {
			var items []T
			var err error
			if items, cursor, err = next(params, *cursor); err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// EachTransaction goes through transactions (ListTransactions), from params.After or the beginning on.
func (c *Client) EachTransaction(
	ctx context.Context, params ListTransactionsParams, options ...CallOption,
) iter.Seq2[Transaction, error] {
	return each(params, func(params ListTransactionsParams, after string) ([]Transaction, *string, error) {
		if after != "" {
			params.After, params.Page, params.Offset = after, 0, 0
		}
		list, err := c.ListTransactions(ctx, params, options...)
		return list.Items, list.NextCursor, err
	})
}

// EachProduct goes through products (ListProducts), from params.After or the beginning on.
func (c *Client) EachProduct(
	ctx context.Context, params ListProductsParams, options ...CallOption,
) iter.Seq2[Product, error] {
	return each(params, func(params ListProductsParams, after string) ([]Product, *string, error) {
		if after != "" {
			params.After, params.Page = after, 0
		}
		list, err := c.ListProducts(ctx, params, options...)
		return list.Items, list.NextCursor, err
	})
}

// EachCustomer goes through customers (ListCustomers), from params.After or the beginning on.
func (c *Client) EachCustomer(
	ctx context.Context, params ListCustomersParams, options ...CallOption,
) iter.Seq2[Customer, error] {
	return each(params, func(params ListCustomersParams, after string) ([]Customer, *string, error) {
		if after != "" {
			params.After, params.Page = after, 0
		}
		list, err := c.ListCustomers(ctx, params, options...)
		return list.Items, list.NextCursor, err
	})
}

// EachExemption goes through exemptions. Sorted by a tax number, a list ends with its first page (ListExemptions),
// from params.After or the beginning on.
func (c *Client) EachExemption(
	ctx context.Context, params ListExemptionsParams, options ...CallOption,
) iter.Seq2[ExemptionRecord, error] {
	return each(params, func(params ListExemptionsParams, after string) ([]ExemptionRecord, *string, error) {
		if after != "" {
			params.After, params.Page = after, 0
		}
		list, err := c.ListExemptions(ctx, params, options...)
		return list.Items, list.NextCursor, err
	})
}

// EachAuditEntry goes through the audit trail (ListAudit), from params.After or the beginning on.
func (c *Client) EachAuditEntry(
	ctx context.Context, params ListAuditParams, options ...CallOption,
) iter.Seq2[AuditEntry, error] {
	return each(params, func(params ListAuditParams, after string) ([]AuditEntry, *string, error) {
		if after != "" {
			params.After, params.Page = after, 0
		}
		list, err := c.ListAudit(ctx, params, options...)
		return list.Items, list.NextCursor, err
	})
}

// EachWebhookDelivery goes through what was sent to an endpoint (ListWebhookDeliveries), the newest first.
func (c *Client) EachWebhookDelivery(
	ctx context.Context, endpointID string, params ListWebhookDeliveriesParams, options ...CallOption,
) iter.Seq2[WebhookDelivery, error] {
	return each(params, func(params ListWebhookDeliveriesParams, after string) ([]WebhookDelivery, *string, error) {
		if after != "" {
			params.After, params.Page = after, 0
		}
		list, err := c.ListWebhookDeliveries(ctx, endpointID, params, options...)
		return list.Items, list.NextCursor, err
	})
}

// EachEvent goes through the feed of events (ListEvents), from params.After or the oldest on. It ends where the feed ends
// now. To follow it, begin again behind the id of the last event.
func (c *Client) EachEvent(
	ctx context.Context, params ListEventsParams, options ...CallOption,
) iter.Seq2[Event, error] {
	return each(params, func(params ListEventsParams, after string) ([]Event, *string, error) {
		if after != "" {
			params.After = after
		}
		list, err := c.ListEvents(ctx, params, options...)
		if !list.HasMore {
			return list.Items, nil, err
		}
		return list.Items, list.NextCursor, err
	})
}

// EachFilingTransaction goes through the transactions of a return (ListFilingTransactions), from params.After or the
// beginning on.
func (c *Client) EachFilingTransaction(
	ctx context.Context, filingID string, params ListFilingTransactionsParams, options ...CallOption,
) iter.Seq2[Transaction, error] {
	return each(params, func(params ListFilingTransactionsParams, after string) ([]Transaction, *string, error) {
		if after != "" {
			params.After, params.Page, params.Offset = after, 0, 0
		}
		list, err := c.ListFilingTransactions(ctx, filingID, params, options...)
		return list.Items, list.NextCursor, err
	})
}

// EachUnresolvedFilingTransaction goes through the unresolved transactions of a filing
// (ListUnresolvedFilingTransactions), from params.After or the beginning on.
func (c *Client) EachUnresolvedFilingTransaction(
	ctx context.Context, filingID string, params ListUnresolvedFilingTransactionsParams, options ...CallOption,
) iter.Seq2[Transaction, error] {
	return each(params, func(params ListUnresolvedFilingTransactionsParams, after string) ([]Transaction, *string, error) {
		if after != "" {
			params.After, params.Page, params.Offset = after, 0, 0
		}
		list, err := c.ListUnresolvedFilingTransactions(ctx, filingID, params, options...)
		return list.Items, list.NextCursor, err
	})
}

// EachNotice goes through letters of authorities (ListNotices), from params.After or the beginning on.
func (c *Client) EachNotice(
	ctx context.Context, params ListNoticesParams, options ...CallOption,
) iter.Seq2[Notice, error] {
	return each(params, func(params ListNoticesParams, after string) ([]Notice, *string, error) {
		if after != "" {
			params.After, params.Page = after, 0
		}
		list, err := c.ListNotices(ctx, params, options...)
		return list.Items, list.NextCursor, err
	})
}
