package web

import (
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"levy/contract"
	"levy/models"
)

// notice is a letter of an authority.
type notice struct{ contract.Notice }

// Matter returns what the authority writes about.
func (n notice) Matter() string { return models.NoticeKind(n.Kind).Label() }

// Place returns the name of the place of the authority.
func (n notice) Place() string { return placeName(n.CountryCode, n.StateCode) }

// Waits reports whether the notice needs an answer.
func (n notice) Waits() bool { return models.NoticeStatus(n.Status).Waits() }

// May reports whether the status can become another one.
func (n notice) May(status string) bool {
	return models.NoticeTransitions.CanTransition(string(n.Status), status)
}

type noticeList struct {
	cursor
	listPage

	Items   []notice
	File    template.URL
	Filters filterForm
	Of      string // the return or registration that all notices of the list are about: the path of its page; "" for all
	Form    htmlForm
	Faults  []fault
}

type noticePage struct {
	notice

	Form     htmlForm
	Faults   []fault
	Answer   []field     // of the forms that end it
	Changed  *auditEntry // its latest change; nil if there is none to show
	File     field       // for a further letter
	Comments comments
}

// noticeFields are the fields of a letter. people may take care of it, and present is the person in charge.
func noticeFields(title, present string, people []contract.Colleague) htmlForm {
	kinds := make([]option, len(models.NoticeKinds))
	for i, kind := range models.NoticeKinds {
		kinds[i] = option{string(kind), sentence(kind.Label())}
	}
	amount := field{Name: "amount", Label: "Amount", Kind: "number", Auto: "off", Max: 22}
	return htmlForm{Groups: []fieldGroup{{Title: title, Fields: []field{
		required(choice("kind", "About", "off", kinds)),
		required(text("authority", "Authority, as the letter has it", 200, "off")),
		text("reference", "Number of the letter", 100, "off"),
		hinted(amount, "What it wants, or pays"), hinted(text("currency", "Currency", 3, "off"), "Such as USD"),
		required(date("received_date", "Received on")), hinted(date("due_date", "Answer by"), "Leave empty if it sets no day"),
		assigneeField("assignee", "Assigned to", present, people),
		{Name: "description", Label: "What it says", Kind: "lines", Auto: "off", Max: 2000},
	}}}}
}

func (c *Console) notices(v *pageRequest) error { return c.showNotices(v, http.StatusOK, nil) }

// showNotices shows the letters of the organization. Those of a return or registration come with the form of a new one.
// refused is why that form was refused; nil if it was not.
func (c *Console) showNotices(v *pageRequest, status int, refused *problem) error {
	query := v.URL.Query()
	asked := maps.Clone(placed(query, "country_code"))
	found, err := v.session.WithQuery(v.sized(pick(asked, append([]string{"page", "after"}, noticeParameters...)...))).
		ListNotices(v.Context(), contract.ListNoticesRequest{})
	if err != nil {
		return err
	}
	list := noticeList{listPage: v.pageOf(found.Total, found.Page, found.Pages), File: v.fileOf("notices", asked, noticeParameters...)}
	list.NextCursor = valueOf(found.NextCursor)
	for _, each := range found.Items {
		list.Items = append(list.Items, notice{each})
	}
	kinds := noticeFields("", "", nil).Groups[0].Fields[0].Options
	list.Filters = filters("Filter", query, hidden("filing_id", ""), hidden("registration_id", ""),
		search("find", "search_query", "Authority or number"),
		allOf("status", "status__in", "Status", append([]option{{"OPEN,IN_PROGRESS", "To answer"}},
			options(models.NoticeOpen, models.NoticeInProgress, models.NoticeAnswered, models.NoticeClosed)...)),
		allOf("about", "kind__in", "About", kinds),
		placeFilter, as("by", date("due_date__lte", "Due by")))
	for parameter, folder := range map[string]string{"filing_id": "filings", "registration_id": "registrations"} {
		if id := query.Get(parameter); id != "" {
			list.Of = folder + "/" + id
		}
	}
	if list.Of != "" && v.user.may(v.org, models.RolePreparer) {
		people, err := v.colleagues(v.org)
		if err = v.optional("who can take care of it", err); err != nil {
			return err
		}
		stored := map[string]any{}
		if stored["currency"], err = v.currencyOf(query); v.optional("the currency", err) != nil {
			return err
		}
		list.Form = noticeFields("Record a letter", "", people[v.org]).filled(stored, v.PostForm)
		if refused != nil {
			list.Faults = list.Form.mark(refused)
		}
	}
	v.render(status, titled("Notices", list.Faults), list)
	return nil
}

// currencyOf returns the currency of the return of a letter, or of the latest return of its registration; "" if there is
// none.
func (v *pageRequest) currencyOf(query url.Values) (string, error) {
	if id := query.Get("filing_id"); id != "" {
		of, err := v.session.GetFiling(v.Context(), contract.GetFilingRequest{FilingID: id})
		return of.Currency, err
	}
	latest := contract.ListRegistrationFilingsRequest{RegistrationID: query.Get("registration_id"),
		Params: contract.ListRegistrationFilingsParams{OrderBy: []string{"-due_date"}, Size: 1}}
	list, err := v.session.ListRegistrationFilings(v.Context(), latest)
	if err != nil || len(list.Items) == 0 {
		return "", err
	}
	return list.Items[0].Currency, nil
}

// createNotice records a letter about the return or registration of the address, and redirects to its page, where the letter
// itself can be added.
func (c *Console) createNotice(v *pageRequest) error {
	body := noticeFields("", "", nil).body(nil, v.PostForm)
	for _, of := range []string{"filing_id", "registration_id"} {
		if id := v.URL.Query().Get(of); id != "" {
			body[of] = id
		}
	}
	var created contract.Notice
	session, err := v.sending(body)
	if err == nil {
		created, err = session.CreateNotice(v.Context(), contract.CreateNoticeRequest{})
	}
	if refused, ok := correctable(err); ok {
		return c.showNotices(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("notices", created.ID)
}

func (c *Console) noticeOf(v *pageRequest) error { return c.showNotice(v, http.StatusOK, nil) }

func (v *pageRequest) readNotice() (contract.Notice, error) {
	return v.session.GetNotice(v.Context(), contract.GetNoticeRequest{NoticeID: v.PathValue("id")})
}

// showNotice shows a notice. refused is why the form of its fields was refused; nil if it was not.
func (c *Console) showNotice(v *pageRequest, status int, refused *problem) error {
	v.followEvents()
	read, stored, err := withFields(v.readNotice())
	if err != nil {
		return err
	}
	page := noticePage{notice: notice{read}, File: fileOf("Add a letter", ".pdf,.png,.jpg,.jpeg")}
	if v.user.may(v.org, models.RolePreparer) {
		people, err := v.colleagues(v.org)
		if err = v.optional("who can take care of it", err); err != nil {
			return err
		}
		page.Form = noticeFields("Change the notice", valueOf(page.Assignee), people[v.org]).changing().
			filled(stored, v.refusedForm("change", refused))
		page.Answer = v.inputs("end", field{Name: "answer", Label: "Answer, or why none is needed", Kind: "lines", Required: true, Max: 5000,
			Value: valueOf(page.notice.Answer)})
	}
	if refused != nil {
		page.Faults = page.Form.mark(refused)
	}
	if page.Changed, err = v.latestChange(page.ID); err != nil {
		return err
	}
	if page.Comments, err = v.comments(models.CommentOnNotice, page.ID); err != nil {
		return err
	}
	v.render(status, titled("Notice of "+isolated(page.Authority), page.Faults), page)
	return nil
}

// changeNotice changes the fields of a notice or its status.
func (c *Console) changeNotice(v *pageRequest) error {
	var session contract.CallerSession
	var err error
	action := v.PostFormValue("action")
	switch action {
	case "change":
		var stored map[string]any
		if _, stored, err = withFields(v.readNotice()); err == nil {
			session, err = v.changing(noticeFields("", "", nil), stored)
		}
	case "start":
		session, err = v.sending(map[string]any{"status": models.NoticeInProgress, "revision": v.revisionRead()})
	case "end":
		body := v.nonEmpty("answer")
		body["status"], body["revision"] = v.PostFormValue("status"), v.revisionRead()
		session, err = v.sending(body)
	default:
		return unknownAction()
	}
	if err == nil {
		_, err = session.UpdateNotice(v.Context(), contract.UpdateNoticeRequest{NoticeID: v.PathValue("id")})
	}
	if refused, ok := correctable(err); ok && action == "change" {
		return c.showNotice(v, refused.Status, refused)
	}
	return v.goBack(err)
}

// revisionRead returns the revision of the notice that the page of the form has shown. Without one, the service refuses it.
func (v *pageRequest) revisionRead() int {
	n, err := strconv.Atoi(v.PostFormValue("revision"))
	if err != nil {
		return -1
	}
	return n
}

// addLetter stores an uploaded letter with a notice.
func (c *Console) addLetter(v *pageRequest) error {
	file, err := v.uploadedDocument()
	if err == nil {
		_, err = v.session.WithFile(file).UploadNoticeDocument(v.Context(),
			contract.UploadNoticeDocumentRequest{NoticeID: v.PathValue("id")})
	}
	if refused, ok := correctable(err); ok {
		return c.showNotice(v, refused.Status, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("notices", v.PathValue("id"))
}

// letter answers with a letter of a notice.
func (c *Console) letter(v *pageRequest) error {
	return v.download(func(out contract.Stream) error {
		return v.session.GetNoticeDocument(v.Context(), contract.GetNoticeDocumentRequest{
			NoticeID: v.PathValue("id"), DocumentID: v.PathValue("document"),
		}, out)
	})
}
