package hmrc

import (
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// headerFault is what the sandbox finds wrong in headers for fraud prevention, in the form of the authority's own check of them
// (Test Fraud Prevention Headers API 1.0).
type headerFault struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Headers []string `json:"headers"`
}

// Codes of the check. Of a request without errors, with headers that are missing, the authority says that it may be invalid.
const (
	codeHeadersValid    = "VALID_HEADERS"
	codeHeadersDoubtful = "POTENTIALLY_INVALID_HEADERS"
	codeHeadersInvalid  = "INVALID_HEADERS"
	codeHeaderMissing   = "MISSING_HEADER"
	codeHeaderInvalid   = "INVALID_HEADER"
)

const (
	keyOrValue = `(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+`
	pairs      = keyOrValue + `=` + keyOrValue + `(?:&` + keyOrValue + `=` + keyOrValue + `)*`
	instant    = `[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}`
)

// forms are the forms of headers. Those without a row may have any value.
var forms = map[string]*regexp.Regexp{
	connectionMethod: exactly(byBrowser + `|` + byProgram + `|` + byTimer),
	browserAgent:     exactly(`[ -~]+`),
	deviceID:         exactly(`[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`),
	multiFactor: exactly(`type=(?:TOTP|AUTH_CODE|OTHER)&timestamp=` + strings.ReplaceAll(instant, ":", "%3A") +
		`(?:%3A[0-9]{2}(?:\.[0-9]{3})?)?Z&unique-reference=` + keyOrValue),
	publicIPAt:    exactly(instant + `:[0-9]{2}\.[0-9]{3}Z`),
	publicPort:    exactly(`[1-9][0-9]{0,4}`),
	timeZone:      exactly(`UTC[+-][0-9]{2}:[0-9]{2}`),
	userIDs:       exactly(pairs),
	vendorProduct: exactly(keyOrValue),
	vendorVersion: exactly(pairs),
}

func exactly(form string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + form + `)$`) }

// checkHeaders returns what is wrong with the headers for fraud prevention of a request: errors, by which the sandbox refuses it,
// and warnings. Headers that not each program knows may be missing, which the authority allows where data cannot be collected.
func checkHeaders(h http.Header) (errors, warnings []headerFault) {
	for _, name := range namesOf(h.Get(connectionMethod)) {
		values, sent := h[http.CanonicalHeaderKey(name)]
		fault := headerFault{Headers: []string{strings.ToLower(name)}}
		switch {
		case sent && (len(values) != 1 || !wellFormed(name, values[0])):
			fault.Code, fault.Message = codeHeaderInvalid, "The header has not the form that is asked for"
			errors = append(errors, fault)
		case sent:
		default:
			fault.Code, fault.Message = codeHeaderMissing, "The header is missing"
			// guard: hmrc: the sandbox wants the headers that each program knows
			if slices.Contains(always, name) {
				errors = append(errors, fault)
				continue
			}
			warnings = append(warnings, fault)
		}
	}
	return errors, warnings
}

// wellFormed reports whether the value of a header has its form. An address has to be one of the internet.
func wellFormed(name, value string) bool {
	if name == publicIP {
		at, err := netip.ParseAddr(value)
		return err == nil && at.IsGlobalUnicast() && !at.IsPrivate()
	}
	form, ok := forms[name]
	return !ok || form.MatchString(value)
}

// checked refuses a request whose headers for fraud prevention have errors.
func checked(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// guard: hmrc: the sandbox refuses headers for fraud prevention that are not what they should be
		if errors, warnings := checkHeaders(r.Header); len(errors) > 0 {
			write(w, http.StatusBadRequest, judgement(errors, warnings))
			return
		}
		next(w, r)
	}
}

// validateHeaders answers with what is wrong in the headers of a request, as the authority's own check does.
func (s *Server) validateHeaders(w http.ResponseWriter, r *http.Request) {
	errors, warnings := checkHeaders(r.Header)
	write(w, http.StatusOK, judgement(errors, warnings))
}

// judged is the answer of the check.
type judged struct {
	Version  string        `json:"specVersion"`
	Code     string        `json:"code"`
	Message  string        `json:"message"`
	Errors   []headerFault `json:"errors,omitempty"`
	Warnings []headerFault `json:"warnings,omitempty"`
}

func judgement(errors, warnings []headerFault) judged {
	answer := judged{Version: "3.3", Code: codeHeadersValid, Message: "All headers have the form that is asked for"}
	switch {
	case len(errors) > 0:
		answer.Code, answer.Message = codeHeadersInvalid, "Headers are missing or have another form than is asked for"
	case len(warnings) > 0:
		answer.Code, answer.Message = codeHeadersDoubtful, "Headers are missing"
	}
	answer.Errors, answer.Warnings = errors, warnings
	return answer
}
