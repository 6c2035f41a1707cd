package web

import (
	"net/http"
	"net/url"

	"levy/contract"
	"levy/models"
)

// paymentsPage are returns with what is to be paid for them, and the form of the file for a bank.
type paymentsPage struct {
	listPage

	Rows    []paymentRow
	Single  bool // the page is about one return
	Payable bool // a bank file may have some of them
	Form    []field
	File    *contract.PaymentFile // why there is no file; nil before the form was sent

	Record *htmlForm // of a page about one return: the form of a payment that was made; nil if nothing is open
	Faults []fault   // of the payment that was sent
}

// paymentRow is what is to be paid for a return.
type paymentRow struct {
	contract.FilingPayment

	Box *field // that selects it; nil if no bank file may have it
}

// Jurisdiction returns the name of the place of the return, such as "US: California".
func (r paymentRow) Jurisdiction() string {
	return placeNamed(r.CountryCode, r.StateCode, valueOf(r.StateName))
}

// madePaymentForm returns the form of a payment that was made for a filed return, of which so much is open.
func madePaymentForm(open, currency string) htmlForm {
	amount := field{Name: "amount", Label: "Amount, in " + currency + " (" + grouped(open) + " if empty)",
		Kind: "number", Auto: "off", Max: 22}
	return htmlForm{Groups: []fieldGroup{{Title: "Record a payment that was made", Fields: []field{
		required(date("paid_on", "Day on which the money left")),
		required(choice("method", "How it was paid", "off", options("CREDIT", "WIRE", "PORTAL", "CARD", "CHECK", "DEBIT", "OTHER"))),
		required(hinted(text("reference", "Reference", 100, "off"), "The number by which your bank or the authority knows it")), amount,
	}}}}
}

// bankFileForm returns the fields of the form of a bank file.
func bankFileForm() []field {
	modifiers := make([]string, 0, 'Z'-'A'+1)
	for letter := 'A'; letter <= 'Z'; letter++ {
		modifiers = append(modifiers, string(letter))
	}
	letter := hinted(choice("file_modifier", "Letter of the file", "off", options(modifiers...)), "Another one for each file of a day")
	letter.Value = modifiers[0]
	return []field{
		hinted(text("company_id", "Your number at the bank", 10, "off"), "Leave empty for 1 and the EIN"), letter,
		{Name: "offset", Label: "The bank wants the debit of the own account in the file", Kind: "check", Auto: "off"},
	}
}

// payments shows what is to be paid for the returns that are with their authority or filed, or for one return.
func (c *Console) payments(v *pageRequest) error { return c.showPayments(v, nil, nil) }

// showPayments shows the page. file says why there is no bank file, and refused why a payment was not recorded; nil if none was
// asked for.
func (c *Console) showPayments(v *pageRequest, file *contract.PaymentFile, refused *problem) error {
	page, status := paymentsPage{File: file, Form: v.inputs("file", bankFileForm()...)}, http.StatusOK
	var read []contract.FilingPayment
	if id := v.URL.Query().Get("filing_id"); id != "" {
		one, err := v.session.GetFilingPayment(v.Context(), contract.GetFilingPaymentRequest{FilingID: id})
		if err != nil {
			return err
		}
		page.Single, read = true, []contract.FilingPayment{one}
		if one.Status == contract.FilingStatus(models.FilingFiled) && amountOf(one.Open) > 0 {
			form := madePaymentForm(one.Open, one.Currency).filled(nil, nil)
			if refused != nil {
				form = madePaymentForm(one.Open, one.Currency).filled(nil, v.PostForm)
				page.Faults, status = form.mark(refused), refused.Status
			}
			page.Record = &form
		} else if refused != nil { // another person has recorded the rest meanwhile
			page.Faults, status = (&htmlForm{}).mark(refused), refused.Status
		}
	} else {
		query := pickWith(v.URL.Query(), url.Values{"size": {"25"}}, "page")
		list, err := v.session.WithQuery(query).ListFilingPayments(v.Context(), contract.ListFilingPaymentsRequest{})
		if err != nil {
			return err
		}
		page.listPage, read = v.pageOf(list.Total, list.Page, list.Pages), list.Items
	}
	for _, payment := range read {
		row := paymentRow{FilingPayment: payment}
		if payment.Payable {
			page.Payable = true
			row.Box = &field{Name: "filing_ids", Label: "Pay " + row.Jurisdiction() + ", " + day(payment.StartDate.String()), Kind: "check",
				Unseen: true, Sends: payment.FilingID, id: "pay-" + payment.FilingID, Form: "bank-file"}
		}
		page.Rows = append(page.Rows, row)
	}
	v.render(status, titled("Payments", page.Faults), page)
	return nil
}

// changePayments makes a file for a bank, or records or deletes a payment of the return that the page is about.
func (c *Console) changePayments(v *pageRequest) error {
	id := v.URL.Query().Get("filing_id")
	switch v.PostFormValue("action") {
	case "file":
		return c.paymentFile(v)
	case "record":
		session, err := v.sending(madePaymentForm("", "").body(nil, v.PostForm))
		if err == nil {
			_, err = session.RecordFilingPayment(v.Context(), contract.RecordFilingPaymentRequest{FilingID: id})
		}
		if refused, ok := correctable(err); ok {
			return c.showPayments(v, nil, refused)
		}
		return v.goBack(err)
	case "delete":
		_, err := v.session.DeleteFilingPayment(v.Context(),
			contract.DeleteFilingPaymentRequest{FilingID: id, PaymentID: v.PostFormValue("id")})
		return v.goBack(err)
	}
	return unknownAction()
}

// paymentFile answers with a file for a bank, or with the page that says why there is none.
func (c *Console) paymentFile(v *pageRequest) error {
	body := v.nonEmpty("company_id", "file_modifier")
	body["filing_ids"], body["offset"] = v.PostForm["filing_ids"], v.PostFormValue("offset") != ""
	session, err := v.sending(body)
	if err != nil {
		return err
	}
	file, err := session.MakePaymentFile(v.Context(), contract.MakePaymentFileRequest{})
	if err != nil {
		return err
	}
	if file.Content == nil {
		return c.showPayments(v, &file, nil)
	}
	return v.download(func(out contract.Stream) error {
		out.Begin(contract.Content{Type: *file.MediaType + "; charset=us-ascii", Name: *file.FileName})
		_, err := out.Write([]byte(*file.Content))
		return err
	})
}
