package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// calculateTenth taxes every line that is not exempt at 10 %.
func calculateTenth(request tax.Request) (tax.Result, error) {
	result := tax.Result{
		ContentVersion: "test",
		Explanation:    tax.Explanation{Steps: []tax.Step{{N: 1, Code: tax.StepSourcing, Text: "x"}}},
	}
	for _, line := range request.Lines {
		calculated := tax.LineResult{ID: line.ID, TaxableAmount: line.Amount, Rate: decimal.MustParse("0.1")}
		if line.Exempt != nil {
			calculated = tax.LineResult{ID: line.ID, Exempt: true, TaxExemption: line.Exempt.TaxExemption}
		} else {
			calculated.Tax = decimal.MustNew(int64(line.Amount.Coef())/10, line.Amount.Scale())
			calculated.TaxItems = []tax.TaxItem{{
				RuleID: "us-tx-general", Name: "Texas state sales tax", JurisdictionType: tax.TypeState, JurisdictionName: "Texas",
				Rate: calculated.Rate, TaxableAmount: line.Amount, Amount: calculated.Tax, Reason: tax.ReasonTaxable,
				Authority: tax.Authority{Country: "US", State: "TX"},
			}}
		}
		result.Lines = append(result.Lines, calculated)
		result.Tax, _ = money.Add(result.Tax, calculated.Tax)
		result.TaxableAmount, _ = money.Add(result.TaxableAmount, calculated.TaxableAmount)
	}
	return result, nil
}

var noSettings = models.OrganizationSettings{}

func TestTaxOfTransaction(t *testing.T) {
	t.Parallel()

	t.Run("lines get their tax beside the imported one", func(t *testing.T) {
		t.Parallel()
		taxed := item(1, "100.00")
		taxed.TaxItems = []models.TaxItem{
			{Type: "IMPORTED", RuleID: "0000", Name: "from the shop", Amount: amountOf("8.00")},
			{Type: "CALCULATED", RuleID: "of an earlier run"},
		}
		exempt := item(2, "50.00")
		exempt.Exempt, exempt.TaxExemption = true, given("CUSTOMER")
		outcome, err := DecideTax(inTexas(taxed, exempt), noSettings, nil, calculateTenth)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingProcessed, outcome.To)
		require.Equal(t, models.PartiallyExempt, outcome.Exempt)
		require.Equal(t, "10.00", outcome.TaxAmount.String())
		require.Equal(t, "USD", outcome.DestinationCurrency)
		require.Equal(t, "1", outcome.ConversionRate.String())
		require.Equal(t, "test", outcome.ContentVersion)
		require.Len(t, outcome.Lines, 2)
		items := outcome.Lines[0].TaxItems
		require.Len(t, items, 2)
		require.Equal(t, "from the shop", items[0].Name)
		require.Equal(t, "us-tx-general", items[1].RuleID)
		require.Equal(t, "STATE", items[1].JurisdictionType)
		require.Equal(t, "RULE_FOUND_TAXABLE", items[1].Reason)
		require.Equal(t, "100.00", items[1].TaxableAmount.String())
		require.True(t, outcome.Lines[1].Exempt)
		require.Equal(t, "CUSTOMER", outcome.Lines[1].TaxExemption)
	})

	t.Run("who owes the tax of a marketplace depends on where the seller is registered", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(item(1, "100.00"))
		txn.Place, txn.Obligations = &tax.Place{Country: "CA", State: "QC"}, []models.NexusObligation{
			{CountryCode: "CA", StateCode: "BC", Registered: new(day("2020-01-01"))},
			{CountryCode: "CA", StateCode: "CA", Registered: new(day("2026-05-15"))},
			{CountryCode: "CA", StateCode: "QC", Registered: new(day("2026-05-16"))},
			{CountryCode: "US", StateCode: "TX", Registered: new(day("2020-01-01"))},
		}
		require.Nil(t, taxRequest(txn, nil, "").Registered, "nothing asks for it")
		txn.Marketplace = true
		require.Equal(t, []string{"CA"}, taxRequest(txn, nil, "").Registered)
		txn.TaxDate = day("2026-05-16")
		require.Equal(t, []string{"CA", "CA-QC"}, taxRequest(txn, nil, "").Registered)
		txn.Obligations[1].Simplified = true
		require.Equal(t, []string{"CA-QC"}, taxRequest(txn, nil, "").Registered, "which leaves the tax to the marketplace")
		txn.Obligations = nil
		require.Equal(t, []string{}, taxRequest(txn, nil, "").Registered, "none is not unknown")
		from := calendar.MustDate("2020-01-01")
		seller := models.Principal{Home: "CA", Covers: models.Covers{
			{Country: "CA", State: "QC", From: from}, {Country: "CA", State: "CA", From: from, Simplified: true},
		}}
		seller.Sells(&txn)
		require.Equal(t, []string{"CA-QC"}, taxRequest(txn, nil, "").Registered, "so do estimates")
	})

	t.Run("whether goods are imported into Switzerland depends on where the seller is registered", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(item(1, "100.00"))
		txn.Place, txn.Obligations = &tax.Place{Country: "CH"}, []models.NexusObligation{
			{CountryCode: "CH", StateCode: "CH", Registered: new(day("2026-05-16"))},
		}
		require.Equal(t, []string{}, taxRequest(txn, nil, "").Registered)
		require.Empty(t, taxRequest(txn, nil, "").Seller, "is for marketplaces")
		simulated := txn
		simulated.SimulateRegistration()
		require.Equal(t, []string{"CH"}, taxRequest(simulated, nil, "").Registered)
		require.Len(t, txn.Obligations, 1)
		txn.TaxDate = day("2026-05-16")
		require.Equal(t, []string{"CH"}, taxRequest(txn, nil, "").Registered)
		seller := models.Principal{Covers: models.Covers{{Country: "CH", State: "CH", From: calendar.MustDate("2020-01-01")}}}
		txn.Obligations = nil
		seller.Sells(&txn)
		require.Equal(t, []string{"CH"}, taxRequest(txn, nil, "").Registered, "so do estimates")
		txn.Place = &tax.Place{Country: "DE"}
		txn.SimulateRegistration()
		require.Nil(t, taxRequest(txn, nil, "").Registered, "no other law asks for it")
	})

	t.Run("the request carries everything that decides the tax", func(t *testing.T) {
		t.Parallel()
		line := item(1, "100.00")
		line.ID, line.TaxClass, line.TotalDiscount, line.Quantity = "txi_1", tax.ClassClothing, amountOf("5.00"),
			amountOf("2")
		txn := inTexas(line)
		txn.Origin, txn.Marketplace = &tax.Place{State: "TX"}, true
		settings := models.OrganizationSettings{RoundingUnit: "TAX_PER_DOCUMENT"}
		request := taxRequest(txn, nil, tax.RoundingUnit(settings.RoundingUnit))
		require.Equal(t, calendar.MustDate("2026-05-15"), request.TaxDate)
		require.Equal(t, *txn.Place, request.Destination)
		require.Equal(t, "TX", request.Origin.State)
		require.True(t, request.Marketplace)
		require.Equal(t, tax.TaxPerDocument, request.Rounding)
		require.Equal(t, tax.ClassClothing, request.Lines[0].Class)
		require.Equal(t, "5.00", request.Lines[0].Discount.String())
		require.Nil(t, request.Lines[0].Exempt)
	})

	t.Run("only a well-formed VAT id of the customer reaches the engine, and only as its country", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(item(1, "1"))
		require.Empty(t, taxRequest(txn, nil, "").CustomerVAT)
		txn.Customer.TaxRegistrations = []models.CustomerTaxRegistration{
			{
				CountryCode: "DE", TaxType: "vat", TaxID: "DE 208740616",
			}, {CountryCode: "DE", TaxType: "unknown", TaxID: "737401518"},
			{
				CountryCode: "FR", TaxType: "vat", TaxID: "FR 00000000001",
			}, {CountryCode: "IT", TaxType: "gst", TaxID: "61432940726"},
		}
		require.Equal(t, []string{"DE"}, taxRequest(txn, nil, "").CustomerVAT)
	})

	t.Run("a VAT id of Northern Ireland is one of the United Kingdom", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(item(1, "1"))
		for id, want := range map[string][]string{
			"XI 980780684": {"GB", "XI"}, "GB 980780684": {"GB"}, "980780684": {"GB"}, "XI 980780685": nil,
		} {
			txn.Customer.TaxRegistrations = []models.CustomerTaxRegistration{{CountryCode: "GB", TaxType: "vat", TaxID: id}}
			require.Equal(t, want, taxRequest(txn, nil, "").CustomerVAT, id)
		}
	})

	t.Run("an exemption reaches the engine with its reason", func(t *testing.T) {
		t.Parallel()
		for exemption, reason := range map[string]tax.TaxReason{
			"PRODUCT": tax.ReasonProductExempt, "CUSTOMER": tax.ReasonCustomerExempt, "WHOLESALE": tax.ReasonCustomerExempt,
			"TRANSACTION": tax.ReasonTransactionExempt, "EXPORT": tax.ReasonExport, "IMPORTED": tax.ReasonTransactionExempt,
		} {
			line := item(1, "1")
			line.Exempt, line.TaxExemption = true, given(exemption)
			require.Equal(t, reason, taxRequest(models.Transaction{
				Place: &tax.Place{}, Items: []models.TransactionItem{line},
			}, nil, "").Lines[0].Exempt.Reason, exemption)
		}
	})

	t.Run("what cannot be calculated needs attention and quotes nothing", func(t *testing.T) {
		t.Parallel()
		for _, err := range []error{money.ErrOverflow, money.ErrPrecision, errors.New("078-05-1120")} {
			outcome, failed := DecideTax(inTexas(item(1, "1")), noSettings, nil,
				func(tax.Request) (tax.Result, error) { return tax.Result{}, fmt.Errorf("line 078-05-1120: %w", err) })
			require.NoError(t, failed)
			require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
			require.NotEmpty(t, outcome.Reason)
			require.NotContains(t, outcome.Reason, "078-05")
		}
	})

	t.Run("another currency at the destination needs a rate", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(item(1, "1"))
		txn.Currency = "EUR"
		outcome, err := DecideTax(txn, noSettings, nil, calculateTenth)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
		require.Contains(t, outcome.Reason, "EUR to USD")
		require.True(t, models.ProcessingTransitions.CanTransition(string(models.ProcessingNexusDone), string(outcome.To)))
	})

	t.Run("without a place there is nothing to calculate", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(item(1, "1"))
		txn.Place = nil
		outcome, err := DecideTax(txn, noSettings, nil, calculateTenth)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
	})

	t.Run("a sale of which all lines are at a zero rate is not exempt", func(t *testing.T) {
		t.Parallel()
		outcome, err := DecideTax(inTexas(item(1, "1"), item(2, "0")),
			noSettings, nil, func(tax.Request) (tax.Result, error) {
				return tax.Result{
					Lines: []tax.LineResult{{TaxExemption: tax.ExemptionZeroRate}, {TaxExemption: tax.ExemptionZeroValue}},
				}, nil
			})
		require.NoError(t, err)
		require.Equal(t, models.ZeroRateNotExempt, outcome.Exempt)
	})

	t.Run("what is owed follows the obligation", func(t *testing.T) {
		t.Parallel()
		sale := inTexas(item(1, "100.00"))
		since := day("2026-01-01")
		sale.Obligations = []models.NexusObligation{
			{ID: "nexs_0", CountryCode: "US", StateCode: "NY", Status: models.NexusNotExposed},
			{
				ID: "nexs_1", CountryCode: "US", StateCode: "TX", Status: models.NexusExposed, MetDate: &since,
				Obligation: models.Obligation{From: &since},
			},
		}
		outcome, err := DecideTax(sale, noSettings, nil, calculateTenth)
		require.NoError(t, err)
		require.Equal(t, "10.00", outcome.LiabilityAmount.String())
		require.Equal(t, models.LiabilityCalculated, outcome.LiabilitySource)
		require.Contains(t, string(outcome.Explanation), `"nexus_id":"nexs_1"`)
		require.Contains(t, string(outcome.Explanation), `"obligation_start_date":"2026-01-01"`)
		require.Contains(t, string(outcome.Explanation), `"nexus_status_on_tax_date":"EXPOSED"`)
	})

	t.Run("the explanation contains the liability", func(t *testing.T) {
		t.Parallel()
		outcome, err := DecideTax(inTexas(item(1, "100.00")), noSettings, nil, calculateTenth)
		require.NoError(t, err)
		var told struct {
			Steps     []tax.Step     `json:"steps"`
			Liability map[string]any `json:"liability"`
			Original  *any           `json:"original"`
		}
		require.NoError(t, json.Unmarshal(outcome.Explanation, &told))
		require.Equal(t, tax.Step{N: 2, Code: "LIABILITY", Text: told.Liability["rule"].(string)}, told.Steps[1])
		require.Equal(t, "CALCULATED", told.Liability["source"])
		require.Nil(t, told.Liability["nexus_id"])
	})
}

func TestLiability(t *testing.T) {
	t.Parallel()
	ends := func(from, until string) []models.NexusObligation {
		first, last := day(from), day(until)
		return []models.NexusObligation{
			{
				ID: "nexs_1", CountryCode: "US", StateCode: "TX",
				Obligation: models.Obligation{From: &first, Until: &last},
			},
		}
	}
	since := func(from string) []models.NexusObligation {
		o := ends(from, from)
		o[0].Until = nil
		return o
	}
	elsewhere := since("2026-01-01")
	elsewhere[0].StateCode = "NY"
	for name, c := range map[string]struct {
		marketplace bool
		imported    string
		prefer      bool
		owed        []models.NexusObligation
		amount      string
		source      models.TaxLiabilitySource
	}{
		"1: a marketplace sale owes nothing": {
			true, "7.00", true, since("2026-01-01"), "0.00", models.LiabilityCalculated,
		},
		"2: without obligation what was collected is owed": {
			false, "7.00", false, nil, "7.00", models.LiabilityCollected,
		},
		"3: without obligation and collection nothing is": {
			false, "0.00", false, nil, "0.00", models.LiabilityCalculated,
		},
		"4: preferred collected amounts": {
			false, "7.00", true, since("2026-01-01"), "7.00", models.LiabilityCollected,
		},
		"5: preferred but nothing collected": {
			false, "0.00", true, since("2026-01-01"), "10.00", models.LiabilityCalculated,
		},
		"5: otherwise the calculated tax": {
			false, "7.00", false, since("2026-01-01"), "10.00", models.LiabilityCalculated,
		},
		"5: as much was collected": {
			false, "10.00", false, since("2026-01-01"), "10.00", models.LiabilityCalculated,
		},
		"5: more was collected": {
			false, "10.01", false, since("2026-01-01"), "10.01", models.LiabilityCollected,
		},
		"5: from the first day of the obligation": {
			false, "0.00", false, since("2026-05-15"), "10.00", models.LiabilityCalculated,
		},
		"5: until its last day": {
			false, "0.00", false, ends("2026-01-01", "2026-05-15"), "10.00", models.LiabilityCalculated,
		},
		"3: not before the obligation": {
			false, "0.00", false, since("2026-05-16"), "0.00", models.LiabilityCalculated,
		},
		"3: not after it": {
			false, "0.00", false, ends("2026-01-01", "2026-05-14"), "0.00", models.LiabilityCalculated,
		},
		"3: not for the obligation of another state": {
			false, "0.00", false, elsewhere, "0.00", models.LiabilityCalculated,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			txn := inTexas()
			txn.Marketplace, txn.TotalTaxAmountImported, txn.Obligations = c.marketplace, amountOf(c.imported), c.owed
			result := tax.Result{Tax: amountOf("10.00"), Lines: []tax.LineResult{{TaxItems: []tax.TaxItem{
				{
					Amount: amountOf("6.25"), Authority: tax.Authority{Country: "US", State: "TX"},
				}, {Amount: amountOf("3.75"), Authority: tax.Authority{Country: "US", State: "TX"}},
			}}}}
			owes := calculation{result: result}
			require.NoError(t, owes.owe(txn, models.OrganizationSettings{PreferCollectedTaxAmounts: c.prefer}))
			l := owes.owes
			require.Equal(t, c.amount, l.Amount.String())
			require.Equal(t, c.source, l.Source)
			require.Equal(t, name[:1], strconv.Itoa(int(l.Case)))
			require.NotEmpty(t, l.Rule)
		})
	}
}

// Where several authorities tax a sale, each part is owed by an obligation of its own.
func TestLiabilityOfSeveralAuthorities(t *testing.T) {
	t.Parallel()
	since := day("2026-01-01")
	of := func(country, state string) models.NexusObligation {
		return models.NexusObligation{
			ID: "nexs_" + state, CountryCode: country, StateCode: state,
			Obligation: models.Obligation{From: &since},
		}
	}
	none := of("CA", "BC")
	none.From = nil
	for name, c := range map[string]struct {
		home   string
		place  tax.Place
		owed   []models.NexusObligation
		amount string
		id     string
	}{
		"the federal part": {
			"", tax.Place{Country: "CA", State: "BC"}, []models.NexusObligation{none, of("CA", "CA")}, "5.00",
			"nexs_CA",
		},
		"the part of the province": {
			"", tax.Place{Country: "CA", State: "BC"}, []models.NexusObligation{of("CA", "BC")}, "7.00",
			"nexs_BC",
		},
		"both": {
			"", tax.Place{Country: "CA", State: "BC"}, []models.NexusObligation{of("CA", "BC"), of("CA", "CA")},
			"12.00", "nexs_BC",
		},
		"neither": {
			"", tax.Place{Country: "CA", State: "BC"}, []models.NexusObligation{none, of("CA", "QC")}, "0.00",
			"nexs_BC",
		},
		"a member, through the Union": {
			"FR", tax.Place{Country: "DE"}, []models.NexusObligation{of("ZZ_EU", "ZZ_EU")}, "19.00",
			"nexs_ZZ_EU",
		},
		"not the seller's own member": {
			"DE", tax.Place{Country: "DE"}, []models.NexusObligation{of("ZZ_EU", "ZZ_EU")}, "0.00", "",
		},
		"a member in which the seller is": {
			"DE", tax.Place{Country: "DE"}, []models.NexusObligation{of("DE", "DE")}, "19.00", "nexs_DE",
		},
		"another member is not the same": {
			"US", tax.Place{Country: "DE"}, []models.NexusObligation{of("FR", "FR")}, "0.00", "",
		},
		"a country outside of the Union": {
			"US", tax.Place{Country: "GB"}, []models.NexusObligation{of("ZZ_EU", "ZZ_EU")}, "0.00", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			txn := inTexas()
			txn.Home, txn.Place, txn.Obligations = c.home, &c.place, c.owed
			items := []tax.TaxItem{{Amount: amountOf("19.00"), Authority: tax.Authority{Country: c.place.Country}}}
			if c.place.Country == "CA" {
				items = []tax.TaxItem{
					{Amount: amountOf("5.00"), Authority: tax.Authority{Country: "CA"}},
					{Amount: amountOf("7.00"), Authority: tax.Authority{Country: "CA", State: "BC"}},
				}
			}
			owes := calculation{result: tax.Result{Lines: []tax.LineResult{{TaxItems: items}}, Tax: nothing}}
			for _, i := range items {
				owes.result.Tax = add(t, owes.result.Tax, i.Amount)
			}
			require.NoError(t, owes.owe(txn, noSettings))
			require.Equal(t, c.id, text(owes.owes.NexusID))
			require.Equal(t, c.amount, owes.owes.Amount.String())
		})
	}
}

func TestCurrencyOfCountry(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ country, day, want string }{
		"United States":           {"US", "2026-01-01", "USD"},
		"Canada":                  {"CA", "2026-01-01", "CAD"},
		"Puerto Rico":             {"PR", "2026-01-01", "USD"},
		"Germany":                 {"DE", "2026-01-01", "EUR"},
		"Croatia before the euro": {"HR", "2022-12-31", "HRK"},
		"Croatia with the euro":   {"HR", "2023-01-01", "EUR"},
		"Bulgaria with the euro":  {"BG", "2026-01-01", "EUR"},
		"Great Britain":           {"GB", "2026-01-01", "GBP"},
		"Japan":                   {"JP", "2026-01-01", "JPY"},
		"no country":              {"", "2026-01-01", ""},
		"not a country":           {"ZZ", "2026-01-01", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := CurrencyOf(c.country, calendar.MustDate(c.day))
			require.Equal(t, c.want != "", ok)
			if ok {
				require.Equal(t, c.want, got)
			}
		})
	}
}
