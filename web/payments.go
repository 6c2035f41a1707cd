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
}

// paymentRow is a return with its payment.
type paymentRow struct {
	filing
	Payment contract.FilingPayment
	Box     *field // that selects it; nil if no bank file may have it
}

// paidReturns are the parameters of the list of returns with payments. Each payment takes a call of its own.
func paidReturns() url.Values {
	return url.Values{"status__in": {string(models.FilingFiling) + "," + string(models.FilingFiled)}, "order_by": {"-due_date"},
		"size": {"25"}}
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
func (c *Console) payments(v *pageRequest) error { return c.showPayments(v, nil) }

// showPayments shows the page. file says why there is no bank file; nil before one was asked for.
func (c *Console) showPayments(v *pageRequest, file *contract.PaymentFile) error {
	page := paymentsPage{File: file, Form: v.inputs("file", bankFileForm()...)}
	var read []contract.Filing
	if id := v.URL.Query().Get("filing_id"); id != "" {
		one, err := v.session.GetFiling(v.Context(), contract.GetFilingRequest{FilingID: id})
		if err != nil {
			return err
		}
		page.Single, read = true, []contract.Filing{one}
	} else {
		query := pickWith(v.URL.Query(), paidReturns(), "page")
		list, err := v.session.WithQuery(query).ListFilings(v.Context(), contract.ListFilingsRequest{})
		if err != nil {
			return err
		}
		page.listPage, read = v.pageOf(list.Total, list.Page, list.Pages), list.Items
	}
	for _, f := range filingsOf(read) {
		row := paymentRow{filing: f}
		var err error
		if row.Payment, err = v.session.GetFilingPayment(v.Context(), contract.GetFilingPaymentRequest{FilingID: f.ID}); err != nil {
			return err
		}
		if row.Payment.Payable {
			page.Payable = true
			row.Box = &field{Name: "filing_ids", Label: "Pay " + f.Jurisdiction() + ", " + day(f.StartDate.String()), Kind: "check",
				Unseen: true, Sends: f.ID, id: "pay-" + f.ID, Form: "bank-file"}
		}
		page.Rows = append(page.Rows, row)
	}
	v.render(http.StatusOK, "Payments", page)
	return nil
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
		return c.showPayments(v, &file)
	}
	return v.download(func(out contract.Stream) error {
		out.Begin(contract.Content{Type: *file.MediaType + "; charset=us-ascii", Name: *file.FileName})
		_, err := out.Write([]byte(*file.Content))
		return err
	})
}
