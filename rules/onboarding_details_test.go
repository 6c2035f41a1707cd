package rules

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// openSeal seals by adding the name of the field, so that tests see for which field a value was sealed.
type openSeal struct{}

func (openSeal) Seal(field string, plain []byte) []byte { return []byte(field + ":" + string(plain)) }

func (openSeal) Open(field string, sealed []byte) ([]byte, error) {
	if len(sealed) <= len(field) {
		return nil, errors.New("not sealed for " + field)
	}
	return sealed[len(field)+1:], nil
}

func drafted(t *testing.T, step int, body string, from models.StepRecords) models.StepContent {
	t.Helper()
	content, err := DraftStep(step, []byte(body), from, false, openSeal{})
	require.NoError(t, err)
	return content
}

// faultsOf are the faults of a refused step.
func faultsOf(t *testing.T, err error) (faults []string) {
	t.Helper()
	var invalid *models.InvalidError
	require.ErrorAs(t, err, &invalid)
	for _, f := range invalid.Faults {
		faults = append(faults, f.Code+" "+f.Path)
	}
	return faults
}

func TestAStepMergesTheRequestIntoTheRecord(t *testing.T) {
	t.Parallel()
	name := "Acme"
	for rule, c := range map[string]struct {
		step     int
		body     string
		from     models.StepRecords
		document string
		want     string
	}{
		"flags that were not sent are off": {
			models.StepBusinessDetails, `{"entity_type": "LLC", "incorporation_country": "US"}`, models.StepRecords{},
			models.DocumentDetails,
			`{"entity_type":"LLC","incorporation_country":"US","auto_register":false,"auto_file":false}`,
		},
		"a field that is not sent keeps its value": {
			models.StepBusinessDetails, `{"entity_type": "LLC", "incorporation_country": "US"}`,
			models.StepRecords{
				Details: models.OrganizationDetails{
					BusinessDetails: json.RawMessage(`{"ein":"12-3456789","auto_file":true}`),
				},
			},
			models.DocumentDetails,
			`{"entity_type":"LLC","incorporation_country":"US","ein":"12-3456789","auto_register":false,"auto_file":true}`,
		},
		"the company is called as the organization is": {
			models.StepBusinessDetails, `{"entity_type": "LLC", "incorporation_country": "US"}`,
			models.StepRecords{
				Details: models.OrganizationDetails{OrganizationName: &name},
			}, models.DocumentAddress, `{"business_name":"Acme"}`,
		},
		"a name of its own counts": {
			models.StepBusinessAddress, `{"business_name": "Acme Inc", "company_country_code": "DE", "company_city": "Berlin"}`,
			models.StepRecords{Details: models.OrganizationDetails{OrganizationName: &name}}, models.DocumentAddress,
			`{"business_name":"Acme Inc","company_city":"Berlin","company_country_code":"DE",
				"company_city_is_unincorporated":false}`,
		},
		"accounting is by accrual": {
			models.StepBusinessInformation,
			`{"business_phone": "1", "business_email": "a@b.c", "business_fiscal_year_end": "12-31"}`,
			models.StepRecords{}, models.DocumentInformation,
			`{"business_phone":"1","business_email":"a@b.c","business_fiscal_year_end":"12-31","accounting_model":"ACCRUAL"}`,
		},
		"unless it is said": {
			models.StepBusinessInformation, `{"business_phone": "1", "accounting_model": "CASH"}`, models.StepRecords{},
			models.DocumentInformation,
			`{"business_phone":"1","business_email":"","business_fiscal_year_end":"","accounting_model":"CASH"}`,
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			require.JSONEq(t, c.want, string(drafted(t, c.step, c.body, c.from).Documents[c.document]))
		})
	}
}

func TestMissingFieldsOfAStep(t *testing.T) {
	t.Parallel()
	contact := func(rest string) string { return `{"business_contact_name": "Ann", ` + rest + `}` }
	for rule, c := range map[string]struct {
		step int
		body string
		want []string
	}{
		"an address without country and city": {models.StepBusinessAddress, `{}`, []string{
			"missing_field company_country_code", "missing_field company_city",
		}},
		"an address in the United States": {models.StepBusinessAddress,
			`{"company_country_code": "US", "company_city": "Austin"}`, []string{
				"missing_field company_state", "missing_field company_postal_code",
			}},
		"an address in Canada": {models.StepBusinessAddress,
			`{"company_country_code": "CA", "company_city": "Ottawa", "company_state": "ON"}`, []string{
				"missing_field company_postal_code",
			}},
		"a contact without a day of birth": {models.StepBusinessContact, contact(`"business_contact_country_code": "DE"`),
			[]string{
				"missing_field business_contact_dob",
			}},
		"a contact in the United States": {models.StepBusinessContact, contact(`"business_contact_country_code": "US"`),
			[]string{
				"missing_field business_contact_dob", "missing_field business_contact_ssn",
				"missing_field business_contact_state", "missing_field business_contact_postal_code",
			}},
		"no owner": {models.StepBusinessOwners, `{}`, []string{"missing_field business_owner1_name"}},
		"an owner without a name": {models.StepBusinessOwners, `{"business_owner1_name": "A", "business_owner2_phone": "1"}`,
			[]string{
				"missing_field business_owner2_name",
			}},
		"a third owner without a second": {models.StepBusinessOwners,
			`{"business_owner1_name": "A", "business_owner3_name": "C"}`, []string{
				"mismatch business_owner3_name",
			}},
		"shares below all of it": {
			models.StepBusinessOwners, `{"business_owner1_name": "A", "business_owner1_percent_ownership": "99.99"}`,
			[]string{"mismatch business_owner1_percent_ownership"},
		},
		"shares above all of it": {
			models.StepBusinessOwners, `{"business_owner1_name": "A", "business_owner1_percent_ownership": "60.00",
				"business_owner2_name": "B", "business_owner2_percent_ownership": "40.01"}`,
			[]string{"mismatch business_owner2_percent_ownership"},
		},
		"above all of it although there are further owners": {
			models.StepBusinessOwners, `{"business_owner1_name": "A", "business_owner1_percent_ownership": "100.01",
				"business_owners_incomplete": true}`,
			[]string{"mismatch business_owner1_percent_ownership"},
		},
		"a share of zero": {
			models.StepBusinessOwners, `{"business_owner1_name": "A", "business_owner1_percent_ownership": "0.00",
				"business_owners_incomplete": true}`,
			[]string{"out_of_range business_owner1_percent_ownership"},
		},
		"a share for one owner alone": {
			models.StepBusinessOwners, `{"business_owner1_name": "A", "business_owner1_percent_ownership": "60.00",
				"business_owner2_name": "B"}`,
			[]string{"missing_field business_owner2_percent_ownership"},
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			_, err := DraftStep(c.step, []byte(c.body), models.StepRecords{}, false, openSeal{})
			require.Equal(t, c.want, faultsOf(t, err))
		})
	}
}

func TestSharesThatAreAccepted(t *testing.T) {
	t.Parallel()
	for rule, body := range map[string]string{
		"none is given": `{"business_owner1_name": "A", "business_owner2_name": "B"}`,
		"all of it":     `{"business_owner1_name": "A", "business_owner1_percent_ownership": "100.00"}`,
		"all of it by three": `{"business_owner1_name": "A", "business_owner1_percent_ownership": "33.33",
			"business_owner2_name": "B", "business_owner2_percent_ownership": "33.33",
			"business_owner3_name": "C", "business_owner3_percent_ownership": "33.34"}`,
		"less with further owners": `{"business_owner1_name": "A", "business_owner1_percent_ownership": "60.00",
			"business_owners_incomplete": true}`,
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			drafted(t, models.StepBusinessOwners, body, models.StepRecords{})
		})
	}
}

func TestPersonalValuesAreSealedAndMasked(t *testing.T) {
	t.Parallel()
	stored := models.StepRecords{Bank: &models.BankDetails{
		Details:  json.RawMessage(`{"account_type":"CHECKING","routing_number":"****6789","account_number":"****4321"}`),
		Revision: 4,
	}}
	for rule, c := range map[string]struct {
		body     string
		shown    string
		personal map[string][]byte
		removed  []string
		faults   []string
	}{
		"what is sent is sealed, and shown by its end": {
			body: `{"account_number": "000111222"}`, shown: "****1222",
			personal: map[string][]byte{"account_number": []byte("account_number:000111222")},
		},
		"a mask that is sent back keeps what is stored": {body: `{"account_number": "****4321"}`, shown: "****4321"},
		"another mask is a fault": {
			body: `{"account_number": "****9999"}`, faults: []string{"invalid_format account_number"},
		},
		"a mask without an end is a fault": {
			body: `{"account_number": "****"}`, faults: []string{"invalid_format account_number"},
		},
		"a field that is not sent keeps its value": {body: `{}`, shown: "****4321"},
		"null removes it": {
			body: `{"account_number": null}`, removed: []string{"account_number"},
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			content, err := DraftStep(models.StepBankDetails, []byte(c.body), stored, false, openSeal{})
			if c.faults != nil {
				require.Equal(t, c.faults, faultsOf(t, err))
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.personal, content.Personal)
			require.Equal(t, c.removed, content.Removed)
			require.Equal(t, 4, content.Revision, "of the record from which it was made")
			var bank models.Bank
			require.NoError(t, json.Unmarshal(content.Documents[models.DocumentBank], &bank))
			if c.shown == "" {
				require.Nil(t, bank.AccountNumber)
				return
			}
			require.Equal(t, c.shown, *bank.AccountNumber)
		})
	}
}

func TestOnlyTheYearOfADayOfBirthIsShown(t *testing.T) {
	t.Parallel()
	content := drafted(t, models.StepBusinessContact,
		`{"business_contact_name": "Ann", "business_contact_country_code": "DE", "business_contact_dob": "1980-02-03"}`,
		models.StepRecords{})
	var contact models.BusinessContact
	require.NoError(t, json.Unmarshal(content.Documents[models.DocumentContact], &contact))
	require.Equal(t, "1980", *contact.DOB)
	require.Equal(t, "business_contact_dob:1980-02-03", string(content.Personal["business_contact_dob"]))
}

func TestTheContactBecomesTheFirstOwner(t *testing.T) {
	t.Parallel()
	const body = `{"business_contact_name": "Ann", "business_contact_country_code": "DE",
		"business_contact_city": "Berlin"}`
	stored := json.RawMessage(`{"business_contact_dob":"1980","business_contact_dl":"****7777"}`)
	sealed := map[string][]byte{
		"business_contact_dob": []byte("business_contact_dob:1980-02-03"),
		"business_contact_dl":  []byte("business_contact_dl:D7777"),
	}
	t.Run("with personal values sealed for their new fields", func(t *testing.T) {
		t.Parallel()
		from := models.StepRecords{Details: models.OrganizationDetails{BusinessContact: stored}, Sealed: sealed}
		content, err := DraftStep(models.StepBusinessContact, []byte(body), from, true, openSeal{})
		require.NoError(t, err)
		require.Equal(t, "business_owner1_dob:1980-02-03", string(content.Personal["business_owner1_dob"]))
		require.Equal(t, "business_owner1_dl:D7777", string(content.Personal["business_owner1_dl"]))
		var owners models.BusinessOwners
		require.NoError(t, json.Unmarshal(content.Documents[models.DocumentOwners], &owners))
		require.Equal(t, []string{"Ann", "Berlin", "1980", "****7777"},
			[]string{*owners.Owners[0].Name, *owners.Owners[0].City, *owners.Owners[0].DOB, *owners.Owners[0].DL})
	})
	t.Run("unless there is an owner", func(t *testing.T) {
		t.Parallel()
		from := models.StepRecords{Sealed: sealed, Details: models.OrganizationDetails{
			BusinessContact: stored, BusinessOwners: json.RawMessage(`{"business_owner1_name":"Bob"}`),
		}}
		content, err := DraftStep(models.StepBusinessContact, []byte(body), from, true, openSeal{})
		require.NoError(t, err)
		require.NotContains(t, content.Documents, models.DocumentOwners)
	})
	t.Run("and not while the contact has faults", func(t *testing.T) {
		t.Parallel()
		_, err := DraftStep(models.StepBusinessContact, []byte(body), models.StepRecords{}, true, openSeal{})
		require.Equal(t, []string{"missing_field business_contact_dob"}, faultsOf(t, err))
	})
	t.Run("what cannot be opened is an error", func(t *testing.T) {
		t.Parallel()
		from := models.StepRecords{Details: models.OrganizationDetails{BusinessContact: stored}}
		_, err := DraftStep(models.StepBusinessContact, []byte(body), from, true, openSeal{})
		require.ErrorContains(t, err, "not sealed for business_contact_dob")
	})
}

func TestAStoredDocumentThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	broken := json.RawMessage(`[`)
	for step, from := range map[int]models.StepRecords{
		models.StepBusinessDetails:     {Details: models.OrganizationDetails{BusinessDetails: broken}},
		models.StepBusinessAddress:     {Details: models.OrganizationDetails{BusinessAddress: broken}},
		models.StepBusinessInformation: {Details: models.OrganizationDetails{BusinessInformation: broken}},
		models.StepBusinessContact:     {Details: models.OrganizationDetails{BusinessContact: broken}},
		models.StepBusinessOwners:      {Details: models.OrganizationDetails{BusinessOwners: broken}},
		models.StepBankDetails:         {Bank: &models.BankDetails{Details: broken}},
	} {
		_, err := DraftStep(step, []byte(`{}`), from, false, openSeal{})
		require.ErrorContains(t, err, "stored document", models.StepOf(step).Name)
	}
}

func TestTheAccountMustBeInTheNameOfTheCompany(t *testing.T) {
	t.Parallel()
	for holder, matches := range map[string]bool{
		"Acme Inc": true, "ACME  inc": true, " acme inc ": true, "Acme": false, "": false,
	} {
		name := "Acme Inc"
		require.Equal(
			t, matches,
			HolderMatches(models.Bank{AccountHolderName: holder}, models.BusinessAddress{BusinessName: &name}),
			holder,
		)
	}
}

// Numbers of seven digits or more, however they are written, may identify a person, an account or a card.
func TestLongNumbersAreMaskedInTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		"SSN 123-45-6789, please":        "SSN ****, please",
		"123456789":                      "****",
		"card 4111 1111 1111 1111.":      "card ****.",
		"EIN 12-3456789/1 and 7654321":   "EIN **** and ****",
		"call 555.0100":                  "call ****",
		"123456 is too short":            "123456 is too short",
		"in 2026, order 12345":           "in 2026, order 12345",
		"123  4567 is two":               "123  4567 is two",
		"DE123456789 with letters":       "DE**** with letters",
		"born 1990-01-02 of step 3 of 8": "born **** of step 3 of 8",
	} {
		require.Equal(t, want, WithoutNumbers(text))
	}
}
