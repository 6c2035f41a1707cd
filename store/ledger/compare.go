package ledger

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"levy/models"
	"levy/models/ledger"
	"levy/rules"
)

func of(id string) string { return fmt.Sprintf(between, id) }

func (v *verification) breaks(format string, args ...any) {
	if v.Broken == "" {
		v.Broken = fmt.Sprintf(format, args...)
	}
}

func (v *verification) notCovered(id string) {
	v.NotCovered++
	if v.FirstNotCovered == "" {
		v.FirstNotCovered = id
	}
}

// compareRecord compares the versions of a transaction and its liability with their leaves.
func (p *page) compareRecord(ctx context.Context, r *record) error {
	told := map[int]bool{} // versions that the trail tells of
	archived := false
	for _, e := range r.entries {
		if e.action == models.AuditArchive {
			archived = true
			continue
		}
		told[max(e.revision, 1)] = true
		if err := p.compareVersion(ctx, r, e); err != nil || p.Broken != "" {
			return err
		}
	}
	switch t := r.versions[r.current]; {
	case t == nil && (len(r.leaves) > 0 || len(r.entries) > 0):
		p.breaks("transaction %s is missing", r.id)
	case t == nil:
	case !told[r.current]:
		p.breaks("transaction %s, version %d, was added past the guards", r.id, r.current)
	case r.archivedLater && !archived:
		p.breaks("transaction %s was archived past the guards", r.id)
	default:
		return p.compareDecision(ctx, r, t)
	}
	return nil
}

// compareVersion compares a version with the row of the trail that tells of it.
func (p *page) compareVersion(ctx context.Context, r *record, e entry) error {
	e.revision = max(e.revision, 1)
	t := r.versions[e.revision]
	leaves := [][]byte{e.leaf}
	if e.leaf == nil { // an earlier release accepted it
		leaves = leavesOfKind(r.leaves, ledger.KindEarlierVersion)
	}
	switch {
	case r.current == 0:
		p.breaks("transaction %s is missing", r.id)
		return nil
	case t == nil && e.revision < r.current && r.versions[r.current].Type.IsCredit():
		return nil // replaced versions of refunds are not kept
	case t == nil && len(leaves) > 0:
		p.breaks("transaction %s, version %d, is missing", r.id, e.revision)
		return nil
	case len(leaves) == 0: // the chain has the row from before the mark, see store/audit
		p.notCovered(r.id)
		return nil
	}
	as, err := p.acceptedAs(ctx, t, leaves)
	if err != nil {
		return err
	}
	if as == "" {
		p.breaks("transaction %s, version %d, was changed", r.id, e.revision)
		return nil
	}
	p.Versions++
	r.archivedLater = r.archivedLater || as != t.Status
	return nil
}

// leavesOfKind returns the digests of the leaves of a kind.
func leavesOfKind(all []ledger.Leaf, kind byte) (digests [][]byte) {
	for _, l := range all {
		if l.Kind == kind {
			digests = append(digests, l.Digest)
		}
	}
	return digests
}

// statuses are those that a transaction may have had before it was archived, which is no new version.
var statuses = []models.TransactionStatus{
	models.StatusCommitted, models.StatusPending, models.StatusCancelled, models.StatusInvalid,
	models.StatusFullyRefunded, models.StatusPartiallyRefunded,
}

// acceptedAs returns the status with which a version has one of these leaves; "" for none. Each has the number of its
// version.
func (v *verification) acceptedAs(
	ctx context.Context, t *models.Transaction, leaves [][]byte,
) (models.TransactionStatus, error) {
	accepted := *rules.AsSubmitted(t)
	possible := []models.TransactionStatus{t.Status}
	if t.Status == models.StatusArchived {
		possible = slices.Concat(possible, statuses)
	}
	for _, accepted.Status = range possible {
		now, err := v.db.Leaf(ctx, ledger.Version(&accepted))
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(leaves, func(l []byte) bool { return bytes.Equal(l, now) }) {
			return accepted.Status, nil
		}
	}
	return "", nil
}

// compareDecision compares the liability of a calculated transaction with the last one that was decided.
func (p *page) compareDecision(ctx context.Context, r *record, t *models.Transaction) error {
	leaf, replayed := inForce(r.leaves)
	switch {
	case t.Status == models.StatusArchived:
		return nil
	case !slices.Contains(models.CalculatedStates, t.ProcessingStatus):
		p.Undecided++
		return nil
	// guard: ledger: from the mark on every decided liability has its leaf
	case leaf == nil && p.coveredFrom > 0:
		p.breaks("the liability of transaction %s was decided past the guards", r.id)
		return nil
	case leaf == nil:
		p.notCovered(r.id)
		return nil
	}
	// guard: ledger: an earlier decision is not in force again
	same := !r.strange && !replayed
	if same {
		var err error
		if same, err = p.isDecision(ctx, t, r.totals, leaf); err != nil {
			return err
		}
	}
	if !same {
		p.breaks("the liability of transaction %s was changed", r.id)
		return nil
	}
	p.Decisions++
	return nil
}

// isDecision reports whether a transaction with its totals is the decided one. A line whose price includes tax has its
// amount without it, unless the decision left the amounts as they were.
func (v *verification) isDecision(
	ctx context.Context, t *models.Transaction, totals []models.AuthorityTotal, leaf []byte,
) (bool, error) {
	for _, net := range []bool{t.PricesIncludeTax(), false} {
		now, err := v.db.Leaf(ctx, ledger.Decision(decisionOf(t, totals, net)))
		if err != nil || bytes.Equal(now, leaf) {
			return err == nil, err
		}
	}
	return false, nil
}

// decisionOf returns the outcome of the last stage that a transaction shows.
func decisionOf(t *models.Transaction, totals []models.AuthorityTotal, net bool) *models.TaxOutcome {
	o := &models.TaxOutcome{
		Ref: t.Ref(), Exempt: t.Exempt, TaxableAmount: t.TaxableAmount, TaxAmount: t.TotalTaxAmountCalculated,
		TaxRate: t.TaxRateCalculated, LiabilityAmount: t.TotalTaxLiabilityAmount, Totals: totals,
		DestinationCurrency: valueOf(t.DestinationCurrency), ConversionRate: valueOf(t.ConversionRate),
		ContentVersion: valueOf(t.ContentVersion), LiabilitySource: valueOf(t.TaxLiabilitySource),
	}
	if net {
		o.Net = &models.NetPrice{Amount: t.Subtotal, Discount: t.TotalDiscount}
	}
	for i := range t.Items {
		item := &t.Items[i]
		line := models.LineTax{
			LineNo: item.LineNo, TaxableAmount: item.TaxableAmount, TaxAmount: item.TaxAmountCalculated,
			TaxRate: item.TaxRateCalculated, Exempt: item.Exempt, TaxExemption: valueOf(item.TaxExemption),
			TaxItems: item.TaxItems,
		}
		if net {
			line.Net = &models.NetPrice{Amount: item.Amount, Discount: item.TotalDiscount}
		}
		o.Lines = append(o.Lines, line)
	}
	return o
}

func valueOf[T any](of *T) (value T) {
	if of != nil {
		value = *of
	}
	return value
}
