package rules

import (
	"slices"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
)

// lastTime is after the commitment of every refund.
var lastTime = calendar.MustDate("9999-12-31").Time()

// inOrder returns the place of a refund among those of its sale. One that is not known yet is the last.
func inOrder(t *models.Transaction) models.DecidedRefund {
	i := slices.IndexFunc(t.Original.Refunds, func(r models.DecidedRefund) bool { return r.ID == t.ID })
	if i < 0 {
		return models.DecidedRefund{ID: t.ID, CommittedAt: lastTime}
	}
	return models.DecidedRefund{ID: t.ID, CommittedAt: t.Original.Refunds[i].CommittedAt}
}

// OrderRefunds sorts the transactions of a batch that have originals in the order in which they were committed. Those
// without an original come first.
func OrderRefunds(transactions []models.Transaction) {
	slices.SortStableFunc(transactions, func(a, b models.Transaction) int {
		switch {
		case a.Original == nil || b.Original == nil:
			return boolOrder(a.Original != nil) - boolOrder(b.Original != nil)
		}
		of, other := inOrder(&a), inOrder(&b)
		return boolOrder(other.Before(&of)) - boolOrder(of.Before(&other))
	})
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// LaterRefunds lists the refunds that were decided before a refund of the same sale, but committed after it. They are
// decided again, unless they are in a return.
func LaterRefunds(t *models.Transaction) (ids []string) {
	at := inOrder(t)
	for i := range t.Original.Refunds {
		if r := &t.Original.Refunds[i]; r.Calculated && !r.Locked && r.ID != t.ID && at.Before(r) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// earlier returns the original of a refund as the refund finds it: with the refunds that are decided before it, and
// with what they leave. Errors: money.ErrOverflow.
func earlier(t models.Transaction) (*models.Original, error) {
	o, at := *t.Original, inOrder(&t)
	o.Refunds, o.Refunded, o.Totals, o.Left = nil, nil, slices.Clip(o.SoldTotals), o.Sold
	for i := range t.Original.Refunds {
		r := &t.Original.Refunds[i]
		// guard: refund: those committed later are decided after it
		if !r.Calculated || r.ID == t.ID || !r.Before(&at) {
			continue
		}
		o.Refunds = append(o.Refunds, *r)
		o.Refunded = append(o.Refunded, r.Items...)
		o.Totals = append(o.Totals, r.Totals...)
		for _, figure := range returnFigures {
			amount := figure(&o.Left)
			var err error
			if *amount, err = money.Add(*amount, *figure(&r.ReturnAmounts)); err != nil {
				return nil, err
			}
		}
	}
	return &o, nil
}
