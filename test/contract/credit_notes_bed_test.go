package contract_test

import (
	"fmt"
)

// sold posts a sale of two lines, a widget for 100.00 and shipping for 10.00, that
// is processed: 9.77 of tax.
func (in *installation) sold(as credentials) (id string) {
	in.t.Helper()
	id = in.posted(as, "")
	in.processed(as, id)
	return id
}

func (in *installation) posted(as credentials, members string) (id string) {
	in.t.Helper()
	body := fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","currency":"USD",
		"total_amount":"119.77","customer":{"external_id":"C-1"},%s
		"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
			"country":"US"}],
		"transaction_items":[
		  {"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","quantity":4,"amount":"100.00",
		  	"tax_amount_imported":"8.88"},
		  {"external_id":"L2","external_product_id":"SHIP","date":"2026-05-15T10:00:00Z","amount":"10.00",
		  	"tax_amount_imported":"0.89"}]}`, in.next("ORDER"), members)
	a := in.call(as, "POST", "/v1/transactions", body, 202)
	var sales []struct{ ID string }
	a.decode(in.t, &sales)
	return sales[0].ID
}

// merchant is a client with the products P-1 and SHIP.
func (in *installation) merchant() credentials {
	in.t.Helper()
	client := in.client()
	in.call(client, "POST", "/v1/products",
		`{"external_id":"SHIP","name":"Shipping","product_category":"MISCELLANEOUS","product_subcategory":"SHIPPING"}`, 200)
	return client
}

func noteBody(externalID, status, total, lines string) string {
	return fmt.Sprintf(`{"external_id":%q,"date":"2026-06-01T10:00:00Z","status":%q,"total_amount":%q,"currency":"USD",`+
		`"transaction_items":[%s]}`,
		externalID, status, total, lines)
}

func noteLine(externalID, product, quantity, amount, tax string) string {
	return fmt.Sprintf(`{"external_id":%q,"external_product_id":%q,"quantity":%q,"amount":%q,"tax_amount_imported":%q}`,
		externalID, product, quantity, amount, tax)
}

type refundAnswer struct {
	ID               string
	Type             string
	Status           string
	Source           string
	ProcessingStatus string `json:"processing_status"`
	RelatedTo        string `json:"related_to"`
	RefundStatus     string `json:"refund_status"`
	Total            string `json:"total_amount"`
	Final            string `json:"final_total_amount"`
	Imported         string `json:"total_tax_amount_imported"`
	Tax              string `json:"total_tax_amount_calculated"`
	Taxable          string `json:"taxable_amount"`
	Liability        string `json:"total_tax_liability_amount"`
	State            string
	Revision         int
	Customer         struct {
		ExternalID string `json:"external_id"`
	}
	Addresses []struct {
		Street1 string `json:"street_1"`
	}
	Items []struct {
		Amount   string
		Tax      string `json:"tax_amount_calculated"`
		TaxItems []struct {
			Type, Amount     string
			JurisdictionName string `json:"jurisdiction_name"`
		} `json:"tax_items"`
	} `json:"transaction_items"`
}

func (in *installation) read(as credentials, id string) (r refundAnswer) {
	in.t.Helper()
	in.call(as, "GET", "/v1/transactions/"+id, "", 200).decode(in.t, &r)
	return r
}

func (in *installation) credit(as credentials, original, body string) (r refundAnswer) {
	in.t.Helper()
	in.call(as, "POST", "/v1/transactions/"+original+"/credit_notes", body, 200).decode(in.t, &r)
	return r
}
