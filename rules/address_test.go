package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// resolveFake answers by the state of the address: these rules use only the name of a place.
func resolveFake(a tax.Address) tax.Place {
	if a == (tax.Address{}) {
		return tax.Place{Status: tax.StatusBlank}
	}
	status := tax.StatusVerified
	if a.Country == "" {
		status = tax.StatusInvalid
	}
	return tax.Place{Status: status, Country: a.Country, State: a.State, City: a.City}
}

func in(kind models.AddressType, country, state string) models.TransactionAddress {
	return models.TransactionAddress{Type: kind, Country: given(country), State: given(state)}
}

func sale() models.Transaction {
	return models.Transaction{
		OrganizationID: "org_1", ID: "txn_1", Epoch: 3,
		Type: models.TypeSale, Status: models.StatusCommitted, Currency: "USD",
		TaxDate: calendar.MustDate("2026-05-15").Time(),
	}
}

func TestDestination(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		addresses []models.TransactionAddress
		state     string // of the transaction itself
		want      string
		source    string
	}{
		"SHIP_TO comes first": {
			[]models.TransactionAddress{in(models.BillTo, "US", "TX"), in(models.ShipTo, "US", "NY")}, "CA",
			"NY", "SHIP_TO",
		},
		"BILL_TO stands in for SHIP_TO": {
			[]models.TransactionAddress{in(models.BillTo, "US", "TX"), in(models.ShipFrom, "US", "NY")}, "CA",
			"TX", "BILL_TO",
		},
		"a blank SHIP_TO counts as absent": {
			[]models.TransactionAddress{in(models.BillTo, "US", "TX"), in(models.ShipTo, "", "")}, "CA", "TX",
			"BILL_TO",
		},
		"else the place fields of the transaction": {
			[]models.TransactionAddress{in(models.ShipFrom, "US", "NY"), in(models.BillFrom, "US", "WA")}, "CA",
			"CA", "TRANSACTION",
		},
		"a wrong SHIP_TO is not passed over": {
			[]models.TransactionAddress{in(models.ShipTo, "", "Nowhere"), in(models.BillTo, "US", "TX")}, "CA",
			"", "SHIP_TO",
		},
		"the place fields alone are enough": {nil, "WA", "WA", "TRANSACTION"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			txn := sale()
			txn.Country, txn.State, txn.Addresses = given("US"), given(c.state), c.addresses
			outcome := DecideAddress(txn, resolveFake)
			require.Equal(t, c.source, outcome.Place.AddressType)
			if c.want == "" {
				require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
				return
			}
			require.Equal(t, c.want, outcome.Place.State)
			require.Equal(t, models.ProcessingAddressDone, outcome.To)
			require.Empty(t, outcome.Reason)
			require.Len(t, outcome.Statuses, len(c.addresses), "every address gets its status")
		})
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	txn := sale()
	txn.Addresses = []models.TransactionAddress{in(models.ShipTo, "US", "TX"), in(models.ShipFrom, "US", "OK")}
	require.Equal(t, "OK", DecideAddress(txn, resolveFake).Origin.State)
	txn.Addresses[1] = in(models.ShipFrom, "", "somewhere")
	require.Nil(t, DecideAddress(txn, resolveFake).Origin, "an origin that is not certain is none")
	txn.Addresses[1] = in(models.BillFrom, "US", "OK")
	require.Nil(t, DecideAddress(txn, resolveFake).Origin, "only SHIP_FROM is an origin")
}

func TestTransactionsThatAreNotProcessedFurther(t *testing.T) {
	t.Parallel()
	address := []models.TransactionAddress{in(models.ShipTo, "US", "TX")}
	for name, c := range map[string]struct {
		status    models.TransactionStatus
		kind      models.TransactionType
		addresses []models.TransactionAddress
		to        models.ProcessingStatus
	}{
		"a committed sale is processed": {
			models.StatusCommitted, models.TypeSale, address, models.ProcessingAddressDone,
		},
		"a refunded sale is processed": {
			models.StatusFullyRefunded, models.TypeSale, address, models.ProcessingAddressDone,
		},
		"a partly refunded sale is processed": {
			models.StatusPartiallyRefunded, models.TypeSale, address, models.ProcessingAddressDone,
		},
		"PENDING waits": {models.StatusPending, models.TypeSale, address, models.ProcessingPending},
		"CANCELLED is excluded": {
			models.StatusCancelled, models.TypeSale, address, models.ProcessingExcluded,
		},
		"INVALID is excluded": {
			models.StatusInvalid, models.TypeSale, address, models.ProcessingExcluded,
		},
		"ARCHIVED is archived": {
			models.StatusArchived, models.TypeSale, address, models.ProcessingArchived,
		},
		"the type ARCHIVE is archived": {
			models.StatusCommitted, models.TypeArchive, address, models.ProcessingArchived,
		},
		"a refund is processed": {
			models.StatusCommitted, models.TypePartialCreditNote, address, models.ProcessingAddressDone,
		},
		"a pending refund is PENDING": {
			models.StatusPending, models.TypeFullCreditNote, address, models.ProcessingPending,
		},
		"without address there is no place": {
			models.StatusCommitted, models.TypeSale, nil, models.ProcessingNeedsRefetch,
		},
		"without state there is no place": {
			models.StatusCommitted, models.TypeSale, []models.TransactionAddress{in(models.ShipTo, "US", "")},
			models.ProcessingNeedsRefetch,
		},
		"elsewhere the country is enough": {
			models.StatusCommitted, models.TypeSale, []models.TransactionAddress{in(models.ShipTo, "DE", "")},
			models.ProcessingAddressDone,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			txn := sale()
			txn.Status, txn.Type, txn.Addresses = c.status, c.kind, c.addresses
			outcome := DecideAddress(txn, resolveFake)
			require.Equal(t, c.to, outcome.To)
			require.True(t, models.ProcessingTransitions.CanTransition(string(models.ProcessingQueued), string(outcome.To)))
			require.Equal(t, c.to != models.ProcessingAddressDone, outcome.Reason != "", "the reason of the final status is given")
			require.Equal(t, models.Ref{OrganizationID: "org_1", ID: "txn_1", Epoch: 3}, outcome.Ref)
		})
	}
}

// Every address that decides about the place of a transaction is resolved by the boundaries of its tax date.
func TestAddressesAreResolvedByTheBoundariesOfTheTaxDate(t *testing.T) {
	t.Parallel()
	txn := sale()
	txn.Addresses = []models.TransactionAddress{in(models.ShipFrom, "US", "TX"), in(models.ShipTo, "US", "NY")}
	txn.State, txn.Country = given("CA"), given("US")
	states := func() (list []string) {
		for _, a := range AddressesOf(txn) {
			require.Equal(t, calendar.MustDate("2026-05-15"), a.Day)
			list = append(list, a.Address.State)
		}
		return list
	}
	require.Equal(t, []string{"TX", "NY", "CA"}, states())
	txn.Business = &models.Business{Address: tax.Address{State: "WA"}}
	require.Equal(t, []string{"TX", "NY", "WA", "CA"}, states())
	asked := map[string]bool{}
	Locate(txn, func(a tax.Address) tax.Place { asked[a.State] = true; return tax.Place{Status: tax.StatusBlank} })
	require.Len(t, asked, 4, "Locate asks for these alone")
}
