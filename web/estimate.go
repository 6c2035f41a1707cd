package web

import "levy/contract"

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
	Result *contract.Estimate // nil before the form is sent
}

// estimateForm shows the form of an estimate. Its country is the United States at first.
func (c *Console) estimateForm(v *pageRequest) error {
	if err := v.requireReader(); err != nil {
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
	session, err := v.sending(sent)
	if err != nil {
		return err
	}
	result, err := session.EstimateTax(v.Context(), contract.EstimateTaxRequest{})
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
