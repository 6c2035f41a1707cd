package models

import "time"

// OverviewFigure is an amount in a currency, and the number of records that it is made of.
type OverviewFigure struct {
	Currency string
	Amount   string
	Count    int64
}

// OverviewDay is a figure of a day, or of the month that begins with it.
type OverviewDay struct {
	Day time.Time
	OverviewFigure
}

// OverviewPlace is tax that is owed in a place without a registration. State is the code of the country
// for a whole country.
type OverviewPlace struct {
	Country, State string
	OverviewFigure
}

// ClientHealth is the number of overdue returns, of places with nexus and no registration, and of sales that cannot be
// taxed, of an organization.
type ClientHealth struct {
	OrganizationID, Name        string
	Overdue, Exposed, Untaxable int64
}

// Overview says what organizations owe and what waits for people. Each figure has one row per currency.
type Overview struct {
	Since    time.Time // the first of the months
	UpToDate bool      // no change waits to be added up

	OwedNow   []OverviewFigure // open returns that are due today or overdue
	DueSoon   []OverviewFigure // open returns that are due within the next 14 days
	Exposed   []OverviewFigure // tax owed where nexus is met without a registration
	Untaxable []OverviewFigure // sales that cannot be processed

	Days            []OverviewDay // open returns by due day, for 30 days from today on
	DueMonths       []OverviewDay // open and filed returns by the month in which they are due
	ExposedMonths   []OverviewDay // tax of a month's sales where nexus is met without a registration
	UntaxableMonths []OverviewDay // sales that cannot be processed, by the month in which this was found

	Places  []OverviewPlace // where Exposed is owed, by currency, the largest amount first
	Clients []ClientHealth  // the ten organizations with the most to do
}
