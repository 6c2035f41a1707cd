package contract_test

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

// filing writes an UNFILED filing of New York over the last 400 days but one.
func (in *installation) filing(as credentials) string {
	in.t.Helper()
	scope := models.Scope{OrganizationID: as.organization}
	registration := models.Registration{
		ID: models.NewID(models.PrefixRegistration), CountryCode: "US", StateCode: "NY",
		StateName: "New York", Status: models.RegistrationProcessing,
		FilingFrequency: calendar.FilingMonthly, RegistrationImportType: models.ImportRegular,
		RegistrationsRegime: "STANDARD", AmountFees: "0.00",
	}
	err := in.store.Registrations.CreateRegistration(in.t.Context(), scope, models.Actor{}, &registration)
	if exists := (&models.DuplicateError{}); errors.As(err, &exists) {
		registration.ID, err = exists.ExistingID, nil
	}
	require.NoError(in.t, err)
	return in.filingIn(as, registration.ID, "US", "NY")
}

// filingIn records a filing of a registration in any jurisdiction. It returns its id.
func (in *installation) filingIn(as credentials, registration, country, state string) string {
	in.t.Helper()
	scope := models.Scope{OrganizationID: as.organization}
	over := time.Now().UTC().AddDate(0, 0, -2).Truncate(24 * time.Hour) // everywhere, also before noon
	f, err := in.store.Filings.CreateFiling(in.t.Context(), scope, models.Actor{}, models.Filing{
		ID: models.NewID(models.PrefixFiling), RegistrationID: registration,
		CountryCode: country, StateCode: state, StateName: &state,
		StartDate: over.AddDate(0, 0, -360),
		EndDate:   over, Status: models.FilingUnfiled,
		FilingCategory: calendar.FilingCategory(in.next("CATEGORY")), Currency: "USD",
	}, func(*models.Filing, models.Registration) error { return nil })
	require.NoError(in.t, err)
	return f.ID
}

// move takes a filing to FILING or FILED.
func (in *installation) move(as credentials, filing string, to models.FilingStatus) {
	in.t.Helper()
	in.obligationsDecided()
	_, err := in.store.Filings.UpdateFiling(in.t.Context(), models.Scope{OrganizationID: as.organization},
		models.Actor{}, filing, func(f *models.Filing) error {
			if f.Status = to; to == models.FilingFiled {
				now, confirmation := time.Now().UTC(), "C-1"
				f.FiledAt, f.DateFiled, f.ReturnConfirmationID = &now, &now, &confirmation
			}
			return nil
		})
	require.NoError(in.t, err)
}

// The report of a return without sales is complete.
func TestTheReportOfAFilingWithoutSales(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	filing := in.filing(client)
	in.move(client, filing, models.FilingFiling)
	in.move(client, filing, models.FilingFiled)
	path := "/v1/filings/" + filing
	for name, amount := range in.call(client, "GET", path+"/report?format=json", "", 200).member(t,
		"totals").(map[string]any) {
		if amount, ok := amount.(string); ok {
			require.Equal(t, "0.00", amount, name)
		}
	}
	require.Equal(t, "SAME", in.call(client, "POST", path+"/verify", "", 200).member(t, "verdict"))
}

// A form computes the tax of the sum, and the sales were rounded one by one: 2 x 8.88 are accrued, of 2 x 8.875.
func TestAFilingSaysThatItsFormDiffers(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.soldYesterday(client, "P-1")
	filing := in.filing(client)
	path := "/v1/filings/" + filing
	findings := func() any {
		known := in.call(client, "GET", path, "", 200).member(t, "findings")
		reported := in.call(client, "GET", path+"/report?format=json", "", 200).member(t, "filing").(map[string]any)
		require.Equal(t, known, reported["findings"], "the report says the same")
		return known
	}
	require.Equal(t, []any{}, findings(), "a form rounds one sale like Levy")
	in.soldYesterday(client, "P-1")
	want := []any{map[string]any{"code": "FORM_DIFFERS", "severity": "INFO", "count": 2.0, "amount": "0.01",
		"message": "The form computes taxable x rate, and the tax was accrued by transaction: its roundings to the cent " +
			"explain the difference."}}
	require.Equal(t, want, findings())
	in.move(client, filing, models.FilingFiling)
	require.Equal(t, want, findings())
	in.move(client, filing, models.FilingFiled)
	require.Equal(t, want, findings())
}

func TestTheReportOfAFiling(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	sale := in.soldYesterday(client, "P-1")
	path := "/v1/filings/" + in.filing(client)
	filing := strings.TrimPrefix(path, "/v1/filings/")

	preview := in.call(client, "GET", path+"/report?format=json", "", 200)
	require.Nil(t, preview.member(t, "report_hash"))
	require.Len(t, preview.member(t, "transactions"), 1)
	require.Equal(t, "NOT_FILED", in.call(client, "POST", path+"/verify", "", 200).member(t, "verdict"))
	in.move(client, filing, models.FilingFiling)
	require.Nil(t, in.call(client, "GET", path+"/report?format=json", "", 200).member(t, "report_hash"))
	in.move(client, filing, models.FilingFiled)

	t.Run("as JSON carries the hash of its own bytes", func(t *testing.T) {
		a := in.call(client, "GET", path+"/report?format=json", "", 200)
		hash := a.text(t, "report_hash")
		sum := sha256.Sum256(regexp.MustCompile(`"report_hash":"[0-9a-f]*"`).ReplaceAll(a.body, []byte(`"report_hash":null`)))
		require.Equal(t, hex.EncodeToString(sum[:]), hash)
		require.Equal(t, a.body, in.call(client, "GET", path+"/report?format=json", "", 200).body)
		require.Equal(t, `attachment; filename="`+filing+`.json"`, a.header.Get("Content-Disposition"))
	})
	t.Run("as CSV has a column for the tax of each jurisdiction", func(t *testing.T) {
		a := in.call(client, "GET", path+"/report?format=csv", "", 200)
		require.Equal(t, "text/csv; charset=utf-8", a.header.Get("Content-Type"))
		rows, err := csv.NewReader(strings.NewReader(string(a.body))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 2)
		require.Equal(t, []string{"transaction_id", "external_id", "type", "tax_date", "net_amount", "taxable_amount",
			"tax_calculated", "tax_collected",
			"tax_liability", "marketplace", "exempt", "tax:New York", "tax:New York City", "tax:MCTD"}, rows[0])
		require.Equal(t, sale, rows[1][0])
		require.Equal(t, []string{"4.00", "4.50", "0.38"}, rows[1][11:])
	})
	t.Run("as PDF is the same every time", func(t *testing.T) {
		a := in.call(client, "GET", path+"/report?format=pdf", "", 200)
		require.Equal(t, "application/pdf", a.header.Get("Content-Type"))
		require.True(t, strings.HasPrefix(string(a.body), "%PDF-"))
		require.Equal(t, a.body, in.call(client, "GET", path+"/report?format=pdf", "", 200).body)
	})
	t.Run("needs a known format", func(t *testing.T) {
		for query, want := range map[string]string{"": "missing_field", "?format=xml": "invalid_enum"} {
			a := in.call(client, "GET", path+"/report"+query, "", 400)
			require.Equal(t, want, a.problem(t).Errors[0].Code)
		}
	})
	t.Run("lists its members, with the parameters of every list", func(t *testing.T) {
		for query, total := range map[string]float64{"": 1, "?status=CANCELLED": 0, "?filing_id=" + filing: 1,
			"?transaction_type=SALE&limit=1&offset=0": 1} {
			require.EqualValues(t, total, in.call(client, "GET", path+"/transactions"+query, "", 200).member(t, "total"), query)
		}
		in.call(client, "GET", path+"/transactions?page=1&limit=1", "", 400)
		in.soldYesterday(client, "P-1")
		require.EqualValues(t, 1, in.call(client, "GET", path+"/transactions", "", 200).member(t, "total"),
			"the claim is over")
		require.EqualValues(t, 2, in.call(client, "GET", "/v1/filings/"+in.filing(client)+"/transactions", "",
			200).member(t, "total"), "the transactions that it would claim")
	})
	t.Run("is verified against what is stored", func(t *testing.T) {
		a := in.call(client, "POST", path+"/verify", "", 200)
		require.Equal(t, []any{"SAME", []any{}, 1.0},
			[]any{a.member(t, "verdict"), a.member(t, "differences"), a.member(t, "transactions")})
		require.Equal(t, a.member(t, "report_hash"), a.member(t, "recomputed_hash"))
		in.execute("UPDATE transactions SET total_tax_liability_amount = 1 WHERE id = '" + sale + "'")
		a = in.call(client, "POST", path+"/verify", "", 200)
		require.Equal(t, "DIFFERENT", a.member(t, "verdict"))
		require.Equal(t, []any{map[string]any{"where": sale + " liability of the transaction", "stated": "8.88",
			"found": "1.00"}}, a.member(t, "differences"))
	})
}
