package web

import (
	"html/template"
	"net/http"
	"net/url"

	"levy/contract"
)

// Parameters of a record's page that was opened from the queue: the filter of the list, encoded as one value, and the
// place of the record in it.
const (
	queueParameter = "queue"
	placeParameter = "place"
)

// queueStep leads from a record to the next exception of the list, and back to the list.
type queueStep struct {
	List template.URL
	Next string // address of the next record; empty if none comes after this one, or the list could not be read
	Left int64  // exceptions after this one
	Read bool
}

// inQueue returns the address of an exception's record as a step of the queue with a filter; "" if it has no page.
func (e exception) inQueue(filter url.Values) string {
	record := e.Record()
	if record == "" {
		return ""
	}
	return record + "?" + url.Values{queueParameter: {pick(filter, exceptionAddress...)}, placeParameter: {e.Cursor}}.Encode()
}

// queueQuery returns the parameters of the queue in the address, with a question mark; "" if the page is not a step of it. A
// queue without a filter has an empty one.
func (v *pageRequest) queueQuery() template.URL {
	query := v.URL.Query()
	if !query.Has(queueParameter) {
		return ""
	}
	step := url.Values{queueParameter: {query.Get(queueParameter)}}
	return template.URL("?" + pickWith(query, step, placeParameter)) //nolint:gosec // it is encoded
}

// queueStep reads where the page stands in the queue; nil if it was not opened from there. A place that the service
// refuses leaves only the way back.
func (v *pageRequest) queueStep() *queueStep {
	query := v.URL.Query()
	if !query.Has(queueParameter) || v.session == nil {
		return nil
	}
	filter, err := url.ParseQuery(query.Get(queueParameter))
	if err != nil {
		return nil
	}
	step := &queueStep{List: template.URL(pick(filter, exceptionAddress...))} //nolint:gosec // it is encoded
	list, err := v.queueAfter(filter, query.Get(placeParameter))
	if err != nil {
		_ = v.optional("the next exception", err) // others leave the way back, too
		return step
	}
	step.Read, step.Left = true, list.Total
	if len(list.Items) > 0 {
		step.Next = exception{Exception: list.Items[0]}.inQueue(filter)
	}
	return step
}

// queueAfter reads the first exception after a place, and how many come after the place.
func (v *pageRequest) queueAfter(filter url.Values, place string) (contract.ExceptionList, error) {
	query := url.Values{"size": {"1"}}
	if place != "" {
		query.Set("after", place)
	}
	return v.session.In(v.Context(), "").WithQuery(pickWith(filter, query, exceptionParameters...)).
		ListExceptions(v.Context(), contract.ListExceptionsRequest{})
}

// firstException redirects to the first record of the queue with the filter of the address, or to the empty list.
func (c *Console) firstException(v *pageRequest) error {
	filter := v.URL.Query()
	list, err := v.queueAfter(filter, "")
	if err != nil {
		return err
	}
	address := "/exceptions?" + pick(filter, exceptionParameters...)
	if len(list.Items) > 0 {
		if first := (exception{Exception: list.Items[0]}).inQueue(filter); first != "" {
			address = first
		}
	}
	http.Redirect(v.w, v.Request, address, http.StatusSeeOther)
	return nil
}
