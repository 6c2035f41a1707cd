package web

import (
	"bufio"
	"errors"
	"html/template"
	"levy/contract"
	reasons "levy/contract/problem"
	"levy/models"
	"levy/service"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"

	"github.com/oapi-codegen/nullable"
)

// exemption is a certificate that exempts the purchases of a customer from tax.
type exemption struct{ contract.ExemptionRecord }

// Holder returns the name of the exempt customer.
func (e exemption) Holder() string {
	if e.CustomerName == nil && e.TransactionID != nil {
		return "One transaction"
	}
	return valueOf(e.CustomerName)
}

func (e exemption) status() models.ExemptionStatus { return models.ExemptionStatus(e.Status) }

// Ended reports whether the exemption is archived: it cannot be changed any more.
func (e exemption) Ended() bool { return e.status() == models.ExemptionArchived }

// On reports whether the exemption applies, or applied before it expired.
func (e exemption) On() bool {
	return e.status() == models.ExemptionActive || e.status() == models.ExemptionExpired
}

type exemptionList struct {
	cursor
	listPage

	Items    []exemption
	File     template.URL
	Filters  filterForm
	Customer *customer // the customer of all exemptions of the list; nil for all customers
	Form     htmlForm
	Faults   []fault
}

type exemptionPage struct {
	exemption
	Form   htmlForm
	Faults []fault
	File   field // the field for a further document
}

// exemptionDays are the fields that change when a certificate is renewed.
var exemptionDays = []field{
	required(field{Name: "start_date", Label: "First day", Kind: "date", Auto: "off"}),
	{Name: "end_date", Label: "Last day", Kind: "date", Auto: "off", Hint: "Leave empty for no end"},
	required(choice("country_code", "Country", "off", countries)),
	hinted(state("jurisdiction", "State or province"), "Leave empty for the whole country"),
	hinted(choice("exemption_category", "Why the buyer is exempt", "off", options(models.ExemptionCategories...)),
		"Returns ask for it; a reseller's is resale"),
	text("sales_tax_id", "Sales tax ID", 50, "off"),
	text("FEIN", "Employer identification number (EIN)", 50, "off"),
}

func exemptionForm(fresh bool) htmlForm {
	if !fresh {
		return htmlForm{Groups: []fieldGroup{{Title: "Change the certificate", Fields: exemptionDays}}}
	}
	first := []field{
		required(hinted(text(customerField, "Customer", 255, "off"), "A part of the name, or your ID for the customer")),
		required(choice("exemption_type", "Kind", "off", []option{
			{string(models.ExemptionCustomer), "The customer is exempt"},
			{string(models.ExemptionWholesale), "The customer is a reseller"},
		})),
	}
	return htmlForm{Groups: []fieldGroup{{Title: "New certificate", Fields: append(first, exemptionDays...)}}}
}

func (c *Console) exemptions(v *pageRequest) error {
	return c.showExemptions(v, http.StatusOK, exemptionList{})
}

func (c *Console) showExemptions(v *pageRequest, status int, list exemptionList) error {
	list.Query = v.URL.Query()
	state := allOf("status", "status__in", "Status", options(models.ExemptionActive,
		models.ExemptionExpired, models.ExemptionInactive, models.ExemptionDeactivated, models.ExemptionArchived))
	state.Blank = "All but archived"
	list.Filters = filters("Find", list.Query, hidden("customer_id", ""),
		search("who", "search_query", "Customer or tax ID"), state,
		as("state", field{Name: "jurisdiction", Label: "State", Kind: "state", Blank: "All"}),
		allOf("category", "exemption_category__in", "Why", options(append(
			slices.Clone(models.ExemptionCategories), models.NoExemptionCategory)...)))
	list.File = v.fileOf("exemptions", list.Query, exemptionParameters...)
	query := v.sized(pick(list.Query, append([]string{"page", "after"}, exemptionParameters...)...))
	found, err := v.session.WithQuery(query).ListExemptions(v.Context(), contract.ListExemptionsRequest{})
	if err != nil {
		return err
	}
	list.listPage, list.NextCursor = v.pageOf(found.Total, found.Page, found.Pages), valueOf(found.NextCursor)
	for _, each := range found.Items {
		list.Items = append(list.Items, exemption{each})
	}
	stored := map[string]any{"country_code": "US"}
	if id := list.Query.Get("customer_id"); id != "" {
		named, err := v.session.GetCustomer(v.Context(), contract.GetCustomerRequest{CustomerID: id})
		if err != nil {
			return err
		}
		list.Customer = &customer{Customer: named}
		stored[customerField] = list.Customer.ExternalID
	}
	if list.Faults == nil {
		list.Form = exemptionForm(true).filled(stored, nil)
	}
	if v.user.may(v.org, models.RolePreparer) { // others see no form
		if list.Form, err = v.withSuggestions(list.Form, customerField); err != nil {
			return err
		}
	}
	v.render(status, titled("Exemptions", list.Faults), list)
	return nil
}

// createExemption creates an exemption and redirects to its page, where its document can be added.
func (c *Console) createExemption(v *pageRequest) error {
	form := exemptionForm(true)
	var created contract.ExemptionRecord
	sent := form.body(nil, v.PostForm)
	err := v.nameCustomer(sent)
	if err == nil {
		var session contract.CallerSession
		if session, err = v.sending(sent); err == nil {
			created, err = session.CreateExemption(v.Context(), contract.CreateExemptionRequest{})
		}
	}
	if refused, ok := correctable(err); ok {
		list := exemptionList{Form: form.filled(nil, v.PostForm)}
		list.Faults = list.Form.mark(refused)
		return c.showExemptions(v, refused.Status, list)
	}
	if err != nil {
		return err
	}
	return v.goTo(v.URL.Path + "/" + url.PathEscape(created.ID))
}

func (c *Console) exemptionOf(v *pageRequest) error {
	return c.showExemption(v, http.StatusOK, nil)
}

// showExemption shows an exemption. refused is why its form was refused; nil if it was not.
func (c *Console) showExemption(v *pageRequest, status int, refused *problem) error {
	page := exemptionPage{File: fileOf("Add a document", ".pdf,.png,.jpg,.jpeg")}
	stored, err := v.readExemption(&page.ExemptionRecord)
	if err != nil {
		return err
	}
	page.Form = exemptionForm(false).changing().filled(stored, nil)
	if refused != nil {
		page.Form = exemptionForm(false).changing().filled(stored, v.PostForm)
		page.Faults = page.Form.mark(refused)
	}
	v.render(status, titled("Exemption of "+isolated(page.Holder()), page.Faults), page)
	return nil
}

// readExemption reads the exemption of the path, and returns its fields for a form.
func (v *pageRequest) readExemption(into *contract.ExemptionRecord) (stored map[string]any, err error) {
	*into, err = v.session.GetExemption(v.Context(), contract.GetExemptionRequest{ExemptionID: v.PathValue("id")})
	if err != nil {
		return nil, err
	}
	return fieldsOf(*into)
}

// changeExemption changes, deactivates or activates an exemption.
func (c *Console) changeExemption(v *pageRequest) error {
	session, action := v.session, v.PostFormValue("action")
	request := contract.UpdateExemptionRequest{ExemptionID: v.PathValue("id")}
	var err error
	switch action {
	case "change":
		var now contract.ExemptionRecord
		stored, unread := v.readExemption(&now)
		if unread != nil {
			return unread
		}
		session, err = v.changing(exemptionForm(false), stored)
	case "deactivate":
		request.Body.Status = nullable.NewNullableWithValue(contract.ExemptionStatus(models.ExemptionDeactivated))
	case "activate":
		request.Body.Status = nullable.NewNullableWithValue(contract.ExemptionStatus(models.ExemptionActive))
	default:
		return unknownAction()
	}
	if err == nil {
		_, err = session.UpdateExemption(v.Context(), request)
	}
	if refused, ok := correctable(err); ok && action == "change" {
		return c.showExemption(v, refused.Status, refused)
	}
	return v.goBack(err)
}

// documentLimit is the largest document of an exemption in bytes, as in the contract.
const documentLimit = 10 << 20

// addDocument stores an uploaded document of an exemption.
func (c *Console) addDocument(v *pageRequest) error {
	file, err := v.uploadedDocument()
	if err == nil {
		_, err = v.session.WithFile(file).UploadExemptionAttachment(v.Context(),
			contract.UploadExemptionAttachmentRequest{ExemptionID: v.PathValue("id")})
	}
	if refused, ok := correctable(err); ok {
		return c.showExemption(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("exemptions", v.PathValue("id"))
}

// uploadedDocument returns the file of the form, whose content is not read yet. The service reads it when it has checked the
// person. Errors: *reasons.Problem.
func (v *pageRequest) uploadedDocument() (*contract.File, error) {
	v.Body = http.MaxBytesReader(v.w, v.Body, documentLimit+formLimit)
	parts, err := v.MultipartReader()
	for err == nil {
		var part *multipart.Part
		if part, err = parts.NextPart(); err == nil && part.FormName() == service.FileField {
			content := bufio.NewReader(part)
			beginning, _ := content.Peek(512) // a shorter file has less
			return &contract.File{Name: part.FileName(), Type: http.DetectContentType(beginning), Content: content}, nil
		}
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, reasons.New(reasons.CodePayloadTooLarge, "").With("limit_bytes", int64(documentLimit))
	}
	_, refused := service.RefusedForm(models.FieldMissing, service.FileField, "file is required.")
	return nil, refused
}

// document answers with a document of an exemption.
func (c *Console) document(v *pageRequest) error {
	return v.download(func(out contract.Stream) error {
		return v.session.GetExemptionAttachment(v.Context(), contract.GetExemptionAttachmentRequest{
			ExemptionID: v.PathValue("id"), AttachmentID: v.PathValue("document"),
		}, out)
	})
}
