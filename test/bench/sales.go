package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// sales makes requests that post sales: two lines, two addresses, a customer of
// its own. Sales come in several kinds, by where they go and what is sold, so that
// not all of them meet on the same rows. The requests are made beforehand; only
// the number of the sale is written into one before it is sent.
type sales struct {
	host      string
	path      string
	status    int // of an answer to a request that did what it should
	templates []template
	next      atomic.Int64 // number of the next sale, unique in the run
	taken     atomic.Int64 // answered with status
}

// template is a whole HTTP request and where the number goes.
type template struct {
	request []byte
	places  []int
}

const (
	numberDigits = 12
	numberMark   = "############"
)

// destinations are spread over states, as those of a real merchant.
var destinations = []struct{ street, city, state, zip string }{
	{"350 5th Ave", "New York", "NY", "10118"},
	{"1 Dr Carlton B Goodlett Pl", "San Francisco", "CA", "94102"},
	{"301 W 2nd St", "Austin", "TX", "78701"},
	{"600 4th Ave", "Seattle", "WA", "98104"},
	{"121 N LaSalle St", "Chicago", "IL", "60602"},
	{"400 S Orange Ave", "Orlando", "FL", "32801"},
}

// kinds is how many kinds of sales there are. Each has two products of its own.
const kinds = 12

func product(kind, line int) string { return fmt.Sprintf("PRODUCT-%02d-%d", kind, line) }

func newSales(baseURL, apiKey, organizationID string) *sales {
	host := baseURL
	if u, err := url.Parse(baseURL); err == nil {
		host = u.Host
	}
	date := time.Now().UTC().Add(-time.Hour).Format(time.RFC3339)
	s := &sales{host: host, path: "/v1/transactions", status: http.StatusAccepted}
	for kind := range kinds {
		to := destinations[kind%len(destinations)]
		body := fmt.Sprintf(`{"external_id":"ORDER-%[1]s","date":"%[2]s","type":"SALE","currency":"USD",`+
			`"total_amount":"287.47","description":"Web shop order","total_tax_amount_imported":"17.50",`+
			`"customer":{"external_id":"CUSTOMER-%[1]s","name":"Ada Example","email":"ada@example.com"},`+
			`"addresses":[`+
			`{"type":"SHIP_TO","street_1":"%[3]s","city":"%[4]s","state":"%[5]s","postal_code":"%[6]s","country":"US"},`+
			`{"type":"BILL_TO","street_1":"%[3]s","city":"%[4]s","state":"%[5]s","postal_code":"%[6]s","country":"US"}],`+
			`"transaction_items":[`+
			`{"date":"%[2]s","external_product_id":"%[7]s","external_id":"LINE-1","quantity":1,`+
			`"amount":"249.99","tax_amount_imported":"17.50"},`+
			`{"date":"%[2]s","external_product_id":"%[8]s","external_id":"LINE-2","quantity":1,"amount":"19.98"}]}`,
			numberMark, date, to.street, to.city, to.state, to.zip, product(kind, 1), product(kind, 2))
		s.templates = append(s.templates, s.template(apiKey, organizationID, body))
	}
	return s
}

// template makes the whole request with a body.
func (s *sales) template(apiKey, organizationID, body string) template {
	return newTemplate(fmt.Sprintf(
		"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nX-API-KEY: %s\r\nx-organization-id: "+
			"%s\r\nContent-Length: %d\r\n\r\n%s",
		s.path, s.host, apiKey, organizationID, len(body), body))
}

func newTemplate(request string) template {
	t := template{request: []byte(request)}
	for at := 0; ; {
		i := strings.Index(request[at:], numberMark)
		if i < 0 {
			return t
		}
		t.places = append(t.places, at+i)
		at += i + numberDigits
	}
}

// clone returns templates that one connection may write into.
func (s *sales) clone() []template {
	own := make([]template, len(s.templates))
	for i, t := range s.templates {
		own[i] = template{bytes.Clone(t.request), t.places}
	}
	return own
}

// fill writes the number of the sale and returns the request.
func (t template) fill(number int64) []byte {
	var digits [numberDigits]byte
	for i := numberDigits - 1; i >= 0; i-- {
		digits[i] = byte('0' + number%10)
		number /= 10
	}
	for _, place := range t.places {
		copy(t.request[place:], digits[:])
	}
	return t.request
}

func (s *sales) accepted() int { return int(s.taken.Load()) }
