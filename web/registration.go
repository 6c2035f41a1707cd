package web

import (
	"net/http"

	"levy/models"
)

type registrationPage struct {
	registration
	Filings []filing
	More    int // number of returns that are not listed
	Form    htmlForm
	New     htmlForm // the form of a new return

	ReturnRefused bool // the form of a return was refused
	Faults        []fault

	Confirm, End []field // the fields of the forms of these actions
}

func (c *Console) registrationOf(v *pageRequest) error {
	return c.showRegistration(v, http.StatusOK, nil)
}

// showRegistration shows a registration with its returns. refused is why a form was refused; nil if it was not.
func (c *Console) showRegistration(v *pageRequest, status int, refused *problem) error {
	path := registrationsPath + "/" + v.id()
	page := registrationPage{}
	v.followEvents()
	if err := v.get(path, v.org, &page.registration); err != nil {
		return err
	}
	list := struct {
		Items *[]filing
		Total int
	}{Items: &page.Filings}
	returns := "/v1/filings/registration/" + v.id()
	if err := v.get(returns+"?order_by=-due_date&size=12", v.org, &list); err != nil {
		return err
	}
	page.More = list.Total - len(page.Filings)
	asked := v.refusedForm("return", refused)
	page.Form = registrationForm(false).changing().filled(page.stored(), v.refusedForm("change", refused))
	page.New = newReturnForm(v.user.may(v.org, models.RoleApprover)).filled(map[string]any{"filing_category": "REGULAR"}, asked)
	page.Confirm = v.inputs("confirm", page.confirmationForm()...)
	page.End = v.inputs("end", endForm()...)
	form := &page.Form
	if page.ReturnRefused = asked != nil; page.ReturnRefused {
		form = &page.New
	}
	if refused != nil {
		page.Faults = form.mark(refused)
	}
	v.render(status, titled("Registration in "+page.Name, page.Faults), page)
	return nil
}

// changeRegistration changes, confirms, cancels or ends a registration, or creates a return.
func (c *Console) changeRegistration(v *pageRequest) error {
	path := registrationsPath + "/" + v.id()
	var err error
	action := v.PostFormValue("action")
	switch action {
	case "change":
		var now registration
		if err = v.get(path, v.org, &now); err != nil {
			return err
		}
		err = v.save(path, registrationForm(false), now.stored())
	case "answered":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "PROCESSING"}, nil)
	case "cancel":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "CANCELLED"}, nil)
	case "confirm":
		sent := v.nonEmpty(namesOf(registration{}.confirmationForm())...)
		sent["status"] = "REGISTERED"
		err = v.call(http.MethodPut, path, v.org, sent, nil)
	case "closed":
		err = v.call(http.MethodPut, path, v.org, map[string]any{"status": "DEREGISTERED"}, nil)
	case "end":
		err = v.call(http.MethodPost, path+"/deregister", v.org, v.nonEmpty(namesOf(endForm())...), nil)
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

// createReturn creates a return of a registration and redirects to it.
func (c *Console) createReturn(v *pageRequest) error {
	var of registration
	if err := v.get(registrationsPath+"/"+v.id(), v.org, &of); err != nil {
		return err
	}
	sent := v.nonEmpty("start_date", "end_date", "filing_category", "date_filed")
	sent["registration_id"], sent["country_code"], sent["state_code"] = v.PathValue("id"), of.Country, of.State
	sent["state_name"], sent["status"] = of.Name, "UNFILED"
	if v.PostFormValue(filedElsewhere) != "" {
		sent["status"] = "FILED"
	} else if sent["date_filed"] != nil {
		return c.showRegistration(v, http.StatusBadRequest, &problem{Status: http.StatusBadRequest, Errors: []problemField{
			{Location: "body.date_filed", Message: "Only a return that was filed already has such a day."},
		}})
	}
	var created filing
	err := v.call(http.MethodPost, "/v1/filings", v.org, sent, &created)
	if refused, ok := correctable(err); ok {
		return c.showRegistration(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("filings", created.ID)
}
