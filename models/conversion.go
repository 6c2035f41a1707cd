package models

import (
	"time"

	"github.com/govalues/decimal"
)

// CurrencyPair asks for a conversion rate on a day.
type CurrencyPair struct {
	From, To string // currency codes
	Day      time.Time
}

// ConversionRate is what one unit of a currency is worth in another.
type ConversionRate struct {
	Rate   decimal.Decimal // positive, 9 decimals
	Day    time.Time       // of the rates it comes from
	Source string          // who published them
}
