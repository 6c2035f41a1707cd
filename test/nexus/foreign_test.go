package nexus_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// foreign are addresses outside of the United States, with their currencies.
var foreign = map[string]struct {
	currency string
	address  map[string]any
}{
	"BC": {"CAD", map[string]any{"type": "SHIP_TO", "street_1": "800 Robson St", "city": "Vancouver", "state": "BC",
		"postal_code": "V6Z 3B7", "country": "CA"}},
	"ON": {"CAD", map[string]any{"type": "SHIP_TO", "street_1": "100 Queen St W", "city": "Toronto", "state": "ON",
		"postal_code": "M5H 2N2", "country": "CA"}},
	"FR": {"EUR", map[string]any{"type": "SHIP_TO", "street_1": "5 Avenue Anatole France", "city": "Paris",
		"postal_code": "75007", "country": "FR"}},
	"IT": {"EUR", map[string]any{"type": "SHIP_TO", "street_1": "Piazza del Colosseo 1", "city": "Roma",
		"postal_code": "00184", "country": "IT"}},
	"DE": {"EUR", map[string]any{"type": "SHIP_TO", "street_1": "Platz der Republik 1", "city": "Berlin",
		"postal_code": "11011", "country": "DE"}},
}

// sellForeign posts a sale and returns its id.
func (s *seller) sellForeign(externalID, to, day, amount string) string {
	s.t.Helper()
	place := foreign[to]
	return s.sell(externalID, to, day, amount, func(body map[string]any) {
		body["currency"], body["addresses"] = place.currency, []any{place.address}
	})
}

// owes waits until a processed transaction owes an amount.
func (s *seller) owes(id, amount, why string) {
	s.t.Helper()
	s.bed.Eventually(why, func(context.Context) (bool, error) {
		owed := s.owed(id)
		return owed == amount, fmt.Errorf("owed: %s", owed)
	})
}

// taxed waits until a transaction is processed with a tax.
func (s *seller) taxed(id, amount, why string) {
	s.t.Helper()
	s.bed.Eventually(why, func(context.Context) (bool, error) {
		sale := s.bed.Call("GET", "/v1/transactions/"+id, nil, 200)
		return sale["processing_status"] == "PROCESSED" && sale["total_tax_amount_calculated"] == amount,
			fmt.Errorf("%v: %v", sale["processing_status"], sale["total_tax_amount_calculated"])
	})
}

// Nexus outside the United States: two authorities for one sale, a threshold for many countries, a forecast, and the
// effect of a registration.
func TestNexusOutsideTheUnitedStates(t *testing.T) {
	t.Parallel()
	whole := newSeller(t)
	whole.bed.Exec(`UPDATE organization_details
		SET place = '{"country": "DE"}',
		  business_address = '{"company_address_1": "Platz der Republik 1", "company_city": "Berlin",
		    "company_postal_code": "11011", "company_country_code": "DE"}'`)
	now := time.Now().UTC()
	on := func(monthDay string) string { return fmt.Sprintf("%d-%s", now.Year()-1, monthDay) }
	// of returns the seller of one of the parallel tests.
	of := func(t *testing.T) *seller {
		t.Helper()
		t.Parallel()
		return &seller{t: t, bed: whole.bed}
	}
	t.Run("group", func(t *testing.T) {
		t.Run("a province and the country each make an obligation for their own tax", func(t *testing.T) {
			s := of(t)
			s.sellForeign("B-1", "BC", on("02-10"), "10000.00")
			s.shows("BC", "the threshold itself is not enough", func(r map[string]any) bool {
				return r["transactions_amount"] != nil && r["status"] == "NOT_EXPOSED" && r["earliest_transaction_date"] != nil
			})
			crossing := s.sellForeign("B-2", "BC", on("05-11"), "0.01")
			province := s.shows("BC", "a cent more", status("EXPOSED"))
			require.Equal(t, crossing, province["crossing"].(map[string]any)["transaction_id"])
			require.Equal(t, on("05-12"), province["obligation_start_date"], "the sale that crosses is not taxed")
			require.Equal(t, "CAD", province["currency"])
			provincial := s.sellForeign("B-3", "BC", on("05-20"), "100.00")
			s.owes(provincial, "7.00", "the tax of the province alone is owed")

			ontario := s.sellForeign("O-1", "ON", on("05-21"), "20000.00")
			federal := s.shows("CA&country_code__in=CA", "four quarters of all provinces together, none alone",
				func(r map[string]any) bool {
					return r["status"] == "EXPOSED"
				})
			require.Equal(t, "CANADA_FEDERAL", federal["nexus_type"])
			require.Equal(t, on("06-30"), federal["economic_nexus_met_date"], "with the end of the quarter")
			require.Equal(t, on("08-01"), federal["obligation_start_date"])
			require.Empty(t, s.bed.Call("GET", "/v1/nexus?state_code=ON", nil, 200)["items"], "Ontario leaves it to the country")
			both, harmonized := s.sellForeign("B-4", "BC", on("08-02"), "100.00"),
				s.sellForeign("O-2", "ON", on("08-02"), "100.00")
			s.owes(both, "12.00", "the tax of both is owed")
			s.owes(harmonized, "13.00", "all of the harmonized tax is the country's")
			s.owes(ontario, "0.00", "nothing before")
			s.owes(provincial, "7.00", "and the province as before")
			s.shows("BC", "each authority is owed its own", func(r map[string]any) bool { return r["tax_liability"] == "14.00" })
			s.shows("CA&country_code__in=CA", "each authority is owed its own",
				func(r map[string]any) bool { return r["tax_liability"] == "18.00" })
		})

		t.Run("the members of the Union share a threshold, without the seller's own", func(t *testing.T) {
			s := of(t)
			s.sellForeign("E-1", "DE", on("05-10"), "50000.00")
			small := s.sellForeign("E-2", "FR", on("05-11"), "6000.00")
			s.taxed(small, "1140.00", "at the rate of the seller's own country")
			exempt := func(externalID, day, country string) string {
				return s.sell(externalID, "FR", day, "100.00", func(body map[string]any) {
					body["currency"], body["addresses"] = "EUR", []any{foreign["FR"].address}
					body["requires_exemption"] = map[string]any{"exemption_type": "transaction", "country_code": country}
				})
			}
			s.taxed(exempt("X-1", on("05-11"), "DE"), "0.00", "exempt where it is taxed, and not counted")
			s.taxed(exempt("X-2", on("05-11"), "FR"), "19.00", "not one of the country of the customer")
			s.sellForeign("E-3", "IT", on("05-12"), "3900.00")
			union := s.shows("ZZ_EU", "the threshold itself is not enough", func(r map[string]any) bool {
				return r["previous_transactions_amount"] == "10000.00"
			})
			require.Equal(t, "APPROACHING", union["status"])
			require.EqualValues(t, 10000, union["threshold_sales"])
			before := s.sellForeign("E-4", "FR", on("05-13"), "100.00")
			crossed := s.shows("ZZ_EU", "a sale more", status("EXPOSED"))
			require.Equal(t, before, crossed["crossing"].(map[string]any)["transaction_id"])
			require.Equal(t, on("05-13"), crossed["obligation_start_date"], "at once")
			s.owes(before, "20.00", "the tax of the country of the customer is owed")
			s.taxed(before, "20.00", "of that country alone")
			s.taxed(small, "1140.00", "as before the threshold was crossed")
			back := testbed.CreditNote("E-2-R", "600.00")
			back["currency"], back["date"] = "EUR", on("06-01")+"T10:00:00Z"
			note := s.bed.Call("POST", "/v1/transactions/"+small+"/credit_notes", back, 200)["id"].(string)
			s.taxed(note, "114.00", "a refund follows its sale, with the sign that was sent")
			require.Equal(t, 2, s.bed.Count(`SELECT count(*)
				FROM transaction_totals
				WHERE transaction_id = $1 AND member_code = 'DE' AND currency = 'EUR'`, note),
				"in the returns of the seller's own country")
			s.taxed(exempt("X-3", on("05-14"), "FR"), "0.00", "now that of the customer")
			s.taxed(exempt("X-4", on("05-14"), "DE"), "20.00", "and no longer that of the seller")
			s.owes(s.sellForeign("E-5", "IT", on("05-14"), "100.00"), "22.00", "in every member")
			s.shows("ZZ_EU", "all of it in the one-stop shop", func(r map[string]any) bool { return r["tax_liability"] == "62.00" })
			member := s.record("FR")
			require.EqualValues(t, 0, member["threshold_sales"])
			require.Equal(t, "NOT_EXPOSED", member["status"])
			s.bed.Call("POST", "/v1/nexus/physical_nexus", map[string]any{
				"country_code": "FR", "state_code": "FR", "start_date": on("07-01"), "category": "WAREHOUSE_AND_INVENTORY_PRESENCE",
			}, 200)
			s.shows("FR", "presence", func(r map[string]any) bool {
				return r["status"] == "EXPOSED" && r["obligation_start_date"] == on("07-01")
			})
		})

		t.Run("a forecast continues six full months", func(t *testing.T) {
			s := of(t)
			mississippi := func(body map[string]any) {
				body["addresses"] = []any{map[string]any{"type": "SHIP_TO", "street_1": "400 High St",
					"city": "Jackson", "state": "MS", "postal_code": "39201", "country": "US"}}
			}
			for i := range 6 {
				day := time.Date(now.Year(), now.Month()-time.Month(i+1), 10, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
				s.sell(fmt.Sprintf("M-%d", i), "MS", day, "35000.00", mississippi)
			}
			r := s.shows("MS", "84 % of 250,000", func(r map[string]any) bool { return r["transactions_amount"] == "210000.00" })
			require.Equal(t, "APPROACHING", r["status"])
			require.EqualValues(t, 2, r["predicted_month_from_today"])
			require.EqualValues(t, 100, r["confidence_level"], "equal months")
			s.sell("M-6", "MS", now.Format(time.DateOnly), "50000.00", mississippi)
			met := s.shows("MS", "met", status("EXPOSED"))
			require.Nil(t, met["predicted_month_from_today"])
			require.Nil(t, met["confidence_level"])
		})

		t.Run("a registration changes the record, and makes an obligation for its days", func(t *testing.T) {
			s := of(t)
			during, after := s.sell("T-1", "TX", on("03-01"), "100.00", nil), s.sell("T-2", "TX", on("05-10"), "100.00", nil)
			s.owes(during, "0.00", "nothing is owed without a registration")
			s.owes(after, "0.00", "nothing is owed without a registration")
			registration := s.bed.Call("PUT", "/v1/nexus/"+s.record("TX")["id"].(string)+"/register",
				map[string]any{"registration_date": on("02-01")}, 200)
			require.Equal(t, "REGISTERED", registration["status"], "its date has come")
			r := s.shows("TX", "follows", status("REGISTERED"))
			require.Equal(t, registration["id"], r["registration"].(map[string]any)["id"])
			require.Equal(t, r["id"], registration["nexus_id"])
			s.owes(during, "8.25", "owed from the registration on")
			s.owes(after, "8.25", "owed from the registration on")
			path := "/v1/registrations/" + registration["id"].(string)
			s.bed.Call("PUT", path, map[string]any{"registration_date": on("04-01")}, 200)
			s.owes(during, "0.00", "its date is after the sale now")
			s.bed.Call("PUT", path, map[string]any{"registration_date": on("02-15")}, 200)
			s.owes(during, "8.25", "and back before it")
			s.bed.Call("POST", path+"/deregister", map[string]any{"deregistration_date": on("04-30")}, 200)
			s.shows("TX", "REGISTERED until it is over", status("REGISTERED"))
			s.owes(after, "8.25", "REGISTERED until it is over")
			s.bed.Call("PUT", path, map[string]any{"status": "DEREGISTERED"}, 200)
			s.shows("TX", "evaluated anew", status("NOT_EXPOSED"))
			s.owes(after, "0.00", "not owed behind its last day")
			s.owes(during, "8.25", "owed on its days")

			pending := s.bed.Call("POST", "/v1/registrations",
				map[string]any{"country_code": "US", "state_code": "GA", "filing_frequency": "MONTHLY"}, 200)
			require.Contains(t, []any{"PENDING_REGISTRATION", "REGISTERED"}, s.record("GA")["status"])
			s.shows("GA", "confirmed by the authority", status("REGISTERED"))
			require.Equal(t, pending["id"], s.record("GA")["registration"].(map[string]any)["id"])
		})
	})
}
