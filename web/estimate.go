package web

import (
	"net/http"

	"levy/contract"
)

// estimateFields are the fields of the form of an estimate.
var estimateFields = []field{
	{Name: "amount", Label: "Price before tax, in USD", Kind: "number", Max: 20, Required: true, Auto: "off"},
	{Name: productField, Label: "Product", Kind: "text", Max: 255, Auto: "off",
		Hint: "A part of its name, or its ID; leave empty for ordinary goods"},
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
	return v.showEstimate(http.StatusOK, page)
}

// estimate shows the tax of a hypothetical sale with its explanation. Nothing is recorded.
func (c *Console) estimate(v *pageRequest) error {
	page := estimatePage{Form: htmlForm{Groups: []fieldGroup{{Title: "A sale", Fields: estimateFields}}}}
	sent := page.Form.body(nil, v.PostForm)
	if sent["shipping_address"] == nil {
		sent["shipping_address"] = map[string]any{}
	}
	page.Form = page.Form.filled(nil, v.PostForm)
	result, err := v.estimateOf(sent)
	if refused, ok := correctable(err); ok {
		page.Faults = page.Form.mark(refused)
		return v.showEstimate(refused.Status, page)
	}
	if err != nil {
		return err
	}
	page.Result = &result
	return v.showEstimate(http.StatusOK, page)
}

// estimateOf estimates the tax of a body, whose product may be named by a part of its name. Errors: *problem.
func (v *pageRequest) estimateOf(sent map[string]any) (result contract.Estimate, err error) {
	if err = v.nameProduct(sent); err != nil {
		return result, err
	}
	session, err := v.sending(sent)
	if err != nil {
		return result, err
	}
	return session.EstimateTax(v.Context(), contract.EstimateTaxRequest{})
}

func (v *pageRequest) showEstimate(status int, page estimatePage) (err error) {
	if page.Form, err = v.withSuggestions(page.Form, productField); err != nil {
		return err
	}
	v.render(status, titled("Estimate", page.Faults), page)
	return nil
}
