package hmrc

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"levy/authority"
	"levy/models"
	"levy/returns/vat"
	"levy/tax/calendar"
)

// Server is a sandbox of the VAT API. It takes a return for any period of one, three or twelve months that has ended, once, and
// refuses the others as the description says. It remembers in a ledger, so several servers are one authority. A token
// of it names its organization, and nothing more is checked: it listens on this machine alone.
type Server struct {
	ledger authority.Ledger
	now    func() time.Time
	mux    *http.ServeMux
}

// NewServer returns a sandbox that remembers in ledger.
func NewServer(ledger authority.Ledger, now func() time.Time) *Server {
	s := &Server{ledger: ledger, now: now, mux: http.NewServeMux()}
	s.mux.HandleFunc("POST /oauth/token", s.sign)
	s.mux.HandleFunc("GET /test/fraud-prevention-headers/validate", s.validateHeaders)
	s.mux.HandleFunc("GET /organisations/vat/{vrn}/obligations", checked(s.known(s.obligations)))
	s.mux.HandleFunc("POST /organisations/vat/{vrn}/returns", checked(s.known(s.submit)))
	s.mux.HandleFunc("GET /organisations/vat/{vrn}/returns/{key}", checked(s.known(s.view)))
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// scenarioHeader names the fault that is wanted of a sandbox.
const scenarioHeader = "Gov-Test-Scenario"

// Words of notes that cause a fault. The first three are also those of authority.Script. They are sent as the scenario.
const (
	scenarioReject    = "SIMULATE_REJECT"
	scenarioLost      = "SIMULATE_TIMEOUT"
	scenarioDown      = "SIMULATE_DOWN"
	scenarioDuplicate = "SIMULATE_DUPLICATE"
	scenarioTotals    = "SIMULATE_WRONG_TOTALS"
	scenarioToken     = "SIMULATE_TOKEN_EXPIRED"
	scenarioRevoked   = "SIMULATE_TOKEN_REVOKED"
	scenarioNoPeriod  = "SIMULATE_NO_OBLIGATION"
	scenarioBank      = "SIMULATE_NO_DEBIT"
)

var scenarios = []string{
	scenarioReject, scenarioLost, scenarioDown, scenarioDuplicate, scenarioTotals, scenarioToken, scenarioRevoked, scenarioNoPeriod,
	scenarioBank,
}

// scenarioOf returns the first word of notes that the sandbox knows; "" for none.
func scenarioOf(notes string) string {
	for _, word := range scenarios {
		if strings.Contains(notes, word) {
			return word
		}
	}
	return ""
}

// hours is how long a token of the sandbox is in force, as long as one of the authority.
const hours = 4

// sandboxCode is the code of a consent that the sandbox takes without asking a person.
func sandboxCode(organizationID string) string { return "consent." + organizationID }

// tokenPattern has the kind of a token of the sandbox, its organization, its number, and the second at which it ends.
var tokenPattern = regexp.MustCompile(`^(access|refresh)\.([A-Za-z0-9_-]{1,64})\.([0-9]+)\.([0-9]+)$`)

// sign answers with tokens. A refresh token is taken once.
func (s *Server) sign(w http.ResponseWriter, r *http.Request) {
	fail := func(code string) {
		write(w, http.StatusBadRequest, map[string]string{"error": code})
	}
	if r.ParseForm() != nil || r.PostForm.Get("client_id") == "" {
		fail("invalid_client")
		return
	}
	organization, serial := "", 0
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		var err error
		var ok bool
		if organization, ok = strings.CutPrefix(r.PostForm.Get("code"), sandboxCode("")); !ok {
			organization, err = s.exchanged(r)
		}
		switch {
		case err != nil:
			w.WriteHeader(http.StatusInternalServerError)
			return
		case organization == "":
			fail("invalid_grant")
			return
		}
	case "refresh_token":
		parts := tokenPattern.FindStringSubmatch(r.PostForm.Get("refresh_token"))
		if parts == nil || parts[1] != "refresh" {
			fail("invalid_grant")
			return
		}
		organization = parts[2]
		serial, _ = strconv.Atoi(parts[3])
		serial++
		used, err := s.ledger.Receive(r.Context(), models.SandboxReceipt{
			Key: ledgerKey(organization, "refresh", parts[0]), Answer: models.AuthorityAnswer{Outcome: models.AuthorityAccepted},
		})
		switch {
		case err != nil:
			w.WriteHeader(http.StatusInternalServerError)
			return
		// guard: hmrc: the sandbox takes a refresh token once, as the authority does
		case used.Contacts > 1:
			fail("invalid_grant")
			return
		}
	default:
		fail("unsupported_grant_type")
		return
	}
	end := s.now().Add(hours * time.Hour).Unix()
	token := func(kind string) string { return fmt.Sprintf("%s.%s.%d.%d", kind, organization, serial, end) }
	write(w, http.StatusOK, map[string]any{
		"access_token": token("access"), "refresh_token": token("refresh"), "expires_in": hours * int(time.Hour/time.Second),
		"token_type": "bearer", "scope": scopes,
	})
}

// ledgerKey is the key of something that the sandbox remembers of an organization. Numbers of businesses are not in it.
func ledgerKey(organization string, parts ...string) models.AuthorityKey {
	return models.AuthorityKey{
		OrganizationID: organization, Kind: models.AuthorityReturn, RecordID: "hmrc_" + hex.EncodeToString(sumOf(parts)[:12]), Attempt: 1,
	}
}

// visit is a request whose token is in force.
type visit struct {
	*http.Request
	organization, vrn, scenario string
}

// known checks token and number before a request is answered.
func (s *Server) known(next func(http.ResponseWriter, *visit)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Request: r, vrn: r.PathValue("vrn"), scenario: r.Header.Get(scenarioHeader)}
		parts := tokenPattern.FindStringSubmatch(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		end := int64(0)
		if parts != nil && parts[1] == "access" {
			v.organization = parts[2]
			end, _ = strconv.ParseInt(parts[4], 10, 64)
		}
		w.Header().Set("X-CorrelationId", identifier("correlation", v.organization, r.Method, r.URL.Path))
		number, valid := vat.VRN(v.vrn)
		switch {
		case v.scenario == scenarioDown:
			w.WriteHeader(http.StatusServiceUnavailable)
		case end <= s.now().Unix(), v.scenario == scenarioRevoked, v.scenario == scenarioToken && parts[3] == "0":
			write(w, http.StatusUnauthorized, problem{reasonCredentials, "Invalid Authentication information provided"})
		case !strings.HasPrefix(r.Header.Get("Accept"), "application/vnd.hmrc.1.0+"):
			write(w, http.StatusNotAcceptable, problem{"ACCEPT_HEADER_INVALID", "The accept header is missing or invalid"})
		case !valid || number != v.vrn:
			refuse(w, vat.CodeVRN)
		default:
			next(w, v)
		}
	}
}

// problem is the answer with an error.
type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// statuses are the statuses of codes that are not 400.
var statuses = map[string]int{
	vat.CodeNotFinal: http.StatusForbidden, vat.CodeDuplicate: http.StatusForbidden, vat.CodeNotEnded: http.StatusForbidden,
	vat.CodeUnauthorised: http.StatusForbidden, vat.CodeInsolvent: http.StatusForbidden, vat.CodeNotFound: http.StatusNotFound,
}

func refuse(w http.ResponseWriter, code string) {
	status, ok := statuses[code]
	if !ok {
		status = http.StatusBadRequest
	}
	write(w, status, problem{code, "The sandbox refuses the request"})
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", vat.MediaType)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// sumOf returns 32 bytes that follow from some texts.
func sumOf(parts []string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(parts, " ")))
	return sum[:]
}

// identifier is the same for the same parts, in the form of a UUID.
func identifier(parts ...string) string {
	h := hex.EncodeToString(sumOf(parts)[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// obligations answers with the obligation of the period that was asked for, if it may be one.
func (s *Server) obligations(w http.ResponseWriter, v *visit) {
	from, badFrom := calendar.ParseDate(v.URL.Query().Get("from"))
	to, badTo := calendar.ParseDate(v.URL.Query().Get("to"))
	switch {
	case badFrom != nil:
		refuse(w, "INVALID_DATE_FROM")
		return
	case badTo != nil:
		refuse(w, "INVALID_DATE_TO")
		return
	case to < from || to > from.AddDays(longestRange):
		refuse(w, "INVALID_DATE_RANGE")
		return
	case !isPeriod(from, to) || v.scenario == scenarioNoPeriod:
		refuse(w, vat.CodeNotFound)
		return
	}
	key := keyOf(from, to)
	o := Obligation{Start: from, End: to, Due: calendar.DateOn(to.Year(), to.Month()+2, 7), Status: "O", PeriodKey: key}
	switch _, err := s.ledger.Receipt(v.Context(), ledgerKey(v.organization, v.vrn, key)); {
	case err == nil:
		o.Status, o.Received = fulfilled, to
	case !errors.Is(err, models.ErrNotFound):
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	write(w, http.StatusOK, map[string]any{"obligations": []Obligation{o}})
}

// longestRange is how many days the authority is asked about at most.
const longestRange = 366

// isPeriod reports whether days are one, three or twelve whole months.
func isPeriod(from, to calendar.Date) bool {
	if from.Day() != 1 {
		return false
	}
	for _, months := range []int{1, 3, 12} {
		if from.AddMonths(months).AddDays(-1) == to {
			return true
		}
	}
	return false
}

// firstYear is the first year whose periods have keys. A key is "#", the length of the period, and its last month from there.
const firstYear = 2020

// keyOf returns the key of a period.
func keyOf(from, to calendar.Date) string {
	kind := "M"
	switch months := (to.Year()-from.Year())*12 + int(to.Month()-from.Month()) + 1; months {
	case 3:
		kind = "Q"
	case 12:
		kind = "Y"
	}
	n := (to.Year()-firstYear)*12 + int(to.Month()) - 1
	return "#" + kind + strings.ToUpper(strconv.FormatInt(int64(n/36%36), 36)+strconv.FormatInt(int64(n%36), 36))
}

// endOf returns the last day of the period of a key; false for no key of this sandbox.
func endOf(key string) (calendar.Date, bool) {
	if len(key) != 4 || key[0] != '#' || !strings.ContainsRune("MQY", rune(key[1])) {
		return 0, false
	}
	n, err := strconv.ParseInt(key[2:], 36, 32)
	if err != nil {
		return 0, false
	}
	return calendar.DateOn(firstYear, time.Month(n+1), 1).LastOfMonth(), true
}

// submit takes a return once.
func (s *Server) submit(w http.ResponseWriter, v *visit) {
	body, err := io.ReadAll(http.MaxBytesReader(w, v.Body, mostOfAnswer))
	if err != nil {
		refuse(w, vat.CodeRequest)
		return
	}
	got, code := vat.ReadRequest(body)
	end, known := endOf(got.PeriodKey)
	switch {
	case code == "" && !known:
		code = vat.CodePeriodKey
	// guard: hmrc: the sandbox takes no return before the end of its period
	case code == "" && end >= calendar.DateOf(s.now()):
		code = vat.CodeNotEnded
	case v.scenario == scenarioReject:
		code = vat.CodeInsolvent
	case v.scenario == scenarioTotals:
		code = vat.CodeTotal
	}
	if code != "" {
		refuse(w, code)
		return
	}
	answer := map[string]any{
		"processingDate": end.String() + "T00:00:00.000Z", "formBundleNumber": bundleOf(v.organization, v.vrn, got.PeriodKey),
	}
	if got.Boxes.ToPay() {
		answer["chargeRefNumber"] = strings.ToUpper(identifier("charge", v.vrn, got.PeriodKey)[:8])
		if v.scenario != scenarioBank {
			answer["paymentIndicator"] = directDebit
		}
	}
	kept, err := s.ledger.Receive(v.Context(), models.SandboxReceipt{
		Key: ledgerKey(v.organization, v.vrn, got.PeriodKey), Digest: identifier("return", string(body)),
		Answer: models.AuthorityAnswer{Outcome: models.AuthorityAccepted, Message: string(got.Boxes.View(got.PeriodKey))},
	})
	switch {
	case err != nil:
		w.WriteHeader(http.StatusInternalServerError)
	// guard: hmrc: the sandbox takes a period once
	case kept.Contacts > 1:
		refuse(w, vat.CodeDuplicate)
	case v.scenario == scenarioLost:
		panic(http.ErrAbortHandler) // taken, and the connection ends without an answer
	case v.scenario == scenarioDuplicate:
		refuse(w, vat.CodeDuplicate)
	default:
		w.Header().Set("Receipt-ID", identifier("receipt", v.organization, v.vrn, got.PeriodKey))
		w.Header().Set("Receipt-Timestamp", end.String()+"T00:00:00Z")
		write(w, http.StatusCreated, answer)
	}
}

// bundleOf returns twelve digits that follow from what they are of.
func bundleOf(parts ...string) string {
	digits := sumOf(parts)[:bundleDigits]
	for i := range digits {
		digits[i] = '0' + digits[i]%10
	}
	return string(digits)
}

// view answers with the return of a period.
func (s *Server) view(w http.ResponseWriter, v *visit) {
	key := v.PathValue("key")
	if !vat.IsPeriodKey(key) {
		refuse(w, vat.CodePeriodKey)
		return
	}
	kept, err := s.ledger.Receipt(v.Context(), ledgerKey(v.organization, v.vrn, key))
	switch {
	case errors.Is(err, models.ErrNotFound):
		refuse(w, vat.CodeNotFound)
	case err != nil:
		w.WriteHeader(http.StatusInternalServerError)
	default:
		write(w, http.StatusOK, json.RawMessage(kept.Answer.Message))
	}
}
