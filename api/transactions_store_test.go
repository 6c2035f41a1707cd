package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// sale returns a sale of one line of product P-1.
func sale(externalID, more string) string {
	return fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","customer":{"external_id":"C-1",
		"name":"Ada"},
		"addresses":[{"type":"SHIP_TO","state":"NY","postal_code":"10118","country":"US"},{"type":"BILL_TO","city":"Troy"}],
		"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":"100.00"}]%s}`, externalID,
		more)
}

// record posts a sale and returns the object of the answer.
func record(t *testing.T, in *installation, as credentials, body string) answer {
	t.Helper()
	a := in.do(as, "POST", "/v1/transactions", body).expect(202)
	only := strings.TrimSuffix(strings.TrimPrefix(a.Body.String(), "["), "]")
	a.Body.Reset()
	a.Body.WriteString(only)
	return a
}

func TestTransactionsOverHTTP(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	first := record(t, in, in.root, sale("ORDER/1", ""))
	second := record(t, in, in.root, strings.Replace(sale(
		"ORDER-2", `,"related_to":"`+first.text("id")+`","customer_id":"`+first.text("customer_id")+`"`,
	),
		"2026-05-15", "2026-05-16", 1))
	archived := record(t, in, in.root, strings.Replace(sale("ORDER-3", ""), "SALE", "ARCHIVE", 1))

	t.Run("the answer equals the record that is read later", func(t *testing.T) {
		require.JSONEq(
			t, first.Body.String(),
			in.do(in.root, "GET", "/v1/transactions/"+first.text("id"), "").expect(200).Body.String(),
		)
		require.JSONEq(
			t, first.Body.String(),
			in.do(in.root, "GET", "/v1/transactions/external/ORDER%2F1", "").expect(200).Body.String(),
		)
		require.JSONEq(
			t, archived.Body.String(),
			in.do(in.root, "GET", "/v1/transactions/"+archived.text("id"), "").expect(200).Body.String(),
		)
	})
	t.Run("an external id is taken once", func(t *testing.T) {
		require.Equal(
			t, first.text("id"),
			in.do(in.root, "POST", "/v1/transactions", sale("ORDER/1", "")).
				expect(409, "duplicate_external_id").text("existing_id"),
		)
	})
	t.Run("products and other references must exist", func(t *testing.T) {
		unknown := strings.Replace(sale("ORDER-4", `,"filing_id":"file_x"`), "P-1", "P-9", 1)
		require.Contains(
			t,
			in.do(in.root, "POST", "/v1/transactions", unknown).expect(404, "product_not_found").Body.String(),
			"body.transaction_items[0].external_product_id",
		)
		require.Contains(
			t,
			in.do(in.root, "POST", "/v1/transactions", sale("ORDER-4", `,"filing_id":"file_x"`)).
				expect(404, "reference_not_found").Body.String(),
			"body.filing_id",
		)
	})
	t.Run("lists", func(t *testing.T) {
		all := in.do(in.root, "GET", "/v1/transactions?order_by=-date", "").expect(200)
		require.Equal(t, []any{"ORDER-2", "ORDER-3", "ORDER/1"}, all.list("external_id"))
		found := in.do(in.root, "GET", "/v1/transactions?search_query=aDA&related_to="+first.text("id"), "").expect(200)
		require.Equal(t, []any{second.text("id")}, found.list("id"))
		none := in.do(in.root, "GET", "/v1/transactions?state=new+york&country=CA", "").expect(200)
		require.Equal(t, []any{}, none.member("items"))
		require.InDelta(t, 0, none.member("pages"), 0)
	})
	t.Run("history", func(t *testing.T) {
		history := in.do(in.root, "GET", "/v1/transactions/"+second.text("id")+"/history", "").expect(200)
		require.Equal(t, []any{"ACCEPTED"}, history.list("stage"))
		require.Equal(t, []any{second.Header().Get("X-Request-Id")}, history.list("request_id"))
	})
}

// TestTransactionsOfAnotherOrganization checks that records of others are answered like those that do not exist.
func TestTransactionsOfAnotherOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	theirs := record(t, in, in.root, sale("ORDER-1", ""))
	me := in.client("Client")
	in.product(me, "P-1")
	mine := record(t, in, me, sale("ORDER-1", ""))
	require.NotEqual(
		t, theirs.text("customer_id"), mine.text("customer_id"), "the same external id is another customer",
	)

	same := func(foreign, unknown string, status int, code, method, path, body string) {
		t.Helper()
		request := header("X-Request-Id", "one")
		a := in.do(
			me, method, strings.ReplaceAll(path, "ID", foreign), strings.ReplaceAll(body, "ID", foreign),
			request,
		).expect(
			status, code,
		)
		b := in.do(
			me, method, strings.ReplaceAll(path, "ID", unknown), strings.ReplaceAll(body, "ID", unknown),
			request,
		).expect(
			status, code,
		)
		require.Equal(
			t, strings.ReplaceAll(b.Body.String(), unknown, ""),
			strings.ReplaceAll(a.Body.String(), foreign, ""),
		)
	}
	transaction, customer := models.NewID(models.PrefixTransaction), models.NewID(models.PrefixCustomer)
	same(theirs.text("id"), transaction, 404, "resource_not_found", "GET", "/v1/transactions/ID", "")
	same(theirs.text("id"), transaction, 404, "resource_not_found", "GET", "/v1/transactions/ID/history", "")
	same(
		theirs.text("id"), transaction, 404, "reference_not_found", "POST", "/v1/transactions",
		sale("ORDER-2", `,"related_to":"ID"`),
	)
	same(
		theirs.text("customer_id"), customer, 404, "reference_not_found", "POST", "/v1/transactions",
		sale("ORDER-2", `,"customer_id":"ID"`),
	)
	require.Equal(
		t, []any{},
		in.do(me, "GET", "/v1/transactions?related_to="+theirs.text("id"), "").expect(200).member("items"),
	)
	require.Equal(
		t, []any{mine.text("id")},
		in.do(me, "GET", "/v1/transactions?search_query=ORDER", "").expect(200).list("id"),
	)

	header := record(
		t, in, me,
		strings.Replace(
			sale("ORDER-3", ""), `{"external_id"`,
			`{"organization_id":"`+in.root.organizationID+`","external_id"`, 1,
		),
	)
	require.Equal(t, me.organizationID, header.text("organization_id"), "the header wins")
}

func TestRevisionsOverHTTP(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	first := record(t, in, in.root, sale("ORDER-1", ""))
	path := "/v1/transactions/" + first.text("id")
	in.do(in.root, "GET", path+"/revisions/1", "").expect(404, "resource_not_found")
	put := in.do(
		in.root, "PUT", path,
		strings.Replace(sale("ORDER-1", `,"description":"again"`), `"type":"SALE",`, "", 1),
	).expect(200)

	list := in.do(in.root, "GET", path+"/revisions", "").expect(200)
	require.Equal(t, []any{1.0}, list.list("revision"))
	require.Equal(t, []any{put.Header().Get("X-Request-Id")}, list.list("request_id"))
	require.Equal(t, []any{[]any{"description"}}, list.list("changed"))
	was, err := json.Marshal(in.do(in.root, "GET", path+"/revisions/1", "").expect(200).member("transaction"))
	require.NoError(t, err)
	require.JSONEq(t, first.Body.String(), string(was), "the version as it was answered")
	for _, number := range []string{"0", "2", "-1", "01", "+1", "x", "1.0", "99999999999"} {
		in.do(in.root, "GET", path+"/revisions/"+number, "").expect(404, "resource_not_found")
	}
}

// A credit note is updated by its own path. Amounts of a sale are not negative, and a credit note is no sale.
func TestACreditNoteIsNotChangedAsASale(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.product(in.root, "P-1")
	original := record(t, in, in.root, sale("ORDER-1", "")).text("id")
	note := record(t, in, in.root, strings.NewReplacer(`"SALE"`, `"PARTIAL_CREDIT_NOTE"`, `"100.00"`, `"-10.00"`).
		Replace(sale("CN-1", `,"total_amount":"-10.00","related_to":"`+original+`"`)))
	path := "/v1/transactions/" + note.text("id")
	read := in.do(in.root, "GET", path, "").expect(200).Body.String()
	for _, body := range []string{
		read, strings.Replace(sale("CN-1", `,"total_amount":"-10.00"`), `"100.00"`, `"-10.00","quantity":"-1"`, 1),
	} {
		require.Equal(t, original, in.do(in.root, "PUT", path, body).
			expect(409, "credit_note_endpoint_required").text("related_to"), body)
	}
	in.do(in.root, "PUT", "/v1/transactions/"+original, sale("ORDER-1", `,"total_amount":"-10.00"`)).
		expect(400, "validation_failed")
}
