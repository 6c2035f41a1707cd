package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// CheckUpdate decides whether next may replace the stored version of a transaction.
// credited says that there are credit notes that are not cancelled.
//
// Errors, in this order: *CreditEndpointError, *LockedError, *TransitionError,
// *HasCreditNotesError.
func CheckUpdate(stored, next *models.Transaction, credited bool) error {
	if stored.Type.IsCredit() {
		return &models.CreditEndpointError{RelatedTo: text(stored.RelatedTo)}
	}
	if stored.Locked() {
		return &models.LockedError{FilingID: text(stored.FilingID)}
	}
	if err := models.TransactionTransitions.Check(string(stored.Status), string(next.Status)); err != nil {
		return err
	}
	if credited {
		if relied := slices.DeleteFunc(
			TransactionChanges(stored, next),
			func(field string) bool { return !slices.Contains(creditsRelyOn, field) },
		); len(relied) > 0 {
			return &models.HasCreditNotesError{Fields: relied}
		}
	}
	return nil
}

// CheckArchive decides whether a transaction may be archived. An archived one may. Errors: *LockedError,
// *HasCreditNotesError, *TransitionError.
func CheckArchive(stored *models.Transaction, credited bool) error {
	machine := models.TransactionTransitions
	switch {
	case stored.Status == models.StatusArchived:
		return nil
	case stored.Locked():
		return &models.LockedError{FilingID: text(stored.FilingID)}
	case credited:
		return &models.HasCreditNotesError{Fields: []string{"status"}}
	case stored.Type.IsCredit():
		machine = models.CreditNoteTransitions
	}
	return machine.Check(string(stored.Status), string(models.StatusArchived))
}

// CheckReprocess decides whether a transaction may be queued again. It may in NEEDS_REFETCH, and if it is processed and
// in no filing. One in processing only gets another attempt. A status of the merchant that excludes processing refuses
// it. Errors: *LockedError, *TransitionError.
func CheckReprocess(stored *models.Transaction) error {
	if stored.Locked() || stored.FilingID != nil {
		return &models.LockedError{FilingID: text(stored.FilingID)}
	}
	if !stored.ProcessingStatus.Terminal() {
		return nil
	}
	return models.ProcessingTransitions.Check(string(stored.ProcessingStatus), string(models.ProcessingQueued))
}

// UpdateDetail returns the history entry of an update: the changed fields, and changed amounts with their values before
// and after.
func UpdateDetail(stored, next *models.Transaction) map[string]any {
	stored = AsSubmitted(stored)
	detail := map[string]any{"changed": TransactionChanges(stored, next)}
	if stored.Status != next.Status {
		detail["status"] = map[string]any{"from": stored.Status, "to": next.Status}
	}
	for _, a := range []struct {
		name     string
		from, to decimal.Decimal
	}{
		{"total_amount", stored.TotalAmount, next.TotalAmount}, {"subtotal", stored.Subtotal, next.Subtotal},
		{"total_discount", stored.TotalDiscount, next.TotalDiscount},
		{"total_tax_amount_imported", stored.TotalTaxAmountImported, next.TotalTaxAmountImported},
	} {
		if a.from.Cmp(a.to) != 0 {
			detail[a.name] = map[string]any{"from": money.Format(a.from), "to": money.Format(a.to)}
		}
	}
	if !stored.TaxDate.Equal(next.TaxDate) {
		detail["tax_date"] = map[string]any{
			"from": stored.TaxDate.Format(time.DateOnly), "to": next.TaxDate.Format(time.DateOnly),
		}
	}
	return detail
}

// LineName names the stored line that a line of a new version continues; empty for none.
type LineName struct{ ID, ExternalID string }

// ContinuedLines returns for each line of a new version the index of the stored line that it continues; -1 for none.
// That is the line with its id, else the first one with its external id that no other line continues.
func ContinuedLines(stored []models.TransactionItem, next []LineName) []int {
	continued := make([]int, len(next))
	byID := make(map[string]int, len(stored))
	byExternalID := make(map[string][]int, len(stored))
	for j := range stored {
		byID[stored[j].ID] = j
		if name := strings.TrimSpace(text(stored[j].ExternalID)); name != "" {
			byExternalID[name] = append(byExternalID[name], j)
		}
	}
	taken := make([]bool, len(stored))
	for i, name := range next {
		continued[i] = -1
		if j, ok := byID[name.ID]; ok && !taken[j] {
			continued[i], taken[j] = j, true
		}
	}
	for i, name := range next {
		if continued[i] >= 0 {
			continue
		}
		external := strings.TrimSpace(name.ExternalID)
		same := byExternalID[external]
		for len(same) > 0 && taken[same[0]] {
			same = same[1:]
		}
		byExternalID[external] = same
		if len(same) > 0 {
			continued[i], taken[same[0]] = same[0], true
		}
	}
	return continued
}

// KeepAddressIDs keeps the id of the address of each type, and sorts the addresses as they are read.
func KeepAddressIDs(stored, next []models.TransactionAddress) {
	for i := range next {
		for j := range stored {
			if stored[j].Type == next[i].Type {
				next[i].ID = stored[j].ID
			}
		}
	}
	slices.SortStableFunc(next, func(a, b models.TransactionAddress) int { return cmp.Compare(a.ID, b.ID) })
}
