package contract_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The explanation is of the current revision only, and names it.
func TestTheExplanationIsOfTheCurrentRevision(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	id, externalID := in.transaction(client)
	path := "/v1/transactions/" + id + "/explanation"
	in.call(client, "GET", path, "", 409)
	in.processed(client, id)

	a := in.call(client, "GET", path, "", 200)
	require.Equal(t, id, a.text(t, "transaction_id"))
	require.Equal(t, in.taxes.Current().Version(), a.text(t, "content_version"))
	var e struct {
		Revision int
		Items    []struct {
			Lines []struct {
				JurisdictionName string `json:"jurisdiction_name"`
				Unrounded        string `json:"unrounded_amount"`
				Amount           string
				Source           struct{ Document, Version string }
			}
		}
		Totals    map[string]string
		Liability map[string]any
		Steps     []struct{ Code string }
	}
	a.decode(t, &e)
	require.Equal(t, 1, e.Revision)
	require.Equal(t, map[string]string{"taxable_amount": "100.00", "tax_amount": "8.88", "tax_rate": "0.088750000"},
		e.Totals)
	require.Equal(t, "0.375", e.Items[0].Lines[2].Unrounded)
	require.Equal(t, "0.38", e.Items[0].Lines[2].Amount)
	require.Equal(t, "COLLECTED", e.Liability["source"])
	require.Equal(t, "8.88", e.Liability["amount"])
	require.Equal(t, "LIABILITY", e.Steps[len(e.Steps)-1].Code)

	var cited []string
	for _, line := range e.Items[0].Lines {
		cited = append(cited, line.Source.Document+", "+line.Source.Version)
	}
	require.Contains(t, cited[0], "Tax Law 1105")
	for _, path := range []string{"/v1/transactions/" + id, "/v1/transactions/external/" + externalID} {
		require.Equal(t, cited, citations(in.call(client, "GET", path, "", 200), t), "each tax cites its law")
	}

	in.execute("UPDATE transactions SET epoch = epoch + 1, processing_status = 'QUEUED' WHERE id = $1", id)
	require.Equal(t, []string{"", "", ""}, citations(in.call(client, "GET", "/v1/transactions/"+id, "", 200), t),
		"the citations of an older revision are not those of this one")
	require.Equal(t, "not_processed", in.call(client, "GET", path, "", 409).problem(t).Code,
		"an older revision's does not count")
}

// citations are the laws beside the calculated taxes of the first line of a transaction.
func citations(a answer, t *testing.T) (cited []string) {
	t.Helper()
	var sale struct {
		Lines []struct {
			Taxes []struct{ Type, Source string } `json:"tax_items"`
		} `json:"transaction_items"`
	}
	a.decode(t, &sale)
	for _, tax := range sale.Lines[0].Taxes {
		if tax.Type == "CALCULATED" {
			cited = append(cited, tax.Source)
		} else {
			require.Empty(t, tax.Source)
		}
	}
	return cited
}

// certainty is the confidence of a tax with its warnings.
type certainty struct {
	Confidence   string
	Completeness string
	Warnings     []warning
}

type warning struct {
	Code, Message string
	Line          *int
}

// The warnings of the estimate are in the sale from PROCESSED on, in its explanation and in lists; a refund has those
// of its own lines, and a new version only its own.
func TestASaleShowsTheWarningsOfItsCalculation(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.client()
	in.call(shop, "POST", "/v1/products", `{"external_id":"WORK","name":"Work","product_category":"SERVICE"}`, 200)
	members := func(to string) string {
		return fmt.Sprintf(`"date":"2026-05-15T10:00:00Z","currency":"EUR","customer":{"external_id":"C-9"},
			"addresses":[{"type":"SHIP_TO",%s}],"transaction_items":[
			{"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":100},
			{"external_id":"L2","external_product_id":"WORK","date":"2026-05-15T10:00:00Z","amount":50}]}`, to)
	}
	berlin := members(`"city":"Berlin","postal_code":"10115","country":"DE"`)
	of := func(a answer) (c certainty) {
		a.decode(t, &c)
		return c
	}
	estimate := of(in.call(shop, "POST", "/v1/tax/estimate", "{"+berlin, 200))
	require.Equal(t, []string{"CLASS_TOO_COARSE", "COUNTRY"}, []string{estimate.Warnings[0].Code, estimate.Completeness})
	require.Equal(t, 1, *estimate.Warnings[0].Line)

	none := certainty{}
	body := `{"external_id":"S","type":"SALE","total_amount":150,` + berlin
	var accepted []certainty
	posted := in.call(shop, "POST", "/v1/transactions", body, 202)
	posted.decode(t, &accepted)
	require.Equal(t, []certainty{none}, accepted, "nothing is calculated")
	var sales []struct{ ID string }
	posted.decode(t, &sales)
	path := "/v1/transactions/" + sales[0].ID
	in.processed(shop, sales[0].ID)
	require.Equal(t, estimate, of(in.call(shop, "GET", path, "", 200)))
	require.Equal(t, estimate, of(in.call(shop, "GET", path+"/explanation", "", 200)))
	listed := in.call(shop, "GET", "/v1/transactions", "", 200).member(t, "items").([]any)[0].(map[string]any)
	require.Equal(t, estimate.Confidence, listed["confidence"])

	in.call(shop, "PUT", path, body, 200)
	require.Equal(t, none, of(in.call(shop, "GET", path, "", 200)), "the new version is not calculated")
	in.processed(shop, sales[0].ID)
	require.Equal(t, estimate, of(in.call(shop, "GET", path, "", 200)))
	var before struct{ Transaction certainty }
	in.call(shop, "GET", path+"/revisions/1", "", 200).decode(t, &before)
	require.Equal(t, estimate, before.Transaction)

	note := in.credit(shop, sales[0].ID,
		`{"external_id":"N","date":"2026-06-01T10:00:00Z","status":"COMMITTED","total_amount":-50,"currency":"EUR",`+
			`"transaction_items":[`+
			noteLine("L2", "WORK", "0", "-50", "0")+`]}`)
	in.processed(shop, note.ID)
	refund := estimate
	refund.Warnings = []warning{{estimate.Warnings[0].Code, estimate.Warnings[0].Message, new(int)}}
	require.Equal(t, refund, of(in.call(shop, "GET", "/v1/transactions/"+note.ID, "", 200)), "of its own line")
	change := `{"total_amount":-10,"transaction_items":[` + noteLine("L1", "P-1", "0", "-10", "0") + `]}`
	require.Equal(t, none, of(in.call(shop, "PUT", path+"/credit_notes/"+note.ID, change, 200)))
	require.Equal(t, none, of(in.call(shop, "GET", "/v1/transactions/"+note.ID, "", 200)))
	in.processed(shop, note.ID)
	require.Equal(t, certainty{estimate.Confidence, estimate.Completeness, []warning{}},
		of(in.call(shop, "GET", "/v1/transactions/"+note.ID, "", 200)))
}
