package web

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// layout is the data of a page: of the frame around it, and its own.
type layout struct {
	Title   string
	Session *user
	Org     string // organization of the page; empty if it has none
	OrgName string
	Zone    string   // time zone of the organization, or of the only one of the person; empty for UTC
	Partner bool     // the organization is a partner: it has clients
	Root    string   // the first partner that the person belongs to; empty if there is none
	Path    string   // path of the page; that of a form may differ
	Address string   // of the page with its query; of a refused form, that of its page
	Live    *live    // stream of a list that changes; nil for other pages
	After   string   // cursor of the event after which the page follows events; empty if it follows none
	Fault   *problem // why the form was refused; nil if it was not
	Created *shownOnce
	Flash   string       // message of the form before the page; empty if there is none
	Omitted []string     // parts of the page that could not be read in time
	Groups  []menuGroup  // of the navigation
	Crumbs  []menuEntry  // pages above this one; empty for the home page
	Here    string       // after them, if it is not the title
	Switch  []menuEntry  // other organizations of the person
	NavOrg  string       // organization of the navigation: that of the page, else the only one of the person
	NavName string       // its name, else its id
	Sole    bool         // the person belongs to one organization alone, and is no staff
	Step    *queueStep   // the queue that the record was opened from; nil if there is none
	Queued  template.URL // its parameters with a question mark, for forms with an address of their own
	Once    string       // idempotency key of the forms
	Mark    string       // checksum of the page
	sent    url.Values
	Page    any
}

// Did reports whether the form of an action was refused.
func (f layout) Did(action string) bool { return f.Fault != nil && f.sent.Get("action") == action }

// Search returns the field that finds records of all types.
func (f layout) Search() field {
	return field{Name: "q", Label: "Find an organization, a transaction, a return or a page", Kind: "search", Max: 200,
		Unseen: true, Placeholder: "Find", Auto: "off", Native: true, id: "find"}
}

// Named returns the field of the switcher that finds an organization by its name.
func (f layout) Named() field {
	return field{Name: "q", Label: "Another organization", Kind: "search", Max: 200, Auto: "off", Native: true,
		id: "find-organization"}
}

// PagesNamed returns the pages of the navigation whose labels contain a text, whatever its case.
func (f layout) PagesNamed(text string) (found []menuEntry) {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, group := range f.Groups {
		for _, entry := range group.Entries {
			if text != "" && strings.Contains(strings.ToLower(entry.Label), text) {
				found = append(found, entry)
			}
		}
	}
	return found
}

// SelectAll returns the box that selects all lines of the queue. It is hidden without the script that does so.
func (f layout) SelectAll() field {
	return field{Label: "All", Kind: "check", id: "select-all"}
}

// SingleKeys returns the box that switches keys without Ctrl on and off. Only the script of the keys reads it.
func (f layout) SingleKeys() field {
	return field{Label: "Single keys, in this browser", Kind: "check", Value: "true", id: "single-keys"}
}

// live is the address of the stream of a list, and the mark of the list as it is on the page.
type live struct{ Stream, Mark string }

func (v *pageRequest) show(title string, page any) error {
	v.render(http.StatusOK, title, page)
	return nil
}

// render renders a page with the template of its row in the registry.
func (v *pageRequest) render(status int, title string, page any) {
	v.renderAs(v.page.template, status, title, page)
}

// renderAs renders a page with another template. A page number after the end of a list redirects to its last page.
func (v *pageRequest) renderAs(name string, status int, title string, page any) {
	if list, ok := page.(interface{ lastPage() int }); ok && v.Method == http.MethodGet && list.lastPage() > 0 {
		last := queryWith(v.URL.Query(), "page", list.lastPage())
		http.Redirect(v.w, v.Request, v.URL.EscapedPath()+"?"+string(last), http.StatusSeeOther)
		return
	}
	if v.user == nil {
		v.console.render(v.w, status, name, layout{Title: title, Page: page})
		return
	}
	step := v.queueStep()
	f := layout{Title: title, Session: v.user, Org: v.org, Path: v.URL.Path, Live: v.live, After: v.afterEvent,
		Created: v.created, Omitted: v.omitted, Page: page, Step: step, Queued: v.queueQuery()}
	f.Address = v.URL.RequestURI()
	if v.Method != http.MethodGet {
		f.Path, _ = v.console.pageAt(v.URL.Path)
		f.Address = f.Path
	} else if cookie, err := v.Cookie(flashCookie); err == nil {
		f.Flash = flashMessages[cookie.Value]
		if own, ok := page.(interface{ said(value string) string }); ok {
			f.Flash = cmp.Or(own.said(cookie.Value), f.Flash)
		}
		v.setFlash("", -1)
	}
	if v.fault != nil {
		status, f.Fault, f.sent = v.fault.Status, v.fault, v.PostForm
		f.Title = "Not done: " + title
	}
	if f.Once = rand.Text(); status >= http.StatusBadRequest && v.PostForm.Get(onceField) != "" {
		f.Once = v.PostForm.Get(onceField) // the refused form may have been carried out: it keeps its key
	}
	for _, m := range v.user.Organizations {
		if m.Root && f.Root == "" {
			f.Root = m.OrganizationID
		}
		if m.OrganizationID == v.org {
			f.OrgName, f.Partner, f.Zone = valueOf(m.OrganizationName), m.Root, valueOf(m.TimeZone)
		}
	}
	if f.Org != "" && f.OrgName == "" && v.session != nil {
		if read, err := v.readOrganization(); err == nil {
			f.OrgName, f.Partner, f.Zone = valueOf(read.Name), read.ParentOrganizationID == nil, valueOf(read.Settings.TimeZone)
		}
	}
	v.console.navigate(&f)
	// The zone of mails follows the same rule (store/people).
	if f.Org == "" && len(v.user.Organizations) == 1 {
		f.Zone = valueOf(v.user.Organizations[0].TimeZone)
	}
	v.console.render(v.w, status, name, f)
}

// titled returns the title of a page. It begins with "To correct" if the form has errors.
func titled(title string, faults []fault) string {
	if len(faults) > 0 {
		return "To correct: " + title
	}
	return title
}

// render writes a page: the begin of the layout, the page itself, and the end of the layout, which has the mark of
// both.
func (c *Console) render(w http.ResponseWriter, status int, name string, f layout) {
	var b bytes.Buffer
	err := c.templates.ExecuteTemplate(&b, "layout begin", f)
	if err == nil {
		err = c.templates.ExecuteTemplate(&b, name, f)
	}
	if err == nil {
		f.Mark = markOf(b.Bytes(), f.Once)
		err = c.templates.ExecuteTemplate(&b, "layout end", f)
	}
	if err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(formOf(f.Session.preferences(), f.Zone).write(b.Bytes())) // the client may be gone
}

// markOf returns a checksum of a page without the key of its forms, the message of the form before and its place in the
// queue. The script of a page compares it with the mark of the page as it is now.
func markOf(page []byte, once string) string {
	if once != "" {
		page = bytes.ReplaceAll(page, []byte(once), nil)
	}
	for _, part := range [][2]string{{`<p class="done"`, "</p>"}, {`<nav class="pages queue"`, "</nav>"}} {
		if before, rest, found := bytes.Cut(page, []byte(part[0])); found {
			_, after, _ := bytes.Cut(rest, []byte(part[1]))
			page = slices.Concat(before, after)
		}
	}
	sum := sha256.Sum256(page)
	return hex.EncodeToString(sum[:8])
}
