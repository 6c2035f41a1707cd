package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"levy/contract"
	"levy/models"
)

var legalForms = func() []option {
	all := options("LLC", "SINGLE_MEMBER_LLC", "MULTI_MEMBER_LLC", "LLC_TAXED_AS_C_CORPORATION",
		"LLC_TAXED_AS_S_CORPORATION",
		"HYBRID_LLC", "PROFESSIONAL_LLC", "CORPORATION", "C_CORPORATION", "S_CORPORATION", "PARTNERSHIP",
		"GENERAL_PARTNERSHIP",
		"LIMITED_PARTNERSHIP", "LIMITED_LIABILITY_PARTNERSHIP", "LIMITED_LIABILITY_LIMITED_PARTNERSHIP",
		"SOLE_PROPRIETORSHIP",
		"COOPERATIVE_CO_OP", "JOINT_VENTURE", "NONPROFIT")
	for i := range all {
		label := strings.NewReplacer("llc", "LLC", "Llc", "LLC", "c corporation", "C corporation", "s corporation",
			"S corporation").
			Replace(all[i].Label)
		all[i].Label = strings.Replace(label, "Cooperative co op", "Cooperative", 1)
	}
	return all
}()

// addressOf returns the fields of an address whose names have a prefix.
func addressOf(prefix string, needed bool) []field {
	all := []field{
		text(prefix+"address_1", "Street", 255, "address-line1"),
		text(prefix+"address_2", "Second line", 255, "address-line2"),
		text(prefix+"city", "City", 100, "address-level2"),
		region(prefix+"state", "State or province", 50, "address-level1"),
		text(prefix+"postal_code", "Postal code", 20, "postal-code"),
		choice(prefix+"country_code", "Country", "country", countries),
	}
	all[3].Hint, all[4].Hint = "For the US and Canada", "For the US and Canada"
	if needed {
		for _, i := range []int{0, 2, 5} {
			all[i].Required = true
		}
	}
	return all
}

func phoneAndEmail(prefix, what string, needed bool) []field {
	return []field{
		{Name: prefix + "phone", Label: "Phone" + what, Kind: "tel", Max: 50, Auto: "tel", Required: needed},
		{Name: prefix + "email", Label: "E-mail address" + what, Kind: "email", Max: 254, Auto: "email", Required: needed},
	}
}

// stepForms are the forms of steps 3 to 8, by number.
var stepForms = map[int]htmlForm{
	3: {whole: true, Intro: "What your company is.",
		Groups: []fieldGroup{
			{Title: "Company", Fields: []field{
				text("business_name", "Legal name", 200, "organization"),
				required(choice("entity_type", "Legal form", "off", legalForms)),
				required(choice("incorporation_country", "Country of incorporation", "off", countries)),
				required(choice("company_country_code", "Country where it is", "country", countries)),
				numeric(field{Name: "ein", Label: "Employer identification number (EIN)", Kind: "text", Max: 10, Auto: "off",
					Hint: "9 digits, as 12-3456789"}),
			}},
			{Title: "What Levy does automatically", Fields: []field{
				{Name: "auto_register", Label: "Register where your sales make you owe tax", Kind: "check"},
				{Name: "auto_file", Label: "Approve returns that no one has reviewed in time", Kind: "check"},
			}},
			{Title: "More about the company, as far as it applies", More: true, Fields: []field{
				text("dba", "Name under which it does business", 200, "off"),
				region("incorporation_state", "State of incorporation", 50, "off"),
				text("business_description", "What it does", 1000, "off"),
				numeric(field{Name: "naics", Label: "NAICS code", Kind: "text", Max: 6, Auto: "off", Hint: "2 to 6 digits"}),
				text("tax_id", "Tax number", 50, "off"),
				text("home_state_registration", "Registration number in the home state", 50, "off"),
				{Name: "incorporation_date", Label: "Day of incorporation", Kind: "date", Auto: "off"},
				{Name: "first_operations_date", Label: "First day of business", Kind: "date", Auto: "off"},
			}},
		}},
	4: {whole: true, Intro: "Where your company is.",
		Groups: []fieldGroup{
			{Title: "Address", Fields: append(needed(addressOf("company_", false), "company_city", "company_country_code"),
				field{Name: "company_city_is_unincorporated", Label: "It lies outside of city limits", Kind: "check"})},
		}},
	5: {
		whole: true,
		Intro: "How your company is reached, and how it keeps its books.", Groups: []fieldGroup{
			{Title: "Company", Fields: append(phoneAndEmail("business_", "", true),
				field{
					Name: "business_fiscal_year_end", Label: "Last day of the fiscal year", Kind: "date", Auto: "off", Required: true,
					Hint: "Only month and day matter",
				},
				choice("accounting_model", "Accounting", "off", []option{{"ACCRUAL", "Accrual: a sale counts when it is made"},
					{"CASH", "Cash: a sale counts when it is paid"}}))},
			{Title: "Place of business, if it is not the address of step 4", More: true, Fields: addressOf("business_", false)},
			{Title: "Address for mail, if it is another one", More: true, Fields: addressOf("business_mailing_", false)},
		},
	},
	6: {
		whole: true, Intro: "The person whom authorities may ask.",
		Groups: []fieldGroup{
			{Title: "Person", Fields: append([]field{
				required(text("business_contact_name", "Name", 200, "name")),
				text("business_contact_title", "Title", 100, "organization-title"),
			}, phoneAndEmail("business_contact_", "", true)...)},
			{Title: "Address of the person", Fields: append([]field{sameAsCompany("business_contact_")},
				addressOf("business_contact_", true)...)},
			{
				Title: "Personal numbers", Note: "They are stored encrypted, and no one can read them here afterwards.",
				Fields: []field{
					{Name: "business_contact_dob", Label: "Date of birth", Kind: "personal-date", Auto: "off", Required: true},
					numeric(field{Name: "business_contact_ssn", Label: "SSN or ITIN", Kind: "personal", Max: 11, Auto: "off",
						Hint: "For a person in the US; 9 digits"}),
					{Name: "business_contact_dl", Label: "Driver's licence", Kind: "personal", Max: 30, Auto: "off"},
				},
			},
			{Title: "Owner", Fields: []field{
				{Name: contactIsOwner, Label: "This person is an owner: write the same in the next step", Kind: "check"},
			}},
		},
	},
	7: {
		whole: true, Intro: "Who owns your company: up to three owners.",
		Groups: append(append(owner(1), append(owner(2), owner(3)...)...), fieldGroup{Title: "Further owners", Fields: []field{
			{Name: "business_owners_incomplete", Label: "There are more: the shares come to less than 100", Kind: "check"},
		}}),
	},
	8: {whole: true, Intro: "The account from which tax is paid.",
		Groups: []fieldGroup{
			{
				Title: "Account", Note: "They are stored encrypted, and no one can read them here afterwards.", Fields: []field{
					required(text("account_holder_name", "Account holder", 200, "off")),
					text("bank_name", "Bank", 100, "off"),
					required(choice("account_type", "Kind of account", "off", options("CHECKING", "SAVINGS"))),
					numeric(field{
						Name: "routing_number", Label: "Routing number", Kind: "personal", Max: 9, Auto: "off", Required: true,
						Hint: "ABA, 9 digits",
					}),
					numeric(field{
						Name: "account_number", Label: "Account number", Kind: "personal", Max: 17, Auto: "off", Required: true,
						Hint: "4 to 17 digits",
					}),
				},
			},
		}},
}

// sameAddress begins the names of the boxes that copy the address of the company. The rest is the prefix of the address.
const sameAddress = "same_as_company_"

// sameAsCompany returns the box that copies the address of the company to an address with a prefix.
func sameAsCompany(prefix string) field {
	return field{Name: sameAddress + prefix, Label: "Same address as the company", Kind: "check"}
}

// addressParts are the parts of an address, after its prefix.
var addressParts = []string{"address_1", "address_2", "city", "state", "postal_code", "country_code"}

// copyAddresses copies the address of the company to those whose box is ticked.
func copyAddresses(stored map[string]any, typed url.Values) {
	for name := range typed {
		prefix, ticked := strings.CutPrefix(name, sameAddress)
		if !ticked {
			continue
		}
		for _, part := range addressParts {
			typed.Set(prefix+part, textOf(stored["company_"+part]))
		}
	}
}

// apart reports whether a field is no part of the body of a step: its value acts otherwise.
func (f *field) apart() bool {
	return f.Name == contactIsOwner || strings.HasPrefix(f.Name, sameAddress)
}

// withCountry returns the form with the country of the company where a country is needed and none was saved.
func (f htmlForm) withCountry(stored map[string]any) htmlForm {
	return f.each(func(f *field) {
		isNeeded := f.Required && strings.HasSuffix(f.Name, "country_code") || f.Name == "incorporation_country"
		if isNeeded && f.Value == "" {
			f.Value = cmp.Or(textOf(stored["company_country_code"]), "US")
		}
	})
}

// numeric makes phones show the keyboard of numbers.
func numeric(f field) field { f.Digits = true; return f }

// contactIsOwner is a query parameter of step 6, not a field of its body.
const contactIsOwner = "save_business_contact_as_company_owner"

// readStep reads the saved values of the form of a step; none if the step has no form or was never done.
func (v *pageRequest) readStep(step int) (map[string]any, error) {
	var saved any
	var err error
	switch {
	case step < firstForm:
		return nil, nil
	case step == models.StepBankDetails:
		saved, err = v.session.GetBankDetails(v.Context(), contract.GetBankDetailsRequest{})
	default:
		saved, err = v.session.GetOrganizationDetails(v.Context(), contract.GetOrganizationDetailsRequest{})
	}
	if refusedWith(err, http.StatusNotFound) {
		return map[string]any{}, nil
	}
	if err != nil {
		return nil, err
	}
	return fieldsOf(saved)
}

// savedStep is the onboarding after a step was saved, and doubts about its values.
type savedStep struct {
	onboarding
	Warnings []warning
}

// saveStep saves the typed values of the form of a step. Errors: *problem, also if another person has changed the same
// fields since the page was rendered.
func (v *pageRequest) saveStep(step int, stored map[string]any) (saved savedStep, err error) {
	copyAddresses(stored, v.PostForm)
	session, err := v.changing(stepForms[step], stored)
	if err != nil {
		return saved, err
	}
	var details contract.OrganizationDetails
	switch ctx := v.Context(); step {
	case models.StepBusinessDetails:
		details, err = session.PutBusinessDetails(ctx, contract.PutBusinessDetailsRequest{})
	case models.StepBusinessAddress:
		details, err = session.PutBusinessAddress(ctx, contract.PutBusinessAddressRequest{})
	case models.StepBusinessInformation:
		details, err = session.PutBusinessInformation(ctx, contract.PutBusinessInformationRequest{})
	case models.StepBusinessContact:
		isOwner := v.PostFormValue(contactIsOwner) != ""
		details, err = session.PutBusinessContact(ctx, contract.PutBusinessContactRequest{
			Params: contract.PutBusinessContactParams{SaveBusinessContactAsCompanyOwner: isOwner},
		})
	case models.StepBusinessOwners:
		details, err = session.PutBusinessOwners(ctx, contract.PutBusinessOwnersRequest{})
	case models.StepBankDetails:
		var bank contract.BankDetails
		bank, err = session.PutBankDetails(ctx, contract.PutBankDetailsRequest{})
		details.Onboarding, details.Warnings = bank.Onboarding, bank.Warnings
	}
	saved.onboarding = onboardingOf(details.Onboarding)
	for _, w := range details.Warnings {
		saved.Warnings = append(saved.Warnings, warning{w})
	}
	return saved, err
}

// needed marks the named fields as required, and no others.
func needed(all []field, names ...string) []field {
	for i := range all {
		all[i].Required = slices.Contains(names, all[i].Name)
	}
	return all
}

func owner(n int) []fieldGroup {
	prefix := fmt.Sprintf("business_owner%d_", n)
	first := []field{
		{Name: prefix + "name", Label: "Name", Kind: "text", Max: 200, Auto: "off", Required: n == 1},
		{
			Name: prefix + "percent_ownership", Label: "Share in percent", Kind: "number", Percent: true, Max: 6, Auto: "off",
			Hint: "If one owner has a share, all need one, and together they are 100",
		},
		{Name: prefix + "title", Label: "Title", Kind: "text", Max: 100, Auto: "off"},
	}
	rest := append(append(phoneAndEmail(prefix, "", false), sameAsCompany(prefix)), addressOf(prefix, false)...)
	for i := range rest {
		rest[i].Auto = "off" // the page has three of them
	}
	rest = append(rest,
		field{Name: prefix + "dob", Label: "Date of birth", Kind: "personal-date", Auto: "off"},
		numeric(field{Name: prefix + "ssn", Label: "SSN or ITIN", Kind: "personal", Max: 11, Auto: "off"}),
		field{Name: prefix + "dl", Label: "Driver's licence", Kind: "personal", Max: 30, Auto: "off"},
	)
	title := fmt.Sprintf("Owner %d", n)
	return []fieldGroup{
		{Title: title, More: n > 1, Fields: first},
		{Title: title + ": address and personal numbers, as far as they are needed", More: true, Fields: rest},
	}
}
