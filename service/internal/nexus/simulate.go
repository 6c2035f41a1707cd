package nexus

import (
	"context"
	"fmt"
	"slices"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/tax/nexus"
)

// simulation is the state of one call of SimulateNexus.
type simulation struct {
	*Operations
	body  *contract.NexusSimulation
	law   *tax.Content
	c     models.NexusCase
	on    calendar.Date
	rates rules.Rates

	asked      map[tax.Authority]bool
	additional []simulatedSales
	thresholds map[tax.Authority]*contract.SimulatedThreshold
}

type simulatedSales struct {
	at   tax.Authority
	sold nexus.DailySales
}

// SimulateNexus answers where nexus would exist under other sales or rules. It writes nothing.
func (o *Operations) SimulateNexus(ctx context.Context, r contract.SimulateNexusRequest) (contract.NexusSimulated, error) {
	sim := &simulation{Operations: o, body: &r.Body, law: o.deps.Law.Current(), on: convert.DateOf(o.now())}
	if !r.Body.On.IsZero() {
		sim.on = calendar.DateOf(r.Body.On.Time)
	}
	var err error
	if sim.c, err = o.deps.Nexus.LoadNexus(ctx, call.Of(ctx).Scope.OrganizationID, sim.on, true); err != nil {
		return contract.NexusSimulated{}, err
	}
	if faults := sim.read(); faults != nil {
		return contract.NexusSimulated{}, &models.InvalidError{Faults: faults}
	}
	terms := make([]nexus.Rule, len(sim.c.Records))
	for i := range sim.c.Records {
		terms[i] = sim.law.Nexus().Terms(sim.c.Records[i].Place(), sim.c.Home, sim.on)
	}
	if pairs := rules.NexusRatesFor(&sim.c, terms, sim.on); len(pairs) > 0 {
		if sim.rates, err = o.deps.Nexus.ConversionRates(ctx, pairs); err != nil {
			return contract.NexusSimulated{}, err
		}
	}
	answer := contract.NexusSimulated{On: convert.DayOf(sim.on.Time()), Items: []contract.SimulatedNexus{}}
	for i := range sim.c.Records {
		record := &sim.c.Records[i]
		place := record.Place()
		if len(sim.asked) > 0 && !sim.asked[tax.Authority{Country: place.Country, State: place.State}] {
			continue
		}
		item, err := sim.simulate(record, terms[i])
		if err != nil {
			return contract.NexusSimulated{}, err
		}
		if item.Changed {
			answer.Changed++
		}
		answer.Items = append(answer.Items, item)
	}
	return answer, nil
}

// read finds the jurisdictions of the body and returns its faults. The law has these jurisdictions,
// but the organization may have no record of one.
func (sim *simulation) read() (faults []models.Fault) {
	known := map[tax.Authority]bool{}
	for i := range sim.c.Records {
		place := sim.c.Records[i].Place()
		known[tax.Authority{Country: place.Country, State: place.State}] = true
	}
	named := func(country, state, path string) tax.Authority {
		a, ok := sim.law.AuthorityNamed(country, state)
		at := tax.Authority{Country: a.Country, State: a.State}
		if at.State == at.Country {
			at.State = ""
		}
		if !ok || !known[at] {
			faults = append(faults, models.Fault{
				Code: models.FieldInvalidEnum, Path: path,
				Message: "There is no nexus record of this jurisdiction.",
			})
		}
		return at
	}
	sim.asked, sim.thresholds = map[tax.Authority]bool{}, map[tax.Authority]*contract.SimulatedThreshold{}
	for i, j := range sim.body.Jurisdictions {
		sim.asked[named(j.CountryCode, j.StateCode, fmt.Sprintf("jurisdictions[%d].state_code", i))] = true
	}
	for i := range sim.body.AdditionalSales {
		a := &sim.body.AdditionalSales[i]
		sim.additional = append(sim.additional, simulatedSales{
			at: named(a.CountryCode, a.StateCode, fmt.Sprintf("additional_sales[%d].state_code", i)),
			sold: nexus.DailySales{
				Day: calendar.DateOf(a.Date.Time), Marketplace: a.Marketplace, Count: convert.ValueOf(a.Transactions),
				Amount: a.Amount,
			},
		})
	}
	for i := range sim.body.Thresholds {
		t := &sim.body.Thresholds[i]
		sim.thresholds[named(t.CountryCode, t.StateCode, fmt.Sprintf("thresholds[%d].state_code", i))] = t
	}
	return faults
}

// simulate assesses one jurisdiction twice: as it is and as simulated.
func (sim *simulation) simulate(record *models.NexusState, terms nexus.Rule) (contract.SimulatedNexus, error) {
	place := record.Place()
	sales, err := rules.NexusSalesIn(&sim.c, place, terms.Currency, sim.on, sim.rates)
	if err != nil {
		return contract.SimulatedNexus{}, err
	}
	supposed := nexus.Simulation{
		ChangePercent: sim.body.SalesChangePercent, MarketplaceShare: sim.body.MarketplaceShare,
	}
	for _, a := range sim.additional {
		state := a.at.State
		if place.Country == a.at.Country && place.State == "" || place.Counts(a.at.Country, state, sim.c.Home, sim.on) {
			supposed.Additional = append(supposed.Additional, a.sold)
		}
	}
	if t := sim.thresholds[tax.Authority{Country: place.Country, State: place.State}]; t != nil {
		supposed.Amount, supposed.Count = t.ThresholdSales, convert.Optional(t.ThresholdTransactions)
	}
	facts := nexus.Facts{
		Day: sim.on, Terms: terms, Rules: sim.law.Nexus().History(place, sim.c.Home, sim.on), Sales: sales.Days,
		Presences: rules.PresencesIn(&sim.c, place, sim.on), Approaching: sim.approaching,
	}
	present, err := outlook(record, &facts)
	if err != nil {
		return contract.SimulatedNexus{}, err
	}
	if facts.Sales, err = supposed.Sales(sales.Days); err != nil {
		return contract.SimulatedNexus{}, err
	}
	facts.Terms, facts.Rules = supposed.Rule(facts.Terms), slices.Clone(facts.Rules)
	for i := range facts.Rules {
		facts.Rules[i] = supposed.Rule(facts.Rules[i])
	}
	if len(facts.Rules) == 0 && !facts.Terms.Presence {
		facts.Rules = []nexus.Rule{facts.Terms}
	}
	simulated, err := outlook(record, &facts)
	return contract.SimulatedNexus{
		NexusID: record.ID, CountryCode: record.CountryCode, StateCode: record.StateCode, StateName: record.StateName,
		Currency: terms.Currency,
		Changed:  differs(present, simulated), Present: present, Simulated: simulated,
	}, err
}

func outlook(record *models.NexusState, facts *nexus.Facts) (contract.NexusOutlook, error) {
	a, err := nexus.Assess(facts)
	if err != nil {
		return contract.NexusOutlook{}, err
	}
	terms := models.TermsOf(facts.Terms)
	o := contract.NexusOutlook{
		Status: contract.NexusStatusNOTEXPOSED, ThresholdSales: thresholdAnswer(terms.ThresholdSales),
		ThresholdTransactions: convert.ValueOf(terms.ThresholdTransactions),
		TransactionsAmount:    money.Format(a.Now.Current.Amount), TransactionCount: a.Now.Current.Count,
		EconomicNexusMet: a.Economic != 0, EconomicNexusMetDate: dateAnswer(a.Economic),
		PhysicalNexusMet:    a.Physical != 0,
		ObligationStartDate: dateAnswer(a.First.ObligationStart),
	}
	switch {
	case record.Status == models.NexusRegistered || record.Status == models.NexusPendingRegistration:
		o.Status = contract.NexusStatus(record.Status)
	case o.EconomicNexusMet || o.PhysicalNexusMet || record.CollectedTaxNexusMet:
		o.Status = contract.NexusStatusEXPOSED
	case a.Now.Approaching:
		o.Status = contract.NexusStatusAPPROACHING
	}
	if a.Forecast != nil {
		o.PredictedMonthFromToday, o.ConfidenceLevel = &a.Forecast.Months, &a.Forecast.Confidence
	}
	return o, nil
}

// differs reports whether two outlooks differ in nexus.
func differs(a, b contract.NexusOutlook) bool {
	return a.Status != b.Status || a.EconomicNexusMet != b.EconomicNexusMet ||
		convert.ValueOf(a.EconomicNexusMetDate) != convert.ValueOf(b.EconomicNexusMetDate) ||
		convert.ValueOf(a.ObligationStartDate) != convert.ValueOf(b.ObligationStartDate)
}
