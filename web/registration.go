package web

import (
	"net/http"

	"levy/contract"
	"levy/models"
)

type registrationPage struct {
	registration
	Filings  []filing
	Comments comments
	More     int // number of returns that are not listed
	Form     htmlForm
	New      htmlForm // the form of a new return
	Data     []field  // the fields of the form of what returns ask for

	ReturnRefused bool // the form of a return was refused
	Faults        []fault

	Confirm, End []field     // the fields of the forms of these actions
	Changed      *auditEntry // the latest change; nil if there is none to show
}

func (c *Console) registrationOf(v *pageRequest) error {
	return c.showRegistration(v, http.StatusOK, nil)
}

// readRegistration reads the registration of the page.
func (v *pageRequest) readRegistration() (contract.Registration, error) {
	return v.session.GetRegistration(v.Context(), contract.GetRegistrationRequest{RegistrationID: v.PathValue("id")})
}

// showRegistration shows a registration with its returns. refused is why a form was refused; nil if it was not.
func (c *Console) showRegistration(v *pageRequest, status int, refused *problem) error {
	v.followEvents()
	read, stored, err := withFields(v.readRegistration())
	if err != nil {
		return err
	}
	returns, err := v.session.ListRegistrationFilings(v.Context(), contract.ListRegistrationFilingsRequest{
		RegistrationID: v.PathValue("id"), Params: contract.ListRegistrationFilingsParams{OrderBy: []string{"-due_date"}, Size: 12},
	})
	if err != nil {
		return err
	}
	page := registrationPage{registration: registration{read}, Filings: filingsOf(returns.Items)}
	page.More = int(returns.Total) - len(page.Filings)
	asked := v.refusedForm("return", refused)
	page.Form = registrationForm(false).changing().filled(stored, v.refusedForm("change", refused))
	page.New = newReturnForm(v.user.may(v.org, models.RoleApprover)).filled(map[string]any{"filing_category": "REGULAR"}, asked)
	asks, err := v.returnFields(&read)
	if err != nil {
		return err
	}
	page.Data = v.inputs("data", asks...)
	page.Confirm = v.inputs("confirm", page.confirmationForm()...)
	page.End = v.inputs("end", endForm()...)
	form := &page.Form
	if page.ReturnRefused = asked != nil; page.ReturnRefused {
		form = &page.New
	}
	if refused != nil {
		page.Faults = form.mark(refused)
	}
	if page.Changed, err = v.latestChange(page.ID); err != nil {
		return err
	}
	if page.Comments, err = v.comments(models.CommentOnRegistration, page.ID); err != nil {
		return err
	}
	v.render(status, titled("Registration in "+page.StateName, page.Faults), page)
	return nil
}

// changeRegistration changes, confirms, cancels or ends a registration, or creates a return.
func (c *Console) changeRegistration(v *pageRequest) error {
	var (
		err     error
		session contract.CallerSession
		stored  map[string]any
	)
	action := v.PostFormValue("action")
	switch action {
	case "change":
		if _, stored, err = withFields(v.readRegistration()); err == nil {
			err = v.updateRegistration(v.changing(registrationForm(false), stored))
		}
	case "data":
		err = v.enterData()
	case "answered":
		err = v.enterStatus(models.RegistrationProcessing)
	case "cancel":
		err = v.enterStatus(models.RegistrationCancelled)
	case "confirm":
		err = v.enterStatus(models.RegistrationRegistered, registration{}.confirmationForm()...)
	case "closed":
		err = v.enterStatus(models.RegistrationDeregistered)
	case "end":
		if session, err = v.sending(v.nonEmpty(namesOf(endForm())...)); err == nil {
			_, err = session.Deregister(v.Context(), contract.DeregisterRequest{RegistrationID: v.PathValue("id")})
		}
	case "return":
		return c.createReturn(v)
	default:
		return unknownAction()
	}
	if refused, ok := correctable(err); ok && action == "change" {
		return c.showRegistration(v, refused.Status, refused)
	}
	return v.goBack(err)
}

// updateRegistration changes the registration of the page by the body of a session.
func (v *pageRequest) updateRegistration(session contract.CallerSession, err error) error {
	if err == nil {
		request := contract.UpdateRegistrationRequest{RegistrationID: v.PathValue("id")}
		_, err = session.UpdateRegistration(v.Context(), request)
	}
	return err
}

// enterStatus changes the status of the registration, with what was typed into the fields of its form.
func (v *pageRequest) enterStatus(status models.RegistrationStatus, form ...field) error {
	body := v.nonEmpty(namesOf(form)...)
	body["status"] = status
	return v.updateRegistration(v.sending(body))
}

// createReturn creates a return of a registration and redirects to it.
func (c *Console) createReturn(v *pageRequest) error {
	of, err := v.readRegistration()
	if err != nil {
		return err
	}
	body := v.nonEmpty("start_date", "end_date", "filing_category", "date_filed")
	body["registration_id"], body["country_code"], body["state_code"] = v.PathValue("id"), of.CountryCode, of.StateCode
	body["state_name"], body["status"] = of.StateName, models.FilingUnfiled
	if v.PostFormValue(filedElsewhere) != "" {
		body["status"] = models.FilingFiled
	} else if body["date_filed"] != nil {
		return c.showRegistration(v, http.StatusBadRequest, &problem{Status: http.StatusBadRequest, Errors: []problemField{
			{Location: "body.date_filed", Message: "Only a return that was filed already has such a day."},
		}})
	}
	session, err := v.sending(body)
	if err != nil {
		return err
	}
	created, err := session.CreateFiling(v.Context(), contract.CreateFilingRequest{})
	if refused, ok := correctable(err); ok {
		return c.showRegistration(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("filings", created.ID)
}
