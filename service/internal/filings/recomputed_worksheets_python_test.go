package filings

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/csvfile"
	"levy/models"
	"levy/returns"
	"levy/tax"
	"levy/tax/calendar"
	"levy/test/seed"
)

// pythonVariable names the interpreter of the program that computes worksheets once more.
const pythonVariable = "LEVY_RETURNS_PYTHON"

// recomputedCase is a return in the words of that program: the files of its figures and lines, and what people entered.
type recomputedCase struct {
	Authority   string            `json:"authority"`
	Number      int               `json:"number"`
	Layout      string            `json:"layout"`
	Country     string            `json:"country"`
	State       string            `json:"state"`
	County      string            `json:"county"`
	Category    string            `json:"category"`
	Start       string            `json:"start"`
	End         string            `json:"end"`
	Due         string            `json:"due"`
	Day         string            `json:"day"`
	Amounts     map[string]string `json:"amounts"`
	Entries     []record          `json:"entries"`
	Corrections []record          `json:"corrections"`
	Figures     []record          `json:"figures"`
	Lines       []record          `json:"lines"`
}

// caseOf writes a return down, with the files that people get of it.
func (g *generated) caseOf(number int, lines, figures []record) recomputedCase {
	f := &g.filing
	c := recomputedCase{
		Authority: f.CountryCode, Number: number, Layout: g.layout.ID, Country: f.CountryCode, State: f.StateCode, County: g.county,
		Category: string(f.FilingCategory), Start: f.StartDate.Format(time.DateOnly), End: f.EndDate.Format(time.DateOnly),
		Due: f.DueDate.Format(time.DateOnly), Day: g.day.String(), Figures: figures, Lines: lines,
		Amounts: map[string]string{
			"discounts": f.AmountDiscounts.String(), "adjusted": f.AmountAdjusted.String(), "fees": f.AmountFees.String(),
			"penalties": f.AmountPenalties.String(), "prepaid": f.AmountPrepaid.String(), "credit": f.AmountCreditApplied.String(),
		},
		Entries: []record{}, Corrections: []record{},
	}
	if f.StateCode != f.CountryCode {
		c.Authority += "-" + f.StateCode
	}
	for i := range f.Entries {
		e := &f.Entries[i]
		c.Entries = append(c.Entries, record{
			"kind": string(e.Kind), "amount": e.Amount.String(), "taxable": e.Taxable.String(), "line": e.Line,
			"level": e.JurisdictionType, "jurisdiction": e.JurisdictionName,
		})
	}
	return c
}

// authorities are the layouts of the content with the authorities of the cases. The general one has every state without a
// form of its own, and some countries.
func authorities(law *tax.Content) (list []tax.ReturnLayout) {
	for _, layout := range law.ReturnLayouts() {
		if layout.Country != tax.AnyCountry {
			list = append(list, layout)
			continue
		}
		for _, state := range law.States() {
			if own, _ := law.ReturnLayout("US", state.State, 20261231); own.ID == layout.ID {
				layout.Country, layout.State = "US", state.State
				list = append(list, layout)
			}
		}
		for _, country := range []string{"DE", "FR", "JP"} {
			layout.Country, layout.State = country, country
			list = append(list, layout)
		}
	}
	return list
}

// shopCase makes a return of the one-stop shop, with amendments of earlier quarters.
func shopCase(t *testing.T, law *tax.Content, number int, random *rand.Rand) recomputedCase {
	t.Helper()
	ofQuarter := func(year int, quarter time.Month) models.Filing {
		start := time.Date(year, 3*quarter-2, 1, 0, 0, 0, 0, time.UTC)
		end, often := start.AddDate(0, 3, -1), string(calendar.FilingQuarterly)
		due := end.AddDate(0, 0, 30)
		return models.Filing{
			CountryCode: models.EuropeanUnion, StateCode: models.EuropeanUnion, StartDate: start, EndDate: end, DueDate: &due,
			FilingFrequency: &often, FilingCategory: calendar.FilingRegular,
		}
	}
	g := &generated{layout: returns.ShopLayout(), filing: ofQuarter(2026, time.Month(1+random.IntN(4)))}
	g.day = calendar.DateOf(*g.filing.DueDate)
	members := law.ShopMembers(calendar.DateOf(g.filing.StartDate), calendar.DateOf(g.filing.EndDate))
	figures := func(most int) (all models.FilingFigures) {
		all.Registered = true
		for range random.IntN(most) {
			member := oneOf(random, members[:6]...)
			if random.IntN(3) == 0 {
				member = oneOf(random, members...)
			}
			x := models.FilingFigure{FigureKey: models.FigureKey{
				Level: "COUNTRY", Name: member.Name, Sign: models.FigureSale,
				Rate:    oneOf(random, member.Standard.String(), member.Standard.String(), "0.05", "0.1"),
				Channel: oneOf(random, models.ChannelOwn, models.ChannelOwn, models.ChannelOwn, models.ChannelMarketplace),
				Class:   oneOf(random, "PHYSICAL", "FOOD", "SAAS", "SERVICE"),
			}, Transactions: 1}
			base := random.Int64N(1_000_000) - 200_000
			x.Gross, x.Taxable = centsOf(base), centsOf(base)
			if base < 0 {
				x.Sign = models.FigureRefund
			}
			x.Tax = x.Taxable.Share(member.Standard)
			if x.Channel == models.ChannelOwn {
				x.Owed = x.Tax
			}
			all.Figures = append(all.Figures, x)
		}
		return all
	}
	sold := figures(30)
	for i := range sold.Figures {
		var err error
		g.filing.TotalTaxLiability, err = g.filing.TotalTaxLiability.Plus(sold.Figures[i].Owed)
		require.NoError(t, err)
	}
	var amended models.ShopCorrections
	c := []record{}
	for range random.IntN(4) {
		before := models.FiledBefore{Filing: ofQuarter(2025, time.Month(1+random.IntN(4))), Figures: figures(5)}
		before.Filing.FilingCategory = models.FilingAmendment
		amended.Amendments = append(amended.Amendments, before)
		for i := range before.Figures.Figures {
			if x := &before.Figures.Figures[i]; x.Channel == models.ChannelOwn {
				quarter := strconv.Itoa((int(before.Filing.EndDate.Month()) + 2) / 3)
				c = append(c, record{"member": x.Name, "period": "2025Q" + quarter, "tax": x.Owed.String()})
			}
		}
	}
	sheet, err := returns.ShopWorksheet(returns.Input{
		Filing: g.filing, Figures: sold, Day: g.day,
	}.WithShop(law, amended))
	require.NoError(t, err)
	lines, rows := filesOf(t, &g.filing, &sold, &sheet)
	found := g.caseOf(number, lines, rows)
	found.Corrections = c
	return found
}

// filesOf writes the files of a worksheet as people get them.
func filesOf(
	t *testing.T, f *models.Filing, sums *models.FilingFigures, sheet *returns.Worksheet,
) (lines, figures []record) {
	t.Helper()
	answer := newWorksheet(f, sums, sheet)
	file, err := table(linesHeader, func(w *csvfile.Writer) error { return writeLines(w, answer.Lines) })
	require.NoError(t, err)
	lines = records(t, file)
	file, err = table(figuresHeader, func(w *csvfile.Writer) error { return writeFigures(w, answer.Figures) })
	require.NoError(t, err)
	return lines, records(t, file)
}

// An independent program in Python computes the lines of returns of every authority with a form in the content. It reads
// the files that people get, and has each form written down by hand: it shares neither code nor content with Levy.
func TestAProgramInPythonComputesTheSameLines(t *testing.T) {
	t.Parallel()
	python := os.Getenv(pythonVariable)
	if python == "" {
		t.Skip(pythonVariable + " names no Python: make returns does")
	}
	law, err := tax.LoadContent()
	require.NoError(t, err)
	folder := t.TempDir()
	path := filepath.Join(folder, "cases")
	file, err := os.Create(path)
	require.NoError(t, err)
	out := bufio.NewWriter(file)
	written := 0
	write := func(c recomputedCase) {
		row, err := json.Marshal(c)
		require.NoError(t, err)
		_, err = out.Write(append(row, '\n'))
		require.NoError(t, err)
		written++
	}
	for n, layout := range authorities(law) {
		form := formOf(t, layout.ID)
		returnsOf := 40
		if layout.ID == "GENERAL/1" {
			returnsOf = 8
		}
		for number := range returnsOf {
			g := generate(layout, form, rand.New(rand.NewPCG(seed.Seed()+uint64(n), uint64(number))))
			lines, figures := g.files(t, law)
			write(g.caseOf(number, lines, figures))
		}
	}
	for number := range 40 {
		write(shopCase(t, law, number, rand.New(rand.NewPCG(seed.Seed(), uint64(number)))))
	}
	require.NoError(t, out.Flush())
	require.NoError(t, file.Close())
	said, err := exec.CommandContext(t.Context(), python, "testdata/recompute_worksheets.py", path).CombinedOutput()
	require.NoError(t, err, "%d returns, %s\n%s", written, seed.Again(), said)
	t.Logf("%s", said)

	// The comparison can fail: one cent more in a line is a difference.
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	var first recomputedCase
	require.NoError(t, json.Unmarshal(content[:slices.Index(content, '\n')], &first))
	first.Lines[0]["amount"] = "0.01"
	row, err := json.Marshal(first)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, row, 0o600))
	said, err = exec.CommandContext(t.Context(), python, "testdata/recompute_worksheets.py", path).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(said), "line "+first.Lines[0]["line"]+": Levy 0.01")
	require.Contains(t, string(said), "1 differences")
}
