package web

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// nexusRecord is the nexus of an organization in a jurisdiction.
type nexusRecord struct {
	ID                 string      `json:"id"`
	Country            string      `json:"country_code"`
	State              string      `json:"state_code"`
	Name               string      `json:"state_name"`
	Status             string      `json:"status"`
	Processing         string      `json:"processing_status"`
	Currency           string      `json:"currency"`
	Counts             string      `json:"sales_or_transactions"`
	ThresholdSales     json.Number `json:"threshold_sales"`
	ThresholdNumber    int         `json:"threshold_transactions"`
	Model              string      `json:"period_model"`
	Start              string      `json:"period_start_date"`
	End                string      `json:"period_end_date"`
	PreviousStart      string      `json:"previous_period_start_date"`
	PreviousEnd        string      `json:"previous_period_end_date"`
	Amount             string      `json:"transactions_amount"`
	Number             int         `json:"transaction_count"`
	PreviousAmount     string      `json:"previous_transactions_amount"`
	PreviousNumber     int         `json:"previous_transaction_count"`
	Marketplace        bool        `json:"marketplace_included"`
	CountedSales       string      `json:"counted_sales"`
	Law                string      `json:"threshold_source"`
	Liability          string      `json:"tax_liability"`
	Met                bool        `json:"nexus_met"`
	MetDate            string      `json:"nexus_met_date"`
	Economic           string      `json:"economic_nexus_met_date"`
	Physical           string      `json:"physical_nexus_met_date"`
	Collected          string      `json:"collected_tax_nexus_met_date"`
	Obligation         string      `json:"obligation_start_date"`
	Months             *int        `json:"predicted_month_from_today"`
	Expected           string      `json:"-"` // the month in which the forecast crosses the threshold; empty if it does not
	Confidence         *int        `json:"confidence_level"`
	VDA                bool        `json:"vda_eligible"`
	Disregarded        bool        `json:"is_currently_disregarded"`
	LastSale           string      `json:"most_recent_transaction_date"`
	DisregardReason    string      `json:"disregard_reason"`
	PeriodsByBeginning []struct {
		Start    string `json:"start_date"`
		End      string `json:"end_date"`
		Number   int    `json:"transaction_count"`
		Amount   string `json:"transactions_amount"`
		Included string `json:"included_amount"`
		Met      bool   `json:"met"`
		MetDate  string `json:"met_date"`
	} `json:"periods"`
	Crossing *struct {
		Transaction string    `json:"transaction_id"`
		At          time.Time `json:"transaction_date"`
		Total       string    `json:"running_sales_total"`
		Number      int       `json:"running_transaction_count"`
		Start       string    `json:"period_start_date"`
		End         string    `json:"period_end_date"`
	} `json:"crossing"`
	Registration *struct {
		ID     string `json:"id"`
		Status string `json:"status"`
		Date   string `json:"registration_date"`
	} `json:"registration"`
}

// Share returns the used part of the threshold in percent, by amount or number as the law counts. If the previous
// period counts too, it returns the larger of both. It returns -1 if there is no threshold.
func (n nexusRecord) Share() int {
	share := n.shareOf(n.Amount, n.Number)
	if n.Model == "CURRENT_OR_PREVIOUS" {
		share = max(share, n.shareOf(n.PreviousAmount, n.PreviousNumber))
	}
	return share
}

func (n nexusRecord) shareOf(amount string, number int) int {
	sales, count := percent(amount, n.ThresholdSales.String()),
		percent(strconv.Itoa(number), strconv.Itoa(n.ThresholdNumber))
	switch n.Counts {
	case "SALES":
		return sales
	case "TRANSACTIONS":
		return count
	case "BOTH":
		return min(sales, count)
	}
	return max(sales, count)
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
	amount, ok := new(big.Rat).SetString(n.Amount)
	return n.Status != "NOT_EXPOSED" || n.Met || n.Disregarded || n.Registration != nil || n.Physical != "" ||
		n.Obligation != "" || n.Months != nil || n.LastSale != "" || n.Number != 0 || n.PreviousNumber != 0 ||
		ok && amount.Sign() != 0
}

// Level returns the CSS class that colours the jurisdiction.
func (n nexusRecord) Level() string {
	if n.Status != "NOT_EXPOSED" {
		return strings.ToLower(n.Status)
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
	sales, number := grouped(n.ThresholdSales)+" "+n.Currency, grouped(n.ThresholdNumber)+" sales"
	switch n.Counts {
	case "SALES":
		return sales
	case "TRANSACTIONS":
		return number
	case "BOTH":
		return sales + " and " + number
	}
	return sales + " or " + number
}

// nexusStatuses are the statuses of nexus, the most urgent first.
var nexusStatuses = []string{"EXPOSED", "PENDING_REGISTRATION", "APPROACHING", "REGISTERED", "NOT_EXPOSED"}
