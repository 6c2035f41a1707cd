package web

import (
	"net/http"
	"net/url"
)

// rateOverride is a custom rate of an organization.
type rateOverride struct {
	ID       string `json:"id"`
	Country  string `json:"country_code"`
	State    string `json:"state_code"`
	Type     string `json:"jurisdiction_type"`
	Name     string `json:"jurisdiction_name"`
	TaxClass string `json:"tax_class"`
	Rate     string `json:"rate"`
	Start    string `json:"start_date"`
	End      string `json:"end_date"`
	Reason   string `json:"reason"`
}

type rateList struct {
	listPage

	Items  []rateOverride `json:"items"`
	Form   htmlForm
	Faults []fault
}

// ratesPath is the path of custom rates in the API.
const ratesPath = "/v1/rate_overrides"

// rateFields are the fields of the form of a custom rate.
var rateFields = []field{
	required(choice("country_code", "Country", "off", countries)),
	hinted(state("state_code", "State or province"), "Leave empty for a country"),
	required(choice("jurisdiction_type", "Level", "off",
		options("STATE", "COUNTY", "CITY", "SPECIAL", "COUNTRY", "FEDERAL"))),
	required(hinted(text("jurisdiction_name", "Name", 100, "off"), "As an estimate for an address there spells it")),
	required(field{
		Name: "rate", Label: "Rate", Kind: "number", Max: 20, Auto: "off", Hint: "A fraction: 0.0825 is 8.25 %",
	}),
	hinted(text("tax_class", "Only for a tax class", 40, "off"),
		"As its product shows it, such as clothing; leave empty for the general rate"),
	required(field{Name: "start_date", Label: "First day", Kind: "date", Auto: "off"}),
	{Name: "end_date", Label: "Last day", Kind: "date", Auto: "off", Hint: "Leave empty for no end"},
	required(hinted(text("reason", "Reason", 500, "off"), "The notice or law; every explanation shows it")),
}

func rateForm() htmlForm {
	return htmlForm{Groups: []fieldGroup{{Title: "Set a rate", Fields: rateFields}}}
}

func (c *Console) rates(v *pageRequest) error {
	list := rateList{Form: rateForm().filled(map[string]any{"country_code": "US"}, nil)}
	return c.showRates(v, http.StatusOK, list)
}

func (c *Console) showRates(v *pageRequest, status int, list rateList) error {
	list.Query = v.URL.Query()
	if err := v.get(ratesPath+"?"+pick(list.Query, "state_code", "country_code", "page"), v.org, &list); err != nil {
		return err
	}
	v.render(status, titled("Rates", list.Faults), list)
	return nil
}

// changeRate creates or deletes a custom rate.
func (c *Console) changeRate(v *pageRequest) error {
	switch v.PostFormValue("action") {
	case "set":
		form := rateForm()
		sent := form.body(nil, v.PostForm)
		if class, typed := sent["tax_class"].(string); typed {
			sent["tax_class"] = classCode(class)
		}
		err := v.call(http.MethodPost, ratesPath, v.org, sent, nil)
		if refused, ok := correctable(err); ok {
			list := rateList{Form: form.filled(nil, v.PostForm)}
			list.Faults = list.Form.mark(refused)
			return c.showRates(v, refused.Status, list)
		}
		if err != nil {
			return err
		}
	case "delete":
		path := ratesPath + "/" + url.PathEscape(v.PostFormValue("id"))
		if err := v.call(http.MethodDelete, path, v.org, nil, nil); err != nil {
			return err
		}
	default:
		return unknownAction()
	}
	return v.goTo(v.URL.Path)
}
