package tax

import "github.com/govalues/decimal"

// ExplainedRefund is the input of a refund apart from its tax date and the explanation of its original, so that it can be
// repeated.
type ExplainedRefund struct {
	Lines     []RefundLine      `json:"lines"`
	Earlier   []RefundedLine    `json:"earlier,omitempty"`   // lines of the refunds that were decided before it
	Collected []decimal.Decimal `json:"collected,omitempty"` // collected tax of each line of the original
}

// RefundRequest is the request that the explanation of a refund explains. calculate is the law of the original, for lower
// prices. Error: ErrNoInput.
func (e *Explanation) RefundRequest(
	id string, original Explanation, calculate func(Request) (Result, error),
) (RefundRequest, error) {
	if e.Refund == nil || len(e.Refund.Lines) != len(e.Items) {
		return RefundRequest{}, ErrNoInput
	}
	req := RefundRequest{
		TransactionID: id, TaxDate: e.TaxDate, Original: original, Collected: e.Refund.Collected, Calculate: calculate,
		Lines: make([]RefundLine, len(e.Items)), Earlier: e.Refund.Earlier,
	}
	at := make(map[string]int, len(e.Items))
	for i := range e.Items {
		at[e.Items[i].ItemID] = i
	}
	for i, item := range e.Items {
		l := e.Refund.Lines[i]
		l.ID, l.ExternalID, l.ExternalProductID = item.ItemID, item.ExternalID, item.ExternalProductID
		for _, part := range item.Spread {
			l.Spread = append(l.Spread, CouponPart{From: i, To: at[part.ItemID], Amount: part.Amount})
		}
		req.Lines[i] = l
	}
	return req, nil
}
