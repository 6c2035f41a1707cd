package web

import (
	"html/template"
	"net/http"

	"levy/contract"
)

type rateList struct {
	listPage

	Items   []contract.RateOverride
	File    template.URL
	Filters filterForm
	Form    htmlForm
	Faults  []fault
	Check   *ratePreview // the rate that is to be confirmed; nil before one was typed
}

// rateFields are the fields of the form of a custom rate.
var rateFields = []field{
	required(choice("country_code", "Country", "off", countries)),
	hinted(state("state_code", "State or province"), "Leave empty for a country"),
	required(choice("jurisdiction_type", "Level", "off",
		options("STATE", "COUNTY", "CITY", "SPECIAL", "COUNTRY", "FEDERAL"))),
	required(hinted(text("jurisdiction_name", "Name", 100, "off"), "As an estimate for an address there spells it")),
	required(field{
		Percent: true,
		Name:    "rate", Label: "Rate in percent", Kind: "number", Max: 20, Auto: "off", Hint: "8.25 is 8.25 %",
	}),
	hinted(text("tax_class", "Only for a tax class", 40, "off"),
		"Such as clothing: the field offers them with examples; leave empty for the general rate"),
	required(field{Name: "start_date", Label: "First day", Kind: "date", Auto: "off"}),
	{Name: "end_date", Label: "Last day", Kind: "date", Auto: "off", Hint: "Leave empty for no end"},
	required(hinted(text("reason", "Reason", 500, "off"), "The notice or law; every explanation shows it")),
}

func rateForm() htmlForm {
	return htmlForm{Groups: []fieldGroup{{Title: "Set a rate", Fields: rateFields}}}
}

// rates lists the custom rates. The form has the place and the tax class of the rate that the address names.
func (c *Console) rates(v *pageRequest) error {
	if id := v.URL.Query().Get("like"); id != "" {
		form, err := v.rateFormLike(id)
		if err != nil {
			return err
		}
		return c.showRates(v, http.StatusOK, rateList{Form: form})
	}
	list := rateList{Form: rateForm().filled(map[string]any{"country_code": "US"}, nil)}
	return c.showRates(v, http.StatusOK, list)
}

// rateFormLike returns the form of a rate for the place and the tax class of another one. The cursor is in the rate.
func (v *pageRequest) rateFormLike(id string) (htmlForm, error) {
	request := contract.GetRateOverrideRequest{RateOverrideID: id}
	_, stored, err := withFields(v.session.GetRateOverride(v.Context(), request))
	if err != nil {
		return htmlForm{}, err
	}
	for _, own := range []string{"rate", "start_date", "end_date", "reason"} { // those of the new rate are others
		delete(stored, own)
	}
	if class := textOf(stored["tax_class"]); class != "" {
		stored["tax_class"] = className(class)
	}
	return rateForm().filled(stored, nil).each(func(f *field) { f.Focus = f.Name == "rate" }), nil
}

func (c *Console) showRates(v *pageRequest, status int, list rateList) error {
	asked := placed(v.URL.Query(), "country_code")
	list.File = v.fileOf("rates", asked, rateParameters...)
	query := v.sized(pick(asked, append([]string{"page"}, rateParameters...)...))
	found, err := v.session.WithQuery(query).ListRateOverrides(v.Context(), contract.ListRateOverridesRequest{})
	if err != nil {
		return err
	}
	list.Filters = filters("Filter", v.URL.Query(), as("of", placeFilter))
	list.listPage, list.Items = v.pageOf(found.Total, found.Page, found.Pages), found.Items
	if list.Form, err = v.withSuggestions(list.Form, "tax_class"); err != nil {
		return err
	}
	v.render(status, titled("Rates", list.Faults), list)
	return nil
}

// changeRate creates or deletes a custom rate.
func (c *Console) changeRate(v *pageRequest) error {
	switch v.PostFormValue("action") {
	case "set":
		return c.setRate(v)
	case "delete":
		deleted := contract.DeleteRateOverrideRequest{RateOverrideID: v.PostFormValue("id")}
		if _, err := v.session.DeleteRateOverride(v.Context(), deleted); err != nil {
			return err
		}
	default:
		return unknownAction()
	}
	return v.goBack(nil)
}
