package web

import (
	"net/http"
)

// estimate is the tax of a hypothetical sale.
type estimate struct {
	Total       string `json:"total_tax_amount"`
	Collect     string `json:"tax_to_collect"`
	Taxable     string `json:"taxable_amount"`
	Rate        string `json:"tax_rate_calculated"`
	Currency    string `json:"currency"`
	Registered  bool   `json:"has_active_registration"`
	Address     string `json:"address_status"`
	Content     string `json:"content_version"`
	Explanation []struct {
		Text string `json:"text"`
	} `json:"explanation"`
	Warnings []struct {
		Message string `json:"message"`
	} `json:"warnings"`
	Parts []struct {
		Name   string `json:"jurisdiction_name"`
		Type   string `json:"jurisdiction_type"`
		Rate   string `json:"rate"`
		Amount string `json:"amount"`
	} `json:"tax_breakdown"`
}

// estimateFields are the fields of the form of an estimate.
var estimateFields = []field{
	{Name: "amount", Label: "Price before tax, in USD", Kind: "number", Max: 20, Required: true, Auto: "off"},
	{Name: "external_product_id", Label: "Product", Kind: "text", Max: 255, Auto: "off",
		Hint: "Its ID in the catalogue; leave empty for ordinary goods"},
	shippedTo(text("street_1", "Street", 255, "off")),
	shippedTo(text("city", "City", 100, "off")),
	shippedTo(region("state", "State or province", 100, "off")),
	shippedTo(text("postal_code", "Postal code", 20, "off")),
	shippedTo(required(choice("country", "Country", "off", countries))),
}

// shippedTo makes a field a part of the shipping address.
func shippedTo(f field) field { f.Path = "shipping_address." + f.Name; return f }

type estimatePage struct {
	Form   htmlForm
	Faults []fault
	Result *estimate // nil before the form is sent
}

// estimateForm shows the form of an estimate. Its country is the United States at first.
func (c *Console) estimateForm(v *pageRequest) error {
	if err := v.requireMember(); err != nil {
		return err
	}
	page := estimatePage{Form: htmlForm{Groups: []fieldGroup{{Title: "A sale", Fields: estimateFields}}}}
	page.Form = page.Form.filled(map[string]any{"country": "US"}, nil)
	return v.show("Estimate", page)
}

// estimate shows the tax of a hypothetical sale with its explanation. Nothing is recorded.
func (c *Console) estimate(v *pageRequest) error {
	page := estimatePage{Form: htmlForm{Groups: []fieldGroup{{Title: "A sale", Fields: estimateFields}}}}
	sent := page.Form.body(nil, v.PostForm)
	if sent["shipping_address"] == nil {
		sent["shipping_address"] = map[string]any{}
	}
	page.Form = page.Form.filled(nil, v.PostForm)
	var result estimate
	err := v.call(http.MethodPost, "/v1/tax/estimate", v.org, sent, &result)
	if refused, ok := correctable(err); ok {
		page.Faults = page.Form.mark(refused)
		v.render(refused.Status, "To correct: Estimate", page)
		return nil
	}
	if err != nil {
		return err
	}
	page.Result = &result
	return v.show("Estimate", page)
}
