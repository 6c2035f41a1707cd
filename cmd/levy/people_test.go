package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

const password = "correct horse battery staple"

// visitor is a browser: it keeps a cookie and sends the origin of its requests.
type visitor struct {
	t       *testing.T
	p       *apiProcess
	cookie  *http.Cookie
	site    string // Sec-Fetch-Site
	address string
	once    string // Idempotency-Key
}

func (p *apiProcess) visitor(t *testing.T) *visitor {
	return &visitor{t: t, p: p, site: "same-origin", address: elsewhere}
}

// send sends a request about an organization, or about none if it is empty.
func (v *visitor) send(method, path, organization, body string) *httptest.ResponseRecorder {
	v.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = v.address
	if body == "" {
		r.Body = http.NoBody
	}
	if body != "" && !strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if v.site != "" {
		r.Header.Set("Sec-Fetch-Site", v.site)
	}
	if organization != "" {
		r.Header.Set("x-organization-id", organization)
	}
	if v.once != "" {
		r.Header.Set("Idempotency-Key", v.once)
	}
	if v.cookie != nil {
		r.AddCookie(v.cookie)
	}
	w := httptest.NewRecorder()
	v.p.server.Handler().ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.Name == "__Host-levy_session" {
			v.cookie = c
		}
	}
	return w
}

// invite makes a person by the command of the operator, who then signs in.
func (p *apiProcess) invite(t *testing.T, c userInviteCmd) *visitor {
	t.Helper()
	c.Name = c.Email
	s, hasher, err := openForKeys(t.Context(), p.parts.cfg)
	require.NoError(t, err)
	defer s.Close()
	invited, err := c.invite(t.Context(), s, hasher)
	require.NoError(t, err)
	v := p.visitor(t)
	v.use(invited.path)
	return v
}

// use sets the password by a link.
func (v *visitor) use(path string) {
	v.t.Helper()
	body, err := json.Marshal(map[string]string{"token": strings.TrimPrefix(path, "/sign-in/"), "password": password})
	require.NoError(v.t, err)
	require.Equal(v.t, http.StatusOK, v.send("POST", "/v1/session", "", string(body)).Code)
	require.NotNil(v.t, v.cookie)
}

func signInBody(email, password string) string {
	return `{"email":"` + email + `","password":"` + password + `"}`
}

func TestSessions(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	p := newAPIProcess(t)
	partner := p.callers[slices.IndexFunc(p.callers, func(c caller) bool { return c.name == "the partner" })]
	db, err := pgx.Connect(t.Context(), p.parts.cfg.DatabaseURL.Reveal())
	require.NoError(t, err)
	defer func() { _ = db.Close(t.Context()) }()

	// A key may invite: it has the rights of an admin.
	invited := p.ask(partner, "POST", "/v1/users")
	require.Equal(t, http.StatusBadRequest, invited.Code, "the body is none")
	admin := p.invite(t, userInviteCmd{Email: "Ada@example.com", Organization: partner.organization, Role: "admin"})
	require.True(t, admin.cookie.HttpOnly && admin.cookie.Secure && admin.cookie.SameSite == http.SameSiteLaxMode)
	me := admin.send("GET", "/v1/session", "", "")
	require.Equal(t, http.StatusOK, me.Code)
	require.Contains(t, me.Body.String(), `"role":"admin","root":true`)

	answer := admin.send("POST", "/v1/users", partner.organization,
		`{"email":"vi@example.com","name":"Vi","role":"viewer"}`)
	require.Equal(t, http.StatusOK, answer.Code, answer.Body)
	var made struct {
		ID   string `json:"id"`
		Path string `json:"sign_in_path"`
	}
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &made))
	require.Contains(t, admin.send("POST", "/v1/users", partner.organization,
		`{"email":"VI@example.com","name":"Vi","role":"viewer"}`).
		Body.String(), "duplicate_email")
	require.Contains(t, admin.send("PUT", "/v1/users/"+made.ID, partner.organization,
		`{"staff_role":"auditor"}`).Body.String(),
		`"code":"not_allowed","location":"body.staff_role"`, "that is for staff to give")
	viewer := p.visitor(t)
	viewer.use(made.Path)
	again := p.visitor(t)
	require.Equal(t, http.StatusUnauthorized, again.send("POST", "/v1/session", "",
		`{"token":"`+strings.TrimPrefix(made.Path, "/sign-in/")+`","password":"`+password+`"}`).Code, "a link works once")

	// A viewer changes nothing.
	require.Equal(t, http.StatusOK, viewer.send("GET", "/v1/products", partner.organization, "").Code)
	const product = `{"external_id":"P-9","name":"Widget","product_category":"PHYSICAL",` +
		`"product_subcategory":"PHYSICAL_GENERAL"}`
	require.Equal(t, http.StatusForbidden, viewer.send("POST", "/v1/products", partner.organization, product).Code)
	require.Equal(t, http.StatusForbidden, viewer.send("GET", "/v1/users", partner.organization, "").Code)
	require.Equal(t, http.StatusOK, admin.send("POST", "/v1/products", partner.organization, product).Code)
	var name string
	require.NoError(t, db.QueryRow(t.Context(),
		"SELECT user_name FROM audit WHERE entity_type = 'product' AND user_id IS NOT NULL").Scan(&name))
	require.Equal(t, "Ada@example.com", name)

	// The same holds for the pages, whose forms are calls of the API.
	page := "/o/" + partner.organization + "/transactions/" + models.NewID(models.PrefixTransaction)
	const taken = "type=IMPORT_FAILED&object_id=batc_1&assignee=Vi&organization_id="
	for _, v := range []*visitor{viewer, admin} { // a missing record is reported before the role is checked
		require.Equal(t, http.StatusNotFound, v.send("POST", "/exceptions", "", taken+partner.organization).Code)
	}
	require.Equal(t, http.StatusNotFound, admin.send("POST", page, "", "").Code)
	require.Equal(t, http.StatusOK, viewer.send("GET", "/o/"+partner.organization+"/transactions", "", "").Code)
	stranger := p.visitor(t)
	require.Equal(t, "/sign-in?next=%2Fexceptions", stranger.send("GET", "/exceptions", "", "").Header().Get("Location"))
	p.peopleOnThePage(t, admin, viewer, "/o/"+partner.organization+"/people")
	feedsAreRead(t, admin, viewer, stranger, partner.organization)
	p.lastAdmin(t, db, admin, made.ID, partner.organization)
	p.secondStep(t, db, admin, viewer, partner.organization)
	admin.site = "cross-site"
	require.Equal(t, http.StatusForbidden, admin.send("POST", page, "", "").Code)
	admin.site = "same-origin"
	require.Contains(t, admin.send("GET", "/exceptions", "", "").Header().Get("Content-Security-Policy"),
		"frame-ancestors 'none'")

	// Another site cannot use the cookie to change something, nor can a request without an origin.
	for _, site := range []string{"cross-site", "same-site", "none", ""} {
		admin.site = site
		require.Equal(t, http.StatusForbidden, admin.send("POST", "/v1/products", partner.organization, product).Code, site)
	}
	admin.site = "same-origin"

	// Other organizations are answered like unknown ones.
	other := p.callers[slices.IndexFunc(p.callers, func(c caller) bool { return c.name == "another organization" })]
	require.Contains(t, admin.send("GET", "/v1/products", other.organization, "").Body.String(), "organization_not_found")

	// An unknown account, a wrong password and a disabled person get the same answer.
	wrong := p.visitor(t)
	answers := map[string]bool{}
	for _, body := range []string{signInBody("nobody@example.com", password),
		signInBody("vi@example.com", "wrong password")} {
		a := wrong.send("POST", "/v1/session", "", body)
		require.Equal(t, http.StatusUnauthorized, a.Code)
		var said map[string]any
		require.NoError(t, json.Unmarshal(a.Body.Bytes(), &said))
		delete(said, "request_id")
		delete(said, "instance")
		text, err := json.Marshal(said)
		require.NoError(t, err)
		answers[string(text)] = true
	}
	require.Len(t, answers, 1)

	// Too many attempts at one account are refused before the password is checked.
	for range 10 {
		wrong.send("POST", "/v1/session", "", signInBody("guess@example.com", "wrong password"))
	}
	require.Equal(t, http.StatusTooManyRequests,
		wrong.send("POST", "/v1/session", "", signInBody("guess@example.com", password)).Code)

	// A session ends when it is not used, at its end, when it is revoked, and when the person is disabled.
	for _, change := range []string{
		"seen_at = now() - interval '12 hours 1 second'", "ends_at = now() - interval '1 second'", "revoked_at = now()",
	} {
		v := p.visitor(t)
		require.Equal(t, http.StatusOK, v.send("POST", "/v1/session", "", signInBody("vi@example.com", password)).Code)
		require.Equal(t, http.StatusOK, v.send("GET", "/v1/session", "", "").Code)
		_, err = db.Exec(t.Context(), "UPDATE sessions SET "+change)
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, v.send("GET", "/v1/session", "", "").Code, change)
	}
	require.Equal(t, http.StatusOK, admin.send("POST", "/v1/session", "", signInBody("ada@example.com", password)).Code)
	require.Equal(t, http.StatusOK, viewer.send("POST", "/v1/session", "", signInBody("vi@example.com", password)).Code)
	require.Equal(t, http.StatusOK,
		admin.send("PUT", "/v1/users/"+made.ID, partner.organization, `{"status":"DISABLED"}`).Code)
	require.Equal(t, http.StatusUnauthorized, viewer.send("GET", "/v1/session", "", "").Code)
	require.Equal(t, http.StatusUnauthorized,
		viewer.send("POST", "/v1/session", "", signInBody("vi@example.com", password)).Code)
	require.Equal(t, http.StatusNoContent, admin.send("DELETE", "/v1/session", "", "").Code)
	require.Empty(t, admin.cookie.Value)
}

// self is the id of who is signed in.
func (v *visitor) self() string {
	v.t.Helper()
	var me struct{ User struct{ ID string } }
	require.NoError(v.t, json.Unmarshal(v.send("GET", "/v1/session", "", "").Body.Bytes(), &me))
	return me.User.ID
}

// lastAdmin checks that an organization keeps its last admin, also when two are removed at the same time.
func (p *apiProcess) lastAdmin(t *testing.T, db *pgx.Conn, admin *visitor, other, organization string) {
	t.Helper()
	self := "/v1/users/" + admin.self()
	for _, body := range []string{`{"role":"viewer"}`, `{"status":"DISABLED"}`} {
		answer := admin.send("PUT", self, organization, body)
		require.Equal(t, http.StatusConflict, answer.Code, body)
		require.Contains(t, answer.Body.String(), `"code":"last_admin"`)
	}
	require.Equal(t, http.StatusConflict, admin.send("DELETE", self, organization, "").Code)
	require.Equal(t, http.StatusOK, admin.send("PUT", self, organization, `{"role":"admin","new_link":true}`).Code,
		"that removes no admin")
	require.Equal(t, http.StatusOK, admin.send("PUT", "/v1/users/"+other, organization, `{"role":"admin"}`).Code)

	held, err := db.Begin(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), "LOCK TABLE memberships IN SHARE MODE") // lets them read, and not write
	require.NoError(t, err)
	refused := make(chan error, 2)
	for _, id := range []string{admin.self(), other} {
		go func() {
			_, err := p.parts.store.People.UpdateUser(t.Context(), models.Actor{Staff: "ann"}, organization, id,
				models.UserChange{Record: func(u *models.User) error {
					u.Memberships[0].Role = models.RoleViewer
					return nil
				}})
			refused <- err
		}()
	}
	require.Eventually(t, func() bool {
		var waiting int
		err := held.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
			WHERE NOT granted AND datname = current_database()`).Scan(&waiting)
		return err == nil && waiting == 2
	}, 30*time.Second, time.Millisecond, "both have begun")
	require.NoError(t, held.Rollback(t.Context()))
	errs := []error{<-refused, <-refused}
	require.Contains(t, errs, error(nil))
	require.ErrorIs(t, errors.Join(errs...), models.ErrLastAdmin)
	ada := models.Membership{OrganizationID: organization, Role: models.RoleAdmin}
	_, _, err = p.parts.store.People.Ensure(t.Context(), models.Actor{Staff: "ann"}, models.User{Email: "ada@example.com"},
		&ada, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, admin.send("PUT", "/v1/users/"+other, organization, `{"role":"viewer"}`).Code)
}

// Staff read every organization; only an operator decides, and only an admin of an organization
// manages its people.
func TestStaffReadEveryOrganizationAndOperatorsDecide(t *testing.T) { //nolint:paralleltest // as above
	p := newAPIProcess(t)
	partner := p.callers[slices.IndexFunc(p.callers, func(c caller) bool { return c.name == "the partner" })]
	operator := p.invite(t, userInviteCmd{Email: "op@example.com", Staff: string(models.StaffOperator)})
	auditor := p.invite(t, userInviteCmd{Email: "au@example.com", Staff: string(models.StaffAuditor)})
	for _, v := range []*visitor{operator, auditor} {
		require.Equal(t, http.StatusOK, v.send("GET", "/v1/filings", partner.organization, "").Code)
		require.Equal(t, http.StatusForbidden, v.send("GET", "/v1/users", partner.organization, "").Code)
	}
	require.Equal(t, http.StatusOK, operator.send("GET", "/v1/organization_details", partner.organization, "").Code)
	require.Equal(t, http.StatusForbidden, auditor.send("GET", "/v1/organization_details", partner.organization, "").Code)
	const colleague = `{"email":"new@example.com","name":"New","staff_role":"auditor"}`
	require.Equal(t, http.StatusForbidden, auditor.send("POST", "/v1/users", "", colleague).Code)
	operator.once = "of no organization"
	require.Contains(t, operator.send("POST", "/v1/users", "", colleague).Body.String(), "invalid_header",
		"nothing would store it")
	operator.once = ""
	invited := operator.send("POST", "/v1/users", "", colleague)
	require.Equal(t, http.StatusOK, invited.Code)
	var made struct{ ID string }
	require.NoError(t, json.Unmarshal(invited.Body.Bytes(), &made))
	require.Contains(t, operator.send("PUT", "/v1/users/"+made.ID, "", `{"role":"admin"}`).Body.String(),
		`"code":"not_allowed","location":"body.role"`, "no organization is named")
	require.Equal(t, http.StatusOK, operator.send("PUT", "/v1/users/"+made.ID, "",
		`{"name":"New","status":"INVITED","role":null,"staff_role":"operator"}`).Code, "as it is read, but for the role")
	require.Contains(t, operator.send("GET", "/v1/users", "", "").Body.String(), "new@example.com")
	self := operator.self()
	require.Contains(t, operator.send("PUT", "/v1/users/"+self, "", `{"staff_role":"auditor"}`).Body.String(),
		`"last_admin"`,
		"an invited person does not count yet")
	require.Contains(t, operator.send("DELETE", "/v1/users/"+self, "", "").Body.String(), `"last_admin"`)

	preferencesAreSaved(t, operator, auditor)
	viewsAreSaved(t, operator, auditor)

	// Staff get one list of exceptions over all organizations; others see their own.
	url := p.parts.cfg.DatabaseURL.Reveal()
	other := storetest.Organization(t, url)
	for _, organization := range []string{partner.organization, other.OrganizationID} {
		storetest.Execute(t, url, `INSERT INTO transaction_imports (organization_id, id, status, size, separator, columns,
			  header_size, header_lines, passes, created_at, updated_at, sha256, reason)
			VALUES ($1::text, 'batc_1', 'FAILED', 1, ',', '[]', 0, 1, 1, now(), now(), sha256($1::text::bytea),
			        'GAVE_UP')`, organization)
	}
	all := operator.send("GET", "/v1/exceptions", "", "")
	require.Equal(t, http.StatusOK, all.Code, all.Body)
	require.Contains(t, all.Body.String(), `"total":2`)
	require.Contains(t, all.Body.String(), `"actions":["resumeTransactionImport","cancelTransactionImport"]`)
	require.Contains(t, auditor.send("GET", "/v1/exceptions", "", "").Body.String(), `"actions":[]`)
	viewer := p.invite(t, userInviteCmd{Email: "vi@example.com", Organization: partner.organization, Role: "viewer"})
	require.Contains(t, viewer.send("GET", "/v1/exceptions", "", "").Body.String(), `"total":1`)
	const mine = `{"assignee":"Op","note":"asked the client"}`
	require.Equal(t, http.StatusForbidden,
		viewer.send("PUT", "/v1/exceptions/IMPORT_FAILED/batc_1", partner.organization, mine).Code)
	require.Equal(t, http.StatusOK,
		operator.send("PUT", "/v1/exceptions/IMPORT_FAILED/batc_1", partner.organization, mine).Code)
	require.Equal(t, http.StatusNotFound,
		operator.send("PUT", "/v1/exceptions/IMPORT_FAILED/batc_2", partner.organization, mine).Code)
	require.Contains(t, operator.send("GET", "/v1/exceptions?assignee=Op&type__in=IMPORT_FAILED&age_days__gte=0", "",
		"").Body.String(), `"note":"asked the client"`)
	require.Contains(t, viewer.send("GET", "/v1/exceptions?type__in=FILING_OVERDUE", "", "").Body.String(), `"total":0`)
	require.Contains(t, operator.send("GET", "/v1/search?q=part", "", "").Body.String(), `"title":"Partner"`)
	require.Contains(t, operator.send("GET", "/v1/search?q=texas", "", "").Body.String(), `"items":[]`)
}

// peopleOnThePage checks that an admin invites, changes, signs out and removes people on their page, and that others
// cannot.
func (p *apiProcess) peopleOnThePage(t *testing.T, admin, viewer *visitor, page string) {
	t.Helper()
	require.Equal(t, http.StatusForbidden, viewer.send("GET", page, "", "").Code)
	require.Equal(t, http.StatusForbidden,
		viewer.send("POST", page, "", "action=invite&email=eve%40example.com&name=Eve&role=admin").Code)
	require.Equal(t, http.StatusNotFound, viewer.send("GET", "/people", "", "").Code, "that is for staff")

	made := admin.send("POST", page, "", "action=invite&email=cy%40example.com&name=Cy&role=viewer")
	require.Equal(t, http.StatusOK, made.Code, made.Body)
	_, link, _ := strings.Cut(made.Body.String(), "/sign-in/")
	link, _, _ = strings.Cut(link, `"`)
	cy := p.visitor(t)
	cy.use("/sign-in/" + link)
	twice := admin.send("POST", page, "", "action=invite&email=cy%40example.com&name=Cy&role=viewer")
	require.Equal(t, http.StatusConflict, twice.Code)
	require.Contains(t, twice.Body.String(), `role="alert"`)
	require.Contains(t, twice.Body.String(), `value="cy@example.com"`, "what was typed stays")

	list := admin.send("GET", page, "", "").Body.String()
	_, id, _ := strings.Cut(list[strings.Index(list, "cy@example.com"):], `name="id" value="`)
	id, _, _ = strings.Cut(id, `"`)
	do := func(form string) int { return admin.send("POST", page, "", form+"&id="+id).Code }
	require.Equal(t, http.StatusSeeOther, do("action=role&role=preparer"))
	require.Contains(t, cy.send("GET", "/v1/session", "", "").Body.String(), `"role":"preparer"`)
	require.Equal(t, http.StatusSeeOther, do("action=sign_out"))
	require.Equal(t, http.StatusUnauthorized, cy.send("GET", "/v1/session", "", "").Code, "signed out everywhere")
	cy.cookie = nil
	require.Equal(t, http.StatusOK, cy.send("POST", "/v1/session", "", signInBody("cy@example.com", password)).Code,
		"and can sign in again")
	require.Equal(t, http.StatusSeeOther, do("action=DISABLED"))
	require.Equal(t, http.StatusUnauthorized, cy.send("GET", "/v1/session", "", "").Code)
	require.Equal(t, http.StatusSeeOther, do("action=remove"))
	require.NotContains(t, admin.send("GET", page, "", "").Body.String(), "cy@example.com")
	require.Equal(t, http.StatusNotFound, do("action=role&role=admin"))
	require.Equal(t, http.StatusBadRequest, do("action=other"))

	require.Equal(t, http.StatusSeeOther, do("action=second&required=true"))
	require.Contains(t, admin.send("GET", page, "", "").Body.String(), "Let one person do both")
	require.Equal(t, http.StatusSeeOther, do("action=second&required=false"))
}
