package filings

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/test/seed"
)

// sold is a sale of a generated return. Amounts are in cents.
type sold struct {
	key            models.FigureKey // of the authority
	place          string
	taxers         []models.FigureKey // below the authority
	gross, taxable int64
	further        int64 // the base of a further tax of the authority
	local          int64 // the base below the authority
	collected      int64 // above the tax of the law, or below it
}

// furtherKey is what the figure of the further tax of the authority has.
func (s *sold) furtherKey() models.FigureKey {
	key := s.key
	key.Rate, key.Category = "0.0125", models.CategoryAdditional
	return key
}

// generated is a return that a seed makes.
type generated struct {
	layout tax.ReturnLayout
	filing models.Filing
	sales  []sold
	day    calendar.Date
	county string
}

func centsOf(cents int64) money.Total {
	sum, err := money.ParseTotal(new(big.Rat).SetFrac64(cents, 100).FloatString(2))
	if err != nil {
		panic(err)
	}
	return sum
}

// taxOf is the tax of a base in cents, at a rate.
func taxOf(base int64, rate string) int64 {
	tax, _ := new(big.Rat).SetString(rate)
	text := tax.Mul(tax, new(big.Rat).SetInt64(base)).FloatString(0)
	cents, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return cents
}

func oneOf[T any](random *rand.Rand, of ...T) T { return of[random.IntN(len(of))] }

// wordsOf are the names that the conditions of a form have for a column.
func wordsOf(form []record, column string) (words []string) {
	for _, row := range form {
		for _, arg := range slices.Concat(argumentsOf(row["formula"]), argumentsOf(cmp.Or(row["each"], "()"))) {
			name, list, _ := strings.Cut(arg, "=")
			if strings.TrimSuffix(name, "!") == column {
				words = append(words, strings.Split(list, "|")...)
			}
		}
	}
	return words
}

// generate makes a return of a layout. Its sales have what the form tells apart, and more.
func generate(layout tax.ReturnLayout, form []record, random *rand.Rand) *generated {
	g := &generated{layout: layout}
	f := &g.filing
	f.CountryCode, f.StateCode = layout.Country, layout.State
	if f.CountryCode == tax.AnyCountry {
		at := oneOf(random, [2]string{"US", "CO"}, [2]string{"DE", "DE"}, [2]string{"US", "AL"})
		f.CountryCode, f.StateCode = at[0], at[1]
	}
	year, months := 2026, []int{3, 6, 9, 12}
	if layout.To != 0 {
		year = layout.To.Time().Year()
	}
	if len(layout.LastMonths) > 0 {
		months = layout.LastMonths
	}
	filers := []calendar.FilingFrequency{calendar.FilingMonthly, calendar.FilingQuarterly}
	if len(layout.Filers) > 0 {
		filers = layout.Filers
	}
	often := string(oneOf(random, filers...))
	end := calendar.Date(year*10000 + oneOf(random, months...)*100 + 1).LastOfMonth()
	f.StartDate = calendar.Date(int(end)/100*100 + 1).Time()
	if often != string(calendar.FilingMonthly) {
		f.StartDate = f.StartDate.AddDate(0, -2, 0)
	}
	due := end.AddDays(20).Time()
	f.EndDate, f.DueDate, f.FilingFrequency, f.FilingCategory = end.Time(), &due, &often, calendar.FilingRegular
	if random.IntN(10) == 0 {
		f.FilingCategory = models.FilingAmendment
	}
	g.day = calendar.DateOf(due).AddDays(random.IntN(20) - 14)
	g.sell(form, random)
	g.enter(form, random)
	return g
}

// topKey is what all figures of the authority have.
func (g *generated) topKey() models.FigureKey {
	switch g.filing.CountryCode {
	case "US":
		return models.FigureKey{Level: "STATE", Name: "State of " + g.filing.StateCode}
	case "CA":
		return models.FigureKey{Level: "FEDERAL", Name: "Canada"}
	}
	return models.FigureKey{Level: "COUNTRY", Name: "Country of " + g.filing.CountryCode}
}

// sell makes the sales of a return.
func (g *generated) sell(form []record, random *rand.Rand) {
	names := slices.Concat(wordsOf(form, "name"), wordsOf(form, "place"), []string{"Alpha County", "Beta", "Gamma District", "Delta"})
	classes := slices.Concat(wordsOf(form, "class"), []string{"PHYSICAL", "CLOTHING", "SOFTWARE"})
	reasons := slices.Concat(wordsOf(form, "category"), []string{models.CategoryResale, models.CategoryNotTaxable, models.CategoryThreshold})
	levels := append(wordsOf(form, "level"), "CITY")
	g.county = oneOf(random, "", names[0], "Beta")
	rate := func(most int) string { return strconv.FormatFloat(float64(random.IntN(most))/10000, 'f', -1, 64) }
	state := oneOf(random, append(wordsOf(form, "rate"), "0.04", "0.06", "0.0625", "0.05")...)
	rates := map[string]string{}
	places := make([][]string, 1+random.IntN(4))
	for i := range places {
		for _, name := range names {
			if random.IntN(3) == 0 && !slices.Contains(places[i], name) {
				places[i] = append(places[i], name)
				rates[name] = rate(400)
			}
		}
	}
	for range random.IntN(40) {
		s := sold{key: g.topKey(), gross: 1 + random.Int64N(2_000_000)}
		s.key.Channel = oneOf(random, models.ChannelOwn, models.ChannelOwn, models.ChannelOwn, models.ChannelMarketplace,
			models.ChannelNoObligation)
		s.key.Origin = oneOf(random, models.OriginInState, models.OriginOutOfState, models.OriginUnknown)
		s.key.Class, s.key.Rate, s.key.Sign = oneOf(random, classes...), state, models.FigureSale
		s.taxable, s.local = s.gross, s.gross
		switch random.IntN(6) {
		case 0: // the authority does not tax it, and those below do
			s.taxable, s.key.Rate, s.key.Category = 0, "0", oneOf(random, reasons...)
		case 1:
			s.taxable, s.local, s.key.Rate, s.key.Category = 0, 0, "0", oneOf(random, reasons...)
		case 2: // a limit for each item below the authority
			s.local = min(s.gross, 500_000)
		case 3:
			s.taxable = s.gross / 3
			s.local, s.key.Category = s.taxable, models.CategoryPartial
		}
		switch s.gross % 8 { // no draw of its own: the other sales stay what they are
		case 0: // such as Utah has on food where only the state is known
			s.further = s.taxable
		case 1: // such as Tennessee has on a part of each item
			s.further = s.taxable / 4
		}
		place := oneOf(random, places...)
		s.place = strings.Join(place, ", ")
		for _, name := range place {
			key := s.key
			key.Level, key.Name, key.Rate, key.Category = oneOf(random, levels...), name, rates[name], ""
			if random.IntN(12) == 0 { // its rate has changed in the period
				key.Rate = "0.0125"
			}
			if s.local != 0 {
				s.taxers = append(s.taxers, key)
			}
		}
		if random.IntN(6) == 0 {
			s.collected = random.Int64N(300) - 100
		}
		if random.IntN(5) == 0 {
			s.key.Sign, s.gross, s.taxable, s.local = models.FigureRefund, -s.gross, -s.taxable, -s.local
			s.further = -s.further
			for n := range s.taxers {
				s.taxers[n].Sign = models.FigureRefund
			}
		}
		g.sales = append(g.sales, s)
	}
}

// enter adds entries and amounts of the filing.
func (g *generated) enter(form []record, random *rand.Rand) {
	f := &g.filing
	amount := func(from int64) money.Total {
		if random.IntN(2) == 0 {
			return money.Total{}
		}
		return centsOf(from + random.Int64N(50_000))
	}
	f.AmountDiscounts, f.AmountAdjusted, f.AmountFees = amount(0), amount(-20_000), amount(0)
	f.AmountPenalties, f.AmountPrepaid, f.AmountCreditApplied = amount(0), amount(0), amount(0)
	open := []string{""}
	for _, row := range form {
		if strings.HasPrefix(row["formula"], "open") {
			open = append(open, row["line"])
		}
	}
	for n := range random.IntN(9 + len(open)) { // forms with many such lines have an amount in each
		e := models.FilingEntry{
			ID: strconv.Itoa(n),
			Kind: oneOf(random, models.EntryPurchase, models.EntryPurchase, models.EntryWithdrawal, models.EntryAcquisition,
				models.EntryExcessTax, models.EntryNewPrepayment, models.EntryPriorPayment, models.EntryCredit, models.EntryBadDebt,
				models.EntryInputTax, models.EntryInterest, models.EntryPenalty),
			Amount: centsOf(1 + random.Int64N(90_000)), Taxable: centsOf(oneOf(random, 0, 1+random.Int64N(900_000))),
			Line: oneOf(random, "", "", oneOf(random, form...)["line"], oneOf(random, open...), oneOf(random, open...), "none"),
		}
		if random.IntN(2) == 0 {
			e.JurisdictionType = "CITY"
			e.JurisdictionName = oneOf(random, "Alpha County", "Beta", "Gamma District", "Elsewhere City")
		}
		f.Entries = append(f.Entries, e)
	}
}

// figures adds up the figures of the sales.
func (g *generated) figures() models.FilingFigures {
	all := models.FilingFigures{Registered: true}
	at := map[string]int{}
	add := func(place string, key models.FigureKey, gross, taxable, collected int64) {
		n, known := at[place+"|"+key.String()]
		if !known {
			n = len(all.Figures)
			at[place+"|"+key.String()] = n
			all.Figures = append(all.Figures, models.FilingFigure{FigureKey: key, Place: place})
		}
		x := &all.Figures[n]
		x.Transactions++
		tax := taxOf(taxable, key.Rate)
		sums := []*money.Total{&x.Gross, &x.Taxable, &x.Tax, &x.Owed}
		amounts := []money.Total{centsOf(gross), centsOf(taxable), centsOf(tax), centsOf(tax + collected)}
		if key.Channel != models.ChannelOwn {
			amounts[3] = money.Total{}
		}
		for i := range sums {
			sum, err := sums[i].Plus(amounts[i])
			if err != nil {
				panic(err)
			}
			*sums[i] = sum
		}
	}
	for i := range g.sales {
		s := &g.sales[i]
		add(s.place, s.key, s.gross, s.taxable, s.collected)
		if s.further != 0 {
			add(s.place, s.furtherKey(), 0, s.further, s.collected)
		}
		for _, key := range s.taxers {
			add(s.place, key, 0, s.local, s.collected)
		}
	}
	return all
}

// files makes the worksheet of a return, and writes its two files as people get them.
func (g *generated) files(t *testing.T, law *tax.Content) (lines, figures []record) {
	t.Helper()
	sums := g.figures()
	g.filing.TotalTaxLiability = money.Total{}
	for i := range sums.Figures {
		var err error
		g.filing.TotalTaxLiability, err = g.filing.TotalTaxLiability.Plus(sums.Figures[i].Owed)
		require.NoError(t, err)
	}
	sheet, err := returns.Make(returns.Input{
		Layout: g.layout, Filing: g.filing, Figures: sums, Day: g.day, Entries: g.filing.Entries,
		Allowance: allowanceOf(law, &g.filing, g.day), Fields: map[string]string{tax.FieldCounty: g.county},
	})
	require.NoError(t, err)
	for _, x := range sheet.Findings {
		require.NotEqual(t, "SUMS_DIFFER", x.Code)
	}
	return filesOf(t, &g.filing, &sums, &sheet)
}

// again computes the lines of a return with the second program.
func (g *generated) again(form, figures []record, law *tax.Content) []record {
	f := &g.filing
	r := &recomputation{form: form, rows: figures, filing: record{
		"country": f.CountryCode, "state": f.StateCode, "county": g.county, "discounts": f.AmountDiscounts.String(),
		"adjusted": f.AmountAdjusted.String(), "fees": f.AmountFees.String(), "penalties": f.AmountPenalties.String(),
		"prepaid": f.AmountPrepaid.String(), "credit": f.AmountCreditApplied.String(),
	}}
	owed := new(big.Rat)
	for _, x := range figures {
		owed.Add(owed, number(x["owed"]))
	}
	for _, word := range []string{"adjusted", "fees", "penalties"} {
		owed.Add(owed, number(r.filing[word]))
	}
	for _, word := range []string{"discounts", "prepaid", "credit"} {
		owed.Sub(owed, number(r.filing[word]))
	}
	r.filing["amount"] = owed.FloatString(2)
	for i := range f.Entries {
		e := &f.Entries[i]
		r.entries = append(r.entries, record{
			"kind": string(e.Kind), "amount": e.Amount.String(), "taxable": e.Taxable.String(), "line": e.Line,
			"level": e.JurisdictionType, "jurisdiction": e.JurisdictionName,
		})
	}
	if f.FilingCategory == calendar.FilingRegular && g.day <= calendar.DateOf(*f.DueDate) {
		r.discount = discountOf(allowanceOf(law, f, g.day), f)
	}
	return r.compute()
}

// discountOf returns an allowance as numbers; nil for one that Levy does not compute.
func discountOf(a *tax.VendorAllowance, f *models.Filing) *discount {
	if a == nil || a.Confidence == tax.ConfidenceLow || !a.Computable() {
		return nil
	}
	d := &discount{marginal: a.Marginal, monthlyCap: a.CapPer == "MONTH", stateAlone: a.Basis == tax.BasisStateTax, months: 1}
	if *f.FilingFrequency != string(calendar.FilingMonthly) {
		d.months = 3
	}
	for _, x := range a.Tiers {
		d.tiers = append(d.tiers, [5]*big.Rat{
			number(x.From.String()), number(x.To.String()), number(x.Rate.String()), number(x.Minimum.String()), number(x.Cap.String()),
		})
	}
	return d
}

// shown are the columns of the lines that the second program computes. Figures of a line have no order.
func shown(lines []record) (text []string) {
	for _, l := range lines {
		figures := strings.Fields(l["figures"])
		slices.Sort(figures)
		text = append(text, l["line"]+" "+l["amount"]+" "+l["unit"]+" of "+strings.Join(figures, " "))
	}
	return text
}

// A second program computes the same lines from the file of the figures, for returns of every layout of the content.
func TestASecondProgramComputesTheSameLines(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	for n, layout := range law.ReturnLayouts() {
		t.Run(layout.ID, func(t *testing.T) {
			t.Parallel()
			form := formOf(t, layout.ID)
			used := map[string]bool{}
			for nth := range uint64(40) {
				random := rand.New(rand.NewPCG(seed.Seed()+uint64(n), nth))
				g := generate(layout, form, random)
				lines, figures := g.files(t, law)
				require.Equal(t, shown(g.again(form, figures, law)), shown(lines), "return %d, %s", nth, seed.Again())
				for _, l := range lines {
					if l["amount"] != "0.00" {
						used[l["line"]] = true
					}
				}
			}
			for _, row := range form { // otherwise two programs agree on nothing
				if seed.Seed() == 1 && row["each"] == "" && !strings.HasPrefix(row["line"], "X") && !strings.HasSuffix(row["formula"], " 0)") {
					require.Contains(t, used, row["line"], "no return has an amount in this line")
				}
			}
		})
	}
}

// moved returns what a change of a return changes in its lines. It tells by name how much each moves, and whether it names
// a figure that the change concerns.
func moved(
	before, after, figuresBefore, figuresAfter []record, concerned map[string]bool,
) (changes map[string]*big.Rat, told map[string]bool) {
	changes, told = map[string]*big.Rat{}, map[string]bool{}
	for sign, file := range map[int64][2][]record{-1: {before, figuresBefore}, 1: {after, figuresAfter}} {
		for _, l := range file[0] {
			if changes[l["name"]] == nil {
				changes[l["name"]] = new(big.Rat)
			}
			changes[l["name"]].Add(changes[l["name"]], product(number(l["amount"]), new(big.Rat).SetInt64(sign)))
			for figure := range strings.FieldsSeq(l["figures"]) {
				n, _ := strconv.Atoi(figure)
				x := file[1][n-1]
				told[l["name"]] = told[l["name"]] || concerned[keyOf(x)] || concerned["at "+x["place"]]
			}
		}
	}
	return changes, told
}

// keyOf says which figure a row of the file is, whatever its amounts are.
func keyOf(x record) string {
	return fmt.Sprint(x["level"], x["jurisdiction"], x["place"], x["rate"], x["sign"], x["channel"], x["origin"], x["category"], x["class"])
}

// figuresOf are the figures that a sale is in.
func figuresOf(s *sold) map[string]bool {
	keys := map[string]bool{}
	for _, key := range append(slices.Clone(s.taxers), s.key, s.furtherKey()) {
		keys[keyOf(record{
			"level": key.Level, "jurisdiction": key.Name, "place": s.place, "rate": key.Rate, "sign": key.Sign,
			"channel": key.Channel, "origin": key.Origin, "category": key.Category, "class": key.Class,
		})] = true
	}
	return keys
}

// A cent, the place or the marketplace of one sale moves the lines whose figures have the sale, and no others that add
// figures up. The second program agrees about all lines after each move.
func TestOneSaleMovesItsLines(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	stepOf := map[string]*big.Rat{"CENT": number("0.01"), "DOLLAR": number("1")}
	moves := map[string]func(g *generated, s *sold){
		"cent": func(_ *generated, s *sold) { s.gross++ },
		"place": func(g *generated, s *sold) {
			for i := range g.sales {
				if o := &g.sales[i]; o.place != s.place && len(o.taxers) > 0 {
					s.place, s.taxers = o.place, slices.Clone(o.taxers)
					for n := range s.taxers {
						x := &s.taxers[n]
						x.Sign, x.Channel, x.Origin, x.Class = s.key.Sign, s.key.Channel, s.key.Origin, s.key.Class
					}
					return
				}
			}
		},
		"marketplace": func(_ *generated, s *sold) {
			s.key.Channel = models.ChannelMarketplace
			s.taxers = slices.Clone(s.taxers)
			for n := range s.taxers {
				s.taxers[n].Channel = models.ChannelMarketplace
			}
		},
	}
	for n, layout := range law.ReturnLayouts() {
		form := formOf(t, layout.ID)
		byPlace := slices.ContainsFunc(form, func(row record) bool { return strings.Contains(row["each"]+row["formula"], "place") })
		inCents := slices.ContainsFunc(form, func(row record) bool {
			return row["unit"] == "CENT" && strings.HasPrefix(row["formula"], "sum(gross")
		})
		for name, move := range moves {
			t.Run(layout.ID+" "+name, func(t *testing.T) {
				t.Parallel()
				some := false
				for nth := range uint64(6) {
					g := generate(layout, form, rand.New(rand.NewPCG(seed.Seed()+uint64(n), nth)))
					own := slices.IndexFunc(g.sales, func(s sold) bool {
						// A sale that localities alone tax is not moved by a cent, which their base would have, too.
						return s.key.Channel == models.ChannelOwn && (name != "cent" || s.taxable != 0 || s.local == 0)
					})
					if own < 0 {
						continue
					}
					g.filing.Entries = nil
					before, figuresBefore := g.files(t, law)
					concerned := figuresOf(&g.sales[own])
					if byPlace { // the sales of a place decide together about its rate
						concerned["at "+g.sales[own].place] = true
					}
					move(g, &g.sales[own])
					for key := range figuresOf(&g.sales[own]) {
						concerned[key] = true
					}
					if byPlace {
						concerned["at "+g.sales[own].place] = true
					}
					after, figuresAfter := g.files(t, law)
					require.Equal(t, shown(g.again(form, figuresAfter, law)), shown(after), "return %d, %s", nth, seed.Again())
					changes, told := moved(before, after, figuresBefore, figuresAfter, concerned)
					for _, l := range slices.Concat(before, after) {
						by := changes[l["name"]]
						some = some || by.Sign() != 0
						if l["figures"] != "" && !told[l["name"]] {
							require.Zero(t, by.Sign(), "return %d, %s: %s moves, and none of its figures has the sale", nth,
								seed.Again(), l["line"])
						}
						if name == "cent" && l["figures"] != "" {
							require.LessOrEqual(t, new(big.Rat).Abs(by).Cmp(stepOf[l["unit"]]), 0, "return %d, %s: %s moves by %s",
								nth, seed.Again(), l["line"], by)
						}
					}
				}
				require.True(t, some || name == "cent" && !inCents || seed.Seed() != 1, "no move moves a line")
			})
		}
	}
}
