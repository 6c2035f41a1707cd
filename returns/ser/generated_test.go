package ser

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
	"levy/test/seed"
)

// localities are the jurisdictions below the states that have a code, by state, and those of whole states.
func localities(t testing.TB) map[string][]tax.Jurisdiction {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "tax", "content", "data", "jurisdictions.csv"))
	require.NoError(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	all := map[string][]tax.Jurisdiction{}
	for _, row := range rows {
		j, ok := content(t).Jurisdiction(row[0])
		if !ok || j.Country != "US" || j.Type == tax.TypeState {
			continue
		}
		s, member := layout(t, j.State, calendar.MustDate("2026-10-31"))
		if !member {
			continue
		}
		if code, statewide := s.Codes.Of(j.Type, j.Name); code != "" || statewide {
			all[j.State] = append(all[j.State], j)
		}
	}
	return all
}

// generator draws filings.
type generator struct {
	*rand.Rand
	t     testing.TB
	local map[string][]tax.Jurisdiction
}

func newGenerator(t testing.TB) *generator {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Log("draw the same again by " + seed.Again())
		}
	})
	return &generator{rand.New(rand.NewPCG(seed.Seed(), 48)), t, localities(t)}
}

// sum draws an amount of any size with at most so many digits before the point. Some are negative.
func (g *generator) sum(digits int) string {
	limit := int64(1)
	for range 1 + g.IntN(digits) {
		limit *= 10
	}
	sign := ""
	if g.IntN(5) == 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%d.%02d", sign, g.Int64N(limit), g.IntN(100))
}

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

// figure draws a figure of a state or of a place in it.
func (g *generator) figure(state string) models.FilingFigure {
	x := models.FilingFigure{
		FigureKey: models.FigureKey{
			Level: string(tax.TypeState), Name: state, Rate: "0.05", Sign: models.FigureSale,
			Channel:  pick(g, models.ChannelOwn, models.ChannelOwn, models.ChannelOwn, models.ChannelMarketplace, models.ChannelNoObligation),
			Origin:   pick(g, models.OriginInState, models.OriginOutOfState, models.OriginUnknown),
			Category: pick(g, "", "", "RESALE", "AGRICULTURE", "DIRECT_PAY", "GOVERNMENT", "MANUFACTURING", "NOT_TAXABLE", "TAX_HOLIDAY"),
			Class:    pick(g, "PHYSICAL", "FOOD", "CLOTHING", "SERVICE"),
		},
		Transactions: 1 + g.Int64N(1000),
	}
	digits := pick(g, 1, 3, 6, 9)
	if local := g.local[state]; len(local) > 0 && g.IntN(2) == 0 {
		j := pick(g, local...)
		x.Level, x.Name, x.Category = string(j.Type), j.Name, ""
		x.Place = pick(g, "Clark County, ", "Esmeralda County, ") + j.Name
	} else {
		x.Gross = total(g.t, g.sum(digits))
		if x.Category == "" {
			x.Taxable = x.Gross
		}
	}
	x.Tax = total(g.t, g.sum(digits))
	if x.Channel == models.ChannelOwn {
		x.Owed = x.Tax
	}
	return x
}

// filing draws a filing of a state. Rules of the state that nobody has read are decided, so that there is a document.
func (g *generator) filing(state string) Input {
	in := filed(g.t, state, time.Month(1+g.IntN(12)))
	in.rule(tax.SimplifiedFacilitated, tax.ConfidenceHigh, pick(g, "DEDUCTED", "OMITTED"))
	in.rule(tax.SimplifiedPayment, tax.ConfidenceHigh, "00")
	in.rule(tax.SimplifiedBreakout, tax.ConfidenceMedium, pick(g, "EACH", "NEVER"))
	in.rule(tax.SimplifiedLocalOnly, tax.ConfidenceMedium, in.Layout.Rule(tax.SimplifiedLocalOnly).Value...)
	if g.IntN(3) == 0 {
		in.Taxpayer.Number, in.Taxpayer.StateNumber, in.Taxpayer.TINType = "", "47-"+fmt.Sprint(g.IntN(1e9)), pick(g, tinTypes...)
		in.IDs.Transmitter = "987654321"
	}
	for range g.IntN(pick(g, 1, 5, 40)) {
		in.add(g.t, g.figure(state))
	}
	for range g.IntN(4) {
		g.entry(&in)
	}
	in.Filing.AmountDiscounts, in.Filing.AmountPrepaid = total(g.t, pick(g, "0.00", "6.00")), total(g.t, pick(g, "0.00", "12.34"))
	in.Filing.AmountCreditApplied = total(g.t, pick(g, "0.00", "0.00", "5.00"))
	in.Test = g.IntN(2) == 0
	if g.IntN(3) == 0 {
		in.Payment = &Payment{
			Savings: g.IntN(2) == 0, Person: g.IntN(2) == 0, Routing: "011000015", Account: "000-123", Holder: "A & B <Seller>",
			On: in.Day,
		}
	}
	return in
}

func (g *generator) entry(in *Input) {
	e := models.FilingEntry{
		Kind: pick(g, models.EntryPurchase, models.EntryWithdrawal, models.EntryInterest, models.EntryPenalty, models.EntryPriorPayment,
			models.EntryNewPrepayment, models.EntryCredit),
		Amount: total(g.t, fmt.Sprintf("%d.%02d", g.IntN(1000), 1+g.IntN(99))),
	}
	if e.Kind == models.EntryPurchase || e.Kind == models.EntryWithdrawal {
		e.Taxable = total(g.t, "100.00")
		if local := g.local[in.Layout.State]; len(local) > 0 && g.IntN(2) == 0 {
			if j := pick(g, local...); j.Type == tax.TypeCounty {
				e.JurisdictionType, e.JurisdictionName = string(j.Type), j.Name
			}
		}
	}
	in.enter(g.t, e)
}

// document draws a document, of an amendment now and then. Payments above 8 digits are drawn without one.
func (g *generator) document(state string) (Input, Document) {
	in := g.filing(state)
	if g.IntN(4) == 0 {
		before := in
		before.Payment = nil
		in = g.filing(state)
		in.Filing.StartDate, in.Filing.EndDate, in.Layout = before.Filing.StartDate, before.Filing.EndDate, before.Layout
		in.amends(g.t, before)
	}
	d, findings := Make(in)
	for _, f := range findings {
		if f.Code == "AMOUNT_TOO_LARGE" && f.Line == "PaymentAmount" {
			in.Payment = nil
			d, findings = Make(in)
			break
		}
	}
	require.NotEmpty(g.t, d.Bytes, "%s: %v", state, findings)
	return in, d
}

// generated is how many filings are drawn: each state has some.
const generated = 1000

// Filings of every state, size and sign are valid, and add up to the cent. The same filing gives the same bytes.
func TestGeneratedFilingsAreValid(t *testing.T) {
	t.Parallel()
	g, states := newGenerator(t), content(t).SimplifiedStates(calendar.MustDate("2026-10-31"))
	amended, paid, refund := 0, 0, 0
	for n := range generated {
		in, d := g.document(states[n%len(states)])
		require.Empty(t, Validate(d.Bytes, in.receiver()), string(d.Bytes))
		require.Empty(t, Sums(d.Bytes), string(d.Bytes))
		again, _ := Make(in)
		require.Equal(t, d, again)
		root, err := parse(d.Bytes)
		require.NoError(t, err)
		r := root.first(documentElement, returnElement)
		g.compare(&in, r)
		for count, is := range map[*int]bool{
			&amended: r.get("ReturnType") == "A", &paid: in.Payment != nil && root.first(documentElement, paymentElement) != nil,
			&refund: strings.HasPrefix(r.get("AmountDueOrRefund"), "-"),
		} {
			if is {
				*count++
			}
		}
	}
	require.Greater(t, amended, generated/10)
	require.Greater(t, paid, generated/20)
	require.Greater(t, refund, generated/20)
}

// compare compares a return with what is owed by its figures, added up in another way.
func (g *generator) compare(in *Input, r *node) {
	var owed, gross money.Total
	omitted := in.Layout.Rule(tax.SimplifiedFacilitated)
	add := func(to *money.Total, by money.Total) {
		sum, err := to.Plus(by)
		require.NoError(g.t, err)
		*to = sum
	}
	sum := func(figures []models.FilingFigure, entries []models.FilingEntry) {
		for _, x := range figures {
			add(&owed, x.Owed)
			if x.Channel == models.ChannelOwn || x.Channel == models.ChannelMarketplace && !omitted.Has("OMITTED") {
				add(&gross, x.Gross)
			}
		}
		for _, e := range entries {
			if e.Kind == models.EntryPurchase || e.Kind == models.EntryWithdrawal {
				add(&owed, e.Amount)
			}
		}
	}
	sum(in.Figures.Figures, in.Entries)
	for _, b := range in.Before {
		sum(b.Figures.Figures, b.Entries)
	}
	require.Equal(g.t, owed.String(), r.get("TotalTaxDue"))
	require.Equal(g.t, gross.String(), r.get("TotalSales"))
}

// A return of 200 jurisdictions, from its figures to its bytes.
func BenchmarkMake(b *testing.B) {
	g := newGenerator(b)
	in := filed(b, "KS", time.October)
	in.add(b, figure(b, "STATE Kansas 0.065 OWN /PHYSICAL in 1000.00 1000.00 65.00"))
	for _, j := range g.local["KS"][:200] {
		x := figure(b, "CITY _ 0.01 OWN /PHYSICAL in 0.00 1000.00 10.00")
		x.Level, x.Name = string(j.Type), j.Name
		in.add(b, x)
	}
	d, findings := Make(in)
	require.NotEmpty(b, d.Bytes, "%v", findings)
	b.ReportMetric(float64(len(d.Bytes)), "bytes")
	for b.Loop() {
		Make(in)
	}
}

// A return and its amendments end in the same amended return as one amendment made at once.
func TestAmendmentsEndInTheSameReturn(t *testing.T) {
	t.Parallel()
	g := newGenerator(t)
	for range 100 {
		state := pick(g, "TN", "UT", "MI", "NV", "WA")
		plain := func(figures ...models.FilingFigure) Input {
			in := filed(t, state, time.October)
			in.rule(tax.SimplifiedFacilitated, tax.ConfidenceHigh, "DEDUCTED")
			for _, x := range figures {
				in.add(t, x)
			}
			return in
		}
		draw := func() (figures []models.FilingFigure) {
			for range 1 + g.IntN(10) {
				figures = append(figures, g.figure(state))
			}
			return figures
		}
		first, second, third := draw(), draw(), draw()
		steps := plain(third...)
		steps.amends(t, plain(first...), plain(second...))
		once := plain(append(append([]models.FilingFigure{}, second...), third...)...)
		once.amends(t, plain(first...))
		want, findings := Make(once)
		require.NotEmpty(t, want.Bytes, "%v", findings)
		got, _ := Make(steps)
		bodies := make([][]string, 2)
		for i, d := range []Document{want, got} {
			root, err := parse(d.Bytes)
			require.NoError(t, err)
			for _, text := range texts(root.first(documentElement, returnElement)) {
				// The payments differ by those of the amendments.
				if !strings.HasPrefix(text, "Priorpayments") && !strings.HasPrefix(text, "AmountDueOrRefund") {
					bodies[i] = append(bodies[i], text)
				}
			}
		}
		require.Equal(t, bodies[0], bodies[1])
	}
}

// schemaFolder names the folder with the schema set of the Governing Board, which Levy may not pass on.
const schemaFolder = "LEVY_SER_SCHEMAS"

// libxml2 reads every document by the schema of the Governing Board, and refuses what Validate refuses by its number 2.
func TestGeneratedFilingsKeepTheSchema(t *testing.T) {
	t.Parallel()
	folder := os.Getenv(schemaFolder)
	if folder == "" {
		t.Skip("make returns runs it: it needs xmllint and the schemas")
	}
	schema := filepath.Join(folder, "SSTSimplifiedReturnTransmission.xsd")
	g, states, files := newGenerator(t), content(t).SimplifiedStates(calendar.MustDate("2026-10-31")), t.TempDir()
	args := []string{"--noout", "--schema", schema}
	for n := range generated {
		_, d := g.document(states[n%len(states)])
		name := filepath.Join(files, fmt.Sprintf("%04d.xml", n))
		require.NoError(t, os.WriteFile(name, d.Bytes, 0o600))
		args = append(args, name)
	}
	output, err := exec.Command("xmllint", args...).CombinedOutput()
	require.NoError(t, err, string(output))
	require.Equal(t, generated, strings.Count(string(output), " validates\n"))
	lint := func(text string) bool {
		name := filepath.Join(files, "one.xml")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return exec.Command("xmllint", "--noout", "--schema", schema, name).Run() == nil
	}
	base, text := paid(t)
	require.True(t, lint(text))
	for old, with := range schemaChanges {
		require.Contains(t, text, old)
		changed := strings.Replace(text, old, with, 1)
		refused := false
		for _, e := range Validate([]byte(changed), base.receiver()) {
			refused = refused || e.Number == numberInvalid
		}
		require.Equal(t, lint(changed), !refused, with)
	}
	require.True(t, lint(bulk(text)))
}

// schemaChanges are changes about which libxml2 and Levy agree.
var schemaChanges = map[string]string{
	"SST2015V01": "SST2014V01", "<ReturnType>A": "<ReturnType>C", "74250.00": "74250.001", "16750.00": "12345678901234.56",
	"57500.00": "1234567890123.45", "2730.00": "+2730.", "945.00": ".5", "70.00": "7e1", "200.00": "", "5553.75": "-0000000000000005553.750",
	"2026-09-30": "2026-09-31", "2026-09-01": "2026-09-01Z", "2026-11-19": "2026-11-19+05:00", "S0000471126323000001": "S00004711.26:23-00001",
	"S0000471126323000002": "S00004711_26323000002", "<SSTPID>S00004711": "<SSTPID>T00004711", "<FedTIN>987654321": "<FedTIN>98765432",
	"<FIPSCode>47": "<FIPSCode>", "<FIPSCode>47<": "<FIPSCode>470<",
	"<DocumentCount>1": "<DocumentCount>0", "<ETIN>S00004711": "<ETIN>S0000471",
	"<JurisdictionCode>037": "<JurisdictionCode>37", "<JurisdictionCode>157": "<JurisdictionCode>ABCDE", "Agriculture": "Fishing",
	"<RoutingTransitNumber>011000015": "<RoutingTransitNumber>131000015", "<BankAccountNumber>0001234567": "<BankAccountNumber>000 1",
	"<PaymentAmount>49.36": "<PaymentAmount>123456789.36", "<AccountHolderType>1": "<AccountHolderType>3",
	"<AccountHolderName>Seller": "<AccountHolderName>A name of more than 22 letters", "<FTACode>041": "<FTACode>41",
	"<StateTaxTypeCode>00": "<StateTaxTypeCode>  ", "<SubAmountType>T": "<SubAmountType>TP", "<SubAmount>48.75": "<SubAmount>48.755",
	"<NotIATTransaction>X": "<NotIATTransaction>Y", "<Checking>X</Checking>": "", "<ProcessType>T": "<ProcessType>X",
	"DateSupplier=\"Transmitter\"": "DateSupplier=\"Seller\"", " DateSupplier=\"Transmitter\"": "", " TypeTIN=\"FEIN\"": "",
	"      <TaxableSales>57500.00</TaxableSales>\n": "", "<TotalTaxDue>": "<Sum>1</Sum><TotalTaxDue>",
	"<TransmissionHeader>": "<TransmissionHeader a=\"1\">", "<DocumentType>SERWithPayment": "<DocumentType>SEROnly",
	"<ElectronicPostmark": "<!-- a comment --><ElectronicPostmark",
}
