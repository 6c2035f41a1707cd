package web

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
)

// layout is what every page is rendered from.
type layout struct {
	Title   string
	Session *session
	Org     string // of the page; empty for none
	OrgName string
	Partner bool     // the organization is a partner, which has clients
	Root    string   // the first partner organization of the person; empty for none
	Path    string   // of the page, which may answer a form that was sent to a path of its own
	Live    *live    // of a list that changes; nil for other pages
	After   string   // from which on the page follows events; empty for none
	Fault   *problem // why the form that was sent was refused; nil for none
	Created *shownOnce
	Flash   string   // what to say of the form before the page; empty for none
	Omitted []string // parts of the page that could not be read in time
	Menu    []menuEntry
	OrgMenu []menuEntry // of the organization of the page
	Once    string      // the key of its forms
	Mark    string      // a checksum of the page
	sent    url.Values
	Page    any
}

// Did reports whether the form that was refused is that of an action.
func (f layout) Did(action string) bool { return f.Fault != nil && f.sent.Get("action") == action }

// Search is the field that finds records of all kinds.
func (f layout) Search() field {
	return field{Name: "q", Label: "Find an organization, a transaction or a return", Kind: "search", Max: 200, Unseen: true,
		Placeholder: "Find", Auto: "off", Native: true}
}

// live is the stream that says when what a page shows is another, and the mark of what it shows.
type live struct{ Stream, Mark string }

func (v *pageRequest) show(title string, page any) error {
	v.render(http.StatusOK, title, page)
	return nil
}

// render shows a page by its template.
func (v *pageRequest) render(status int, title string, page any) {
	v.renderAs(v.page.template, status, title, page)
}

// renderAs shows a page by another template; instead of one nextCursor the last page of a list the last one.
func (v *pageRequest) renderAs(name string, status int, title string, page any) {
	if list, ok := page.(interface{ lastPage() int }); ok && v.Method == http.MethodGet && list.lastPage() > 0 {
		last := queryWith(v.URL.Query(), "page", list.lastPage())
		http.Redirect(v.w, v.Request, v.URL.EscapedPath()+"?"+string(last), http.StatusSeeOther)
		return
	}
	if v.session == nil {
		v.console.render(v.w, status, name, layout{Title: title, Page: page})
		return
	}
	f := layout{Title: title, Session: v.session, Org: v.org, Path: v.URL.Path, Live: v.live, After: v.afterEvent,
		Created: v.created, Omitted: v.omitted, Page: page}
	if v.Method != http.MethodGet {
		f.Path, _ = v.console.pageAt(v.URL.Path)
	} else if cookie, err := v.Cookie(flashCookie); err == nil {
		f.Flash = flashMessages[cookie.Value]
		v.setFlash("", -1)
	}
	if v.fault != nil {
		status, f.Fault, f.sent = v.fault.Status, v.fault, v.PostForm
		f.Title = "Not done: " + title
	}
	if f.Once = rand.Text(); status >= http.StatusBadRequest && v.PostForm.Get(onceField) != "" {
		f.Once = v.PostForm.Get(onceField) // whether it was carried out may be unknown
	}
	for _, m := range v.session.Organizations {
		if m.Root && f.Root == "" {
			f.Root = m.ID
		}
		if m.ID == v.org {
			f.OrgName, f.Partner = m.Name, m.Root
		}
	}
	if f.Org != "" && f.OrgName == "" {
		var o organization
		if v.get(organizationPath(v.org), v.org, &o) == nil {
			f.OrgName, f.Partner = o.Name, o.Parent == ""
		}
	}
	f.Menu, f.OrgMenu = v.console.menu(&f, false), v.console.menu(&f, true)
	v.console.render(v.w, status, name, f)
}

// titled is the title of a page, which says first that something is to be corrected.
func titled(title string, faults []fault) string {
	if len(faults) > 0 {
		return "To correct: " + title
	}
	return title
}

// render writes a page: the begin of the layout, the page itself, and the end, whose script gets the mark of what is above.
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
	_, _ = w.Write(b.Bytes()) // whoever asked is gone
}

// markOf returns a checksum of a page without the key of its forms. The script of a page that does not know the newest
// event compares it with the mark of the page as it would be now.
func markOf(page []byte, once string) string {
	if once != "" {
		page = bytes.ReplaceAll(page, []byte(once), nil)
	}
	sum := sha256.Sum256(page)
	return hex.EncodeToString(sum[:8])
}
