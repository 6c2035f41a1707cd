package web

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"
)

// nexusRecord is the nexus of an organization in a jurisdiction.
type nexusRecord struct {
	contract.NexusRecord
	Expected string // the month in which the forecast crosses the threshold; empty if it does not
}

// Place returns the name of the jurisdiction, such as "US: California".
func (n nexusRecord) Place() string { return placeNamed(n.CountryCode, n.StateCode, n.StateName) }

// is reports whether the nexus has one of some statuses.
func (n nexusRecord) is(statuses ...models.NexusStatus) bool {
	return slices.Contains(statuses, models.NexusStatus(n.Status))
}

// MayRegister reports whether the organization can register: it is not registered yet, and no registration is pending.
func (n nexusRecord) MayRegister() bool {
	return n.Registration == nil || !n.is(models.NexusRegistered, models.NexusPendingRegistration)
}

// MayDisregard reports whether the organization can disregard the nexus.
func (n nexusRecord) MayDisregard() bool { return n.is(models.NexusExposed, models.NexusApproaching) }

// Evaluated reports whether the nexus was ever determined.
func (n nexusRecord) Evaluated() bool {
	return n.ProcessingStatus != contract.NexusProcessingStatus(models.NexusNotReady)
}

// Share returns the used part of the threshold in percent, by amount or number as the law counts. If the previous
// period counts too, it returns the larger of both. It returns -1 if there is no threshold.
func (n nexusRecord) Share() int {
	share := n.shareOf(n.TransactionsAmount, n.TransactionCount)
	if n.PeriodModel == contract.NexusPeriodModelCURRENTORPREVIOUS {
		share = max(share, n.shareOf(n.PreviousTransactionsAmount, n.PreviousTransactionCount))
	}
	return share
}

func (n nexusRecord) shareOf(amount string, number int) int {
	sales, count := percent(amount, string(n.ThresholdSales)),
		percent(strconv.Itoa(number), strconv.Itoa(n.ThresholdTransactions))
	switch n.SalesOrTransactions {
	case contract.SalesOrTransactionsSALES:
		return sales
	case contract.SalesOrTransactionsTRANSACTIONS:
		return count
	case contract.SalesOrTransactionsBOTH:
		return min(sales, count)
	default:
		return max(sales, count)
	}
}

// percent returns a part of a whole in percent, rounded down; -1 if the whole is zero.
func percent(part, of string) int {
	a, aOK := new(big.Rat).SetString(part)
	b, bOK := new(big.Rat).SetString(of)
	if !aOK || !bOK || b.Sign() <= 0 {
		return -1
	}
	a.Mul(a.Quo(a, b), big.NewRat(100, 1))
	whole := new(big.Int).Quo(a.Num(), a.Denom())
	if !whole.IsInt64() || whole.Int64() > 1_000_000 {
		return 1_000_000
	}
	return int(max(whole.Int64(), 0))
}

// Relevant reports whether a person who looks for work wants to see the jurisdiction. It has nexus, an obligation, a
// forecast or any sale.
func (n nexusRecord) Relevant() bool {
	amount, ok := new(big.Rat).SetString(n.TransactionsAmount)
	return !n.is(models.NexusNotExposed) || n.NexusMet || n.IsCurrentlyDisregarded || n.Registration != nil ||
		n.PhysicalNexusMetDate != nil || n.ObligationStartDate != nil || n.PredictedMonthFromToday != nil ||
		n.MostRecentTransactionDate != nil || n.TransactionCount != 0 || n.PreviousTransactionCount != 0 ||
		ok && amount.Sign() != 0
}

// Level returns the CSS class that colours the jurisdiction.
func (n nexusRecord) Level() string {
	if !n.is(models.NexusNotExposed) {
		return strings.ToLower(string(n.Status))
	}
	switch share := n.Share(); {
	case share >= 50:
		return "half"
	case share > 0:
		return "some"
	}
	return "none"
}

// Threshold returns the threshold as text: "100,000 USD or 200 sales".
func (n nexusRecord) Threshold() string {
	sales, number := grouped(string(n.ThresholdSales))+" "+n.Currency, grouped(n.ThresholdTransactions)+" sales"
	switch n.SalesOrTransactions {
	case contract.SalesOrTransactionsSALES:
		return sales
	case contract.SalesOrTransactionsTRANSACTIONS:
		return number
	case contract.SalesOrTransactionsBOTH:
		return sales + " and " + number
	default:
		return sales + " or " + number
	}
}
