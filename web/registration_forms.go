package web

import "levy/contract"

var filingFrequencies = options(
	contract.FilingFrequencyMONTHLY, contract.FilingFrequencyQUARTERLY, contract.FilingFrequencySEMIANNUALLY,
	contract.FilingFrequencyANNUALLY, contract.FilingFrequencyANNUALFISCALYEAR, contract.FilingFrequencySEMIMONTHLY,
	contract.FilingFrequencyBIMONTHLY, contract.FilingFrequencyFOURMONTHLY, contract.FilingFrequencyQUARTERLYPREPAYMENT,
	contract.FilingFrequencyUNKNOWN,
)

// registrationForm returns the form of a registration. fresh is the form of a new one, which Levy registers or which
// exists already.
func registrationForm(fresh bool) htmlForm {
	since := field{
		Name: "registration_date", Label: "Registered since", Kind: "date", Auto: "off",
		Hint: "A past day records a registration that you have. Leave empty to have Levy register.",
	}
	from := field{
		Name: "create_filings_from", Label: "Returns from", Kind: "date", Auto: "off", Hint: "Leave empty to start on that date",
	}
	number := text("sales_tax_id", "Sales tax ID", 50, "off")
	often := required(choice("filing_frequency", "Filing frequency", "off", filingFrequencies))
	if fresh {
		return htmlForm{Groups: []fieldGroup{{Title: "New registration", Fields: []field{
			required(choice("country_code", "Country", "off", countries)),
			hinted(state("state_code", "State or province"), "Leave empty for a whole country"),
			often, since, from, number,
		}}}}
	}
	since.Hint = "Tax is collected from this day on, which may be in the future. Once it has come, the registration is registered."
	return htmlForm{Groups: []fieldGroup{{Title: "Change this registration", Fields: []field{
		hinted(often, "A new frequency applies from the next period"), since, from, number,
		{Name: "registration_email", Label: "E-mail address at the authority", Kind: "email", Max: 254, Auto: "off"},
		text("comment", "Comment", 1000, "off"),
		{Name: "marked_collecting", Label: "The organization collects tax here", Kind: "check", Auto: "off"},
		{Name: "do_not_file", Label: "Levy files no returns here", Kind: "check", Auto: "off"},
	}}}}
}

// newReturnForm returns the form of a new return. Only people who may decide about returns can record one that was
// filed elsewhere.
func newReturnForm(decides bool) htmlForm {
	asked := []field{
		{Name: "start_date", Label: "First day", Kind: "date", Auto: "off", Required: true},
		{Name: "end_date", Label: "Last day", Kind: "date", Auto: "off", Required: true},
		choice("filing_category", "Kind", "off", options("REGULAR", "PREPAYMENT")),
	}
	if decides {
		asked = append(asked,
			field{Name: filedElsewhere, Label: "It was filed already, not by Levy: its transactions are locked", Kind: "check"},
			field{Name: "date_filed", Label: "Filed on", Kind: "date", Auto: "off", Hint: "Today if empty"})
	}
	return htmlForm{Groups: []fieldGroup{{Title: "Create a return", Fields: asked,
		Note: "Levy creates returns when their period is over. Create one yourself for a period that runs, or for one before " +
			"the first return."}}}
}

// filedElsewhere is a status in the body.
const filedElsewhere = "filed_elsewhere"

// confirmationForm returns the fields for the confirmation of a registration by the authority.
func (r registration) confirmationForm() []field {
	since := as("since", date("registration_date", "Registered since"))
	since.Value = plain(r.RegistrationDate)
	if since.Required = since.Value != ""; !since.Required {
		since.Label += " (today if empty)"
	}
	number := as("number", text("sales_tax_id", "Sales tax ID (optional)", 50, "off"))
	number.Value = valueOf(r.SalesTaxID)
	return []field{since, number}
}

// endForm returns the fields for the last day of a registration and the reason.
func endForm() []field {
	return []field{
		as("last", date("deregistration_date", "Last day (today if empty)")), as("why", text("reason", "Reason", 255, "")),
	}
}
