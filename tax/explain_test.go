package tax

import (
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

// said are the sentences of an explanation with their codes.
func said(r Result) (texts []string) {
	for _, s := range r.Explanation.Steps {
		texts = append(texts, s.Code+": "+s.Text)
	}
	return texts
}

// The sentence about a class says where it comes from; several lines are distinguished by their numbers.
func TestTheExplanationSaysWhereAClassComesFrom(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	req := Request{TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "75001")}
	for _, how := range []Classification{
		ClassificationSubcategory, ClassificationCategoryDefault, ClassificationAutoDefault, "",
	} {
		line := physical("1.00")
		line.Classification = how
		req.Lines = append(req.Lines, line)
	}
	r, err := c.Calculate(req)
	require.NoError(t, err)
	const rate = "Combined rate 8.25 % on 1.00 gives 0.0825, rounded to 0.08. Local taxes together are limited to 2 %."
	require.Equal(t, []string{
		"CLASSIFICATION: Line 1: Class PHYSICAL, from the subcategory of the product.", "RATE: Line 1: " + rate,
		"CLASSIFICATION: Line 2: Class PHYSICAL, the default of the product's category.", "RATE: Line 2: " + rate,
		"CLASSIFICATION: Line 3: Class PHYSICAL, of a default product.", "RATE: Line 3: " + rate,
		"CLASSIFICATION: Line 4: Class PHYSICAL.", "RATE: Line 4: " + rate,
	}, said(r)[2:10])
	for i, item := range r.Explanation.Items {
		require.Equal(t, req.Lines[i].Classification, item.Classification)
	}
}

// An exemption is explained in words, with its usual reason if none was given. It applies only in its place, to every
// jurisdiction there that would have taxed the line. Its source is the rate that it removes.
func TestTheExplanationSaysWhyALineIsFree(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	for _, test := range []struct {
		exempt Exempt
		says   string // empty: the line is taxed
		reason TaxReason
	}{
		{Exempt{TaxExemption: ExemptionProduct}, "the product is free of tax", ReasonProductExempt},
		{Exempt{TaxExemption: ExemptionCustomer}, "the customer is free of tax", ReasonCustomerExempt},
		{Exempt{TaxExemption: ExemptionWholesale}, "the goods are bought for resale", ReasonCustomerExempt},
		{Exempt{TaxExemption: ExemptionTransaction}, "the sale is free of tax", ReasonTransactionExempt},
		{Exempt{TaxExemption: ExemptionReverseCharge}, "the customer accounts for the tax", ReasonReverseCharge},
		{Exempt{TaxExemption: ExemptionExport}, "the goods leave the country", ReasonExport},
		{Exempt{TaxExemption: ExemptionRegion}, "the line is free of tax", ReasonProductExempt},
		{Exempt{TaxExemption: ExemptionCustomer, Reason: ReasonNotTaxable}, "the customer is free of tax", ReasonNotTaxable},
		{Exempt{TaxExemption: ExemptionCustomer, Country: "US"}, "the customer is free of tax", ReasonCustomerExempt},
		{Exempt{TaxExemption: ExemptionCustomer, State: "TX"}, "the customer is free of tax", ReasonCustomerExempt},
		{Exempt{TaxExemption: ExemptionCustomer, Country: "US", State: "CA"}, "", ReasonTaxable},
		{Exempt{TaxExemption: ExemptionCustomer, Country: "CA"}, "", ReasonTaxable},
		{Exempt{TaxExemption: ExemptionCustomer, Country: "CA", State: "TX"}, "", ReasonTaxable},
	} {
		test.exempt.ExemptionID = "exmp_1"
		line := physical("100.00")
		line.Exempt = &test.exempt
		r, err := c.Calculate(Request{
			TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "75001"), Lines: []Line{line},
		})
		require.NoError(t, err)
		got := r.Lines[0]
		require.Len(t, got.TaxItems, 4, "the state, the county, the city and the district")
		for _, item := range got.TaxItems {
			require.Equal(t, test.reason, item.Reason, "%+v", test.exempt)
			require.Equal(t, test.says != "", item.Exempt, "%+v", test.exempt)
			require.NotEmpty(t, item.Source.Citation(), "%+v", test.exempt)
		}
		if test.says == "" {
			require.Equal(t, "8.25", got.Tax.String(), "%+v", test.exempt)
			require.Empty(t, got.ExemptionID, "%+v", test.exempt)
			continue
		}
		require.Equal(t, "EXEMPTION: No tax: "+test.says+".", said(r)[3], "%+v", test.exempt)
		require.Equal(t, []string{"0.00", "exmp_1", string(test.exempt.TaxExemption)},
			[]string{got.Tax.String(), got.ExemptionID, string(got.TaxExemption)})
	}
}

// The explanation says how the jurisdictions were found, and whether others are possible or missing.
func TestTheExplanationSaysHowThePlaceWasFound(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	for _, test := range []struct {
		change func(*Place)
		says   []string
	}{
		{func(p *Place) { p.Resolution = ResolutionAddress }, []string{"found by street address."}},
		{func(p *Place) { p.Resolution = ResolutionZIP9 }, []string{"found by ZIP+4."}},
		{func(p *Place) { p.Resolution = ResolutionCity }, []string{"found by city."}},
		{func(p *Place) { p.Resolution, p.Ambiguous = ResolutionZIP5, true },
			[]string{"found by ZIP. Other jurisdictions are possible for this address."}},
		{func(p *Place) { p.Completeness = CompletenessPartial },
			[]string{"found by ZIP. A city or district tax may be missing from the content."}},
		{func(p *Place) { p.Completeness = CompletenessStateOnly },
			[]string{"found by ZIP. Only state taxes are known here; local taxes exist."}},
		{func(p *Place) { p.City = "" }, []string{"Taxed at the destination, TX 75001. Sales"}},
		{func(p *Place) { p.PostalCode = "" }, []string{"Taxed at the destination, Town, TX. Sales"}},
		{func(p *Place) { p.City, p.PostalCode = "", "" }, []string{"Taxed at the destination, TX. Sales"}},
		{func(p *Place) { p.Jurisdictions = p.Jurisdictions[:1] }, []string{"Texas: found by ZIP."}},
		{func(p *Place) { p.Jurisdictions = p.Jurisdictions[:2] }, []string{"Texas and Big County: found by ZIP."}},
		{func(p *Place) { *p = Place{Country: "JP"} },
			[]string{"Taxed at the destination, Japan. Sales", "No jurisdiction with content taxes here."}},
	} {
		place := zip(c, "75001")
		test.change(&place)
		r, err := c.Calculate(Request{
			TaxDate: calendar.MustDate("2026-05-01"), Destination: place, Lines: oneLine("1.00"),
		})
		require.NoError(t, err)
		for _, text := range test.says {
			require.Contains(t, strings.Join(said(r)[:2], "\n"), text)
		}
	}
	place := zip(c, "75001")
	place.Alternatives = [][]string{{"US-TX", "US-TX-M-gone"}, {}}
	r, err := c.Calculate(Request{TaxDate: calendar.MustDate("2026-05-01"), Destination: place, Lines: oneLine("1.00")})
	require.NoError(t, err)
	require.Equal(t, [][]string{{"Texas", "US-TX-M-gone"}, {}}, r.Explanation.Sourcing.Alternatives,
		"by name where there is one")
}

// A sale of more lines than the reused working memory holds is calculated like its lines alone, and does not affect
// later sales.
func TestASaleOfManyLinesIsCalculatedLikeItsLines(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	req := Request{TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "75001")}
	for i := range maxKeptLines + 1 {
		req.Lines = append(req.Lines, Line{Class: ClassPhysical, Amount: decimal.MustNew(int64(i), 2)})
	}
	for range 2 {
		r, err := c.Calculate(req)
		require.NoError(t, err)
		require.Len(t, r.Lines, maxKeptLines+1)
		cents := int64(0)
		for i := range r.Lines {
			part := (int64(i)*825 + 5000) / 10_000 // 8.25 %, halves up
			require.Equal(t, decimal.MustNew(part, 2).String(), r.Lines[i].Tax.String(), i)
			cents += part
		}
		require.Equal(t, decimal.MustNew(cents, 2).String(), r.Tax.String())
	}
	few := req
	few.Lines = req.Lines[100:101]
	r, err := c.Calculate(few)
	require.NoError(t, err)
	require.Equal(t, "0.08", r.Tax.String(), "1.00 at 8.25 %")
	require.Len(t, r.Explanation.Items, 1)
}
