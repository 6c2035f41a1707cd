package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service"
	"levy/store/transactions"
	"levy/tax"
)

// The store implements these interfaces.
var (
	_ service.Transactions = (*transactions.Store)(nil)
	_ service.Intake       = (*transactions.Intake)(nil)
)

// transactionNow is the clock of the server under test.
var transactionNow = time.Date(2026, 5, 15, 10, 0, 2, 123456789, time.UTC)

// transactionBundle is a server with fake records. The intake stores its input, and the records return those
// that the test has added.
type transactionBundle struct {
	t       *testing.T
	handler http.Handler
	service *service.Service
	key     string
	scope   models.Scope

	accepted []*models.TransactionDraft
	refusal  error
	offered  []models.Ref

	export  func(ctx context.Context, each func(*models.ExportLine) error) error
	found   models.Transaction
	history []models.StageRecord
	filter  models.TransactionFilter
	order   []models.Order
	page    models.Page
	total   int64
	place   *models.Place

	parts    [][]string // of a large page
	readPart func(ids []string) ([]models.Transaction, error)

	archived []string // the requested days and positions
	next     string
}

func setupTransactions(t *testing.T) *transactionBundle {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("k1"))
	require.NoError(t, err)
	b := &transactionBundle{
		t: t, key: secret.NewAPIKey(secret.KindTest),
		scope: models.Scope{OrganizationID: models.NewID(models.PrefixOrganization)}, total: 1,
	}
	server, err := New(service.Deps{
		Principals: b, Transactions: b, Intake: b, Dispatcher: b, Catalogue: b, Places: b, Law: b, Audit: noTrail{},
	}, Options{Options: service.Options{
		Keys: secret.NewKeyHasher(ring), Now: func() time.Time { return transactionNow },
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}})
	require.NoError(t, err)
	b.handler, b.service = server.Handler(), server.Service()
	return b
}

// noTrail records nothing.
type noTrail struct{}

func (noTrail) ListAudit(
	context.Context, models.Scope, models.AuditFilter, models.Page,
) (models.List[models.AuditEntry], error) {
	return models.List[models.AuditEntry]{}, nil
}

func (noTrail) NoteRead(context.Context, ...*models.AuditEntry) error { return nil }

func (b *transactionBundle) FindPrincipal(context.Context, [][]byte) (models.Principal, error) {
	return models.Principal{
		APIKeyID: "akey_1", OrganizationID: b.scope.OrganizationID, Scopes: models.AllAPIKeyScopes(),
	}, nil
}

func (b *transactionBundle) Accept(_ context.Context, d *models.TransactionDraft) error {
	if b.refusal != nil {
		return b.refusal
	}
	for i := range d.Items { // as the store does
		d.Items[i].ProductID = "prod_01jx4m0q5tb7cyd2f6g8h9j1k3"
		d.Items[i].ProductName = new("Widget")
	}
	b.accepted = append(b.accepted, d)
	return nil
}

func (b *transactionBundle) HoldBatches(context.Context, models.Scope, bool) error { return nil }

func (b *transactionBundle) AcceptAll(ctx context.Context, drafts []*models.TransactionDraft) []error {
	errs := make([]error, len(drafts))
	for i, d := range drafts {
		errs[i] = b.Accept(ctx, d)
	}
	return errs
}

func (b *transactionBundle) ExportTransactions(
	ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order,
	to models.Export[models.ExportLine],
) error {
	b.filter, b.order, b.page = f, order, models.Page{Limit: to.Limit}
	return b.export(ctx, func(l *models.ExportLine) error { return errors.Join(to.Row(l), to.Pause()) })
}

func (b *transactionBundle) Offer(_ context.Context, ref models.Ref) {
	b.offered = append(b.offered, ref)
}

func (b *transactionBundle) Transaction(_ context.Context, scope models.Scope, id string) (models.Transaction, error) {
	if scope != b.scope || id != b.found.ID {
		return models.Transaction{}, models.ErrNotFound
	}
	return b.found, nil
}

func (b *transactionBundle) TransactionByExternalID(
	_ context.Context, scope models.Scope, externalID string,
) (models.Transaction, error) {
	if scope != b.scope || externalID != b.found.ExternalID {
		return models.Transaction{}, models.ErrNotFound
	}
	return b.found, nil
}

func (b *transactionBundle) ListTransactions(
	_ context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order, page models.Page,
) (models.TransactionPage, error) {
	require.Equal(b.t, b.scope, scope)
	b.filter, b.order, b.page = f, order, page
	list := models.List[models.Transaction]{Items: []models.Transaction{b.found}, Total: b.total, Next: b.place}
	if b.parts != nil {
		list.Items = nil
	}
	return models.TransactionPage{List: list, Parts: b.parts}, nil
}

func (b *transactionBundle) TransactionsOf(
	_ context.Context, scope models.Scope, ids []string,
) ([]models.Transaction, error) {
	require.Equal(b.t, b.scope, scope)
	if b.readPart != nil {
		return b.readPart(ids)
	}
	all := make([]models.Transaction, len(ids))
	for i, id := range ids {
		all[i] = b.found
		all[i].ID = id
	}
	return all, nil
}

func (b *transactionBundle) UpdateTransaction(
	_ context.Context, scope models.Scope, id string, build models.BuildUpdate,
) (models.Transaction, error) {
	if scope != b.scope || id != b.found.ID {
		return models.Transaction{}, models.ErrNotFound
	}
	d, err := build(&b.found)
	if err != nil {
		return models.Transaction{}, err
	}
	if b.refusal != nil {
		return models.Transaction{}, b.refusal
	}
	for i := range d.Items { // as the store does
		d.Items[i].ProductID = "prod_01jx4m0q5tb7cyd2f6g8h9j1k3"
	}
	b.accepted = append(b.accepted, d)
	return d.Transaction, nil
}

func (b *transactionBundle) ArchiveByDate(
	_ context.Context, scope models.Scope, _ models.Actor, p models.ArchivePeriod, each func(string, error),
) (string, error) {
	require.Equal(b.t, []any{b.scope, 5000}, []any{scope, p.Limit})
	b.archived = append(b.archived, p.From.Format(time.DateOnly)+" "+p.To.Format(time.DateOnly)+" "+p.After)
	for n := range 102 {
		each(fmt.Sprintf("txn_%d", n), b.refusal)
	}
	return b.next, nil
}

func (b *transactionBundle) ReprocessTransaction(
	_ context.Context, scope models.Scope, _ models.Actor, id string,
) (models.Ref, error) {
	return models.Ref{OrganizationID: scope.OrganizationID, ID: id, Epoch: b.found.Epoch + 1}, nil
}

func (b *transactionBundle) ArchiveTransactions(
	_ context.Context, scope models.Scope, _ models.Actor, ids []string,
) ([]error, error) {
	require.Equal(b.t, b.scope, scope)
	errs := make([]error, len(ids))
	for i, id := range ids {
		switch {
		case id != b.found.ID:
			errs[i] = models.ErrNotFound
		default:
			errs[i] = b.refusal
		}
	}
	return errs, nil
}

func (b *transactionBundle) KnownIDs(context.Context, models.Scope, []string) (map[string]bool, error) {
	return nil, nil
}

func (b *transactionBundle) RelatedTransactions(
	_ context.Context, scope models.Scope, id string, page models.Page,
) (models.TransactionPage, error) {
	return b.ListTransactions(context.Background(), scope, models.TransactionFilter{RelatedTo: id}, nil, page)
}

func (b *transactionBundle) TransactionRevisions(
	context.Context, models.Scope, string, models.Page,
) (models.List[models.TransactionRevision], error) {
	return models.List[models.TransactionRevision]{}, models.ErrNotFound
}

func (b *transactionBundle) TransactionRevision(
	_ context.Context, _ models.Scope, _ string, revision int,
) (models.TransactionRevision, error) {
	return models.TransactionRevision{Revision: revision, Transaction: b.found}, nil
}

func (b *transactionBundle) TransactionHistory(
	_ context.Context, scope models.Scope, id string, page models.Page,
) (models.List[models.StageRecord], error) {
	b.page = page
	if scope != b.scope || id != b.found.ID {
		return models.List[models.StageRecord]{}, models.ErrNotFound
	}
	return models.List[models.StageRecord]{Items: b.history, Total: int64(len(b.history))}, nil
}

func (b *transactionBundle) TransactionExplanation(
	context.Context, models.Scope, string,
) (models.TransactionExplanation, error) {
	return models.TransactionExplanation{}, models.ErrNotFound
}

func (b *transactionBundle) Categories() []tax.Category { return nil }

func (b *transactionBundle) Classify(string, string) (tax.TaxClass, tax.Classification, bool) {
	return "", "", false
}

func (b *transactionBundle) Resolve(a tax.Address) tax.Place {
	codes := map[string]string{"US NEW YORK": "NY", "US NY": "NY", "CA ONTARIO": "ON"}
	place := tax.Place{State: codes[a.Country+" "+a.State], Status: tax.StatusUnverified}
	if a == (tax.Address{}) {
		place.Status = tax.StatusBlank
	}
	return place
}

func (b *transactionBundle) Locate(
	_ context.Context, addresses []tax.DatedAddress,
) (map[tax.DatedAddress]tax.Place, error) {
	places := map[tax.DatedAddress]tax.Place{}
	for _, a := range addresses {
		places[a] = b.Resolve(a.Address)
	}
	return places, nil
}

func (b *transactionBundle) Current() *tax.Content { return embeddedContent() }

// embeddedContent is the tax content of the program.
var embeddedContent = sync.OnceValue(func() *tax.Content {
	c, err := tax.LoadContent()
	if err != nil {
		panic(err)
	}
	return c
})

func (b *transactionBundle) Suggest(tax.Address) []tax.Suggestion { return nil }

func (b *transactionBundle) Jurisdiction(string) (tax.Jurisdiction, bool) {
	return tax.Jurisdiction{}, false
}

func (b *transactionBundle) send(method, target, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequestWithContext(b.t.Context(), method, target, strings.NewReader(body))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("X-Api-Key", b.key)
	request.Header.Set("X-Organization-Id", b.scope.OrganizationID)
	request.Header.Set("X-Request-Id", "req-of-the-test")
	recorder := httptest.NewRecorder()
	b.handler.ServeHTTP(recorder, request)
	return recorder
}

// accept posts a body that must be accepted and returns the draft.
func (b *transactionBundle) accept(body string) *models.TransactionDraft {
	b.t.Helper()
	answer := b.send(http.MethodPost, "/v1/transactions", body)
	require.Equal(b.t, http.StatusAccepted, answer.Code, answer.Body.String())
	return b.accepted[len(b.accepted)-1]
}

// refuse posts a body that must be refused with 400 and returns the faults, each as its code and location.
func (b *transactionBundle) refuse(body string) []string {
	b.t.Helper()
	answer := b.send(http.MethodPost, "/v1/transactions", body)
	require.Equal(b.t, http.StatusBadRequest, answer.Code, answer.Body.String())
	require.Empty(b.t, b.accepted)
	var problem struct {
		Code   string
		Errors []problem.FieldError
	}
	require.NoError(b.t, json.Unmarshal(answer.Body.Bytes(), &problem))
	require.Equal(b.t, "validation_failed", problem.Code)
	faults := []string{}
	for _, e := range problem.Errors {
		require.NotEmpty(b.t, e.Message)
		faults = append(faults, e.Code+" "+e.Location)
	}
	return faults
}

// saleWith returns the smallest sale with the members of change.
func saleWith(change string) string {
	return mergedJSON(`{"external_id":"ORDER-1","type":"SALE","date":"2026-05-15T10:00:00Z","addresses":[],
		"customer":{"external_id":"C-1"},
		"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z"}]}`, change)
}

func mergedJSON(base, change string) string {
	members := map[string]json.RawMessage{}
	for _, part := range []string{base, change} {
		if err := json.Unmarshal([]byte(part), &members); err != nil {
			panic(err)
		}
	}
	merged, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return string(merged)
}

// contractExample returns the request of the contract's example.
const contractExample = `{"external_id":"ORDER-12345","type":"SALE","date":"2026-05-15T10:00:00Z","currency":"USD",
	"total_amount":108.88,"source":"API",
	"customer":{"external_id":"C-1","name":"Ada"},
	"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
		"country":"US"}],
	"transaction_items":[{"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","quantity":1,
		"amount":100.00,"tax_amount_imported":8.88}]}`

var identifier = regexp.MustCompile(`"(org|txn|cust|addr|txi|prod|exmp|ctax)_[0-9a-z]{26}"`)

func TestCreateTransactionAnswersLikeTheContract(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	answer := b.send(http.MethodPost, "/v1/transactions", contractExample)
	require.Equal(t, http.StatusAccepted, answer.Code, answer.Body.String())
	require.Equal(t, []string{contentTypeJSON}, answer.Header().Values("Content-Type"))
	requireContract(t, "TransactionArray", answer.Body.Bytes())
	require.JSONEq(t, `[{"id":"txn","organization_id":"org",
		"external_id":"ORDER-12345","type":"SALE","status":"COMMITTED","processing_status":"QUEUED",
		"address_status":"UNVERIFIED",
		"date":"2026-05-15T10:00:00Z","tax_date":"2026-05-15","currency":"USD","total_amount":"108.88","marketplace":false,
		"prices_include_tax":false,
		"exempt":"NOT_EXEMPT","locked":false,
		"source":"API","total_tax_amount_imported":"8.88","tax_rate_imported":"0.000000000",
		"total_tax_amount_calculated":"0.00",
		"tax_rate_calculated":"0.000000000","total_tax_liability_amount":"0.00","taxable_amount":"0.00","subtotal":"100.00",
		"total_discount":"0.00","final_total_amount":"100.00","ambiguous":false,"revision":1,
		"customer_id":"cust","customer":{"id":"cust","organization_id":"org","external_id":"C-1","name":"Ada",
			"status":"ACTIVE","address_status":"BLANK",
		  "source":"OTHER","customer_tax_registrations":[],"created_at":"2026-05-15T10:00:02.123456Z",
		  "updated_at":"2026-05-15T10:00:02.123456Z"},
		"addresses":[{"id":"addr","transaction_id":"txn","type":"SHIP_TO","street_1":"350 5th Ave","city":"New York",
			"state":"NY","postal_code":"10118",
		  "country":"US","is_unincorporated":false,"status":"UNVERIFIED"}],
		"transaction_items":[{"id":"txi","organization_id":"org","date":"2026-05-15T10:00:00Z","external_id":"L1",
			"external_product_id":"P-1","product_id":"prod",
		  "product_name":"Widget","quantity":"1.0","amount":"100.00","subtotal":"100.00","total_discount":"0.00",
		  "tax_amount_imported":"8.88",
		  "tax_rate_imported":"0.000000000","tax_amount_calculated":"0.00","tax_rate_calculated":"0.000000000",
		  "taxable_amount":"0.00","exempt":false,
		  "original_currency":"USD","tax_items":[]}],
		"exemptions":[],"created_at":"2026-05-15T10:00:02.123456Z","updated_at":"2026-05-15T10:00:02.123456Z"}]`,
		identifier.ReplaceAllString(answer.Body.String(), `"$1"`))

	d := b.accepted[0]
	require.Equal(t, models.Actor{APIKeyID: "akey_1", RequestID: "req-of-the-test"}, d.Actor)
	require.Equal(t, []models.Ref{{OrganizationID: b.scope.OrganizationID, ID: d.ID, Epoch: 1}}, b.offered)
}

func TestCreateTransactionOffersOnlyWhatIsToBeProcessed(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	d := b.accept(saleWith(`{"type":"ARCHIVE"}`))
	require.Equal(t, models.StatusArchived, d.Status)
	require.Equal(t, models.ProcessingArchived, d.ProcessingStatus)
	require.Empty(t, b.offered)

	b.refusal = &models.DuplicateError{Field: "external_id", ExistingID: "txn_x"}
	answer := b.send(http.MethodPost, "/v1/transactions", saleWith(`{}`))
	require.Equal(t, http.StatusConflict, answer.Code)
	require.Contains(t, answer.Body.String(), `"existing_id":"txn_x"`)
	require.Empty(t, b.offered, "a refused one is not offered")
}

func TestGetTransaction(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.found = processedTransaction(b.scope)
	for _, path := range []string{"/v1/transactions/" + b.found.ID, "/v1/transactions/external/A%2F1"} {
		answer := b.send(http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		requireContract(t, "Transaction", answer.Body.Bytes())
	}
	for _, path := range []string{
		"/v1/transactions/" + models.NewID(models.PrefixTransaction), "/v1/transactions/%00",
		"/v1/transactions/" + b.scope.OrganizationID,
		"/v1/transactions/external/a%2F1", "/v1/transactions/external/%00",
		"/v1/transactions/" + models.NewID(models.PrefixTransaction) + "/history",
	} {
		answer := b.send(http.MethodGet, path, "")
		require.Equal(t, http.StatusNotFound, answer.Code, path)
		require.Contains(t, answer.Body.String(), "resource_not_found", path)
	}
}

func TestListTransactionHistory(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.found = processedTransaction(b.scope)
	b.history = []models.StageRecord{
		{Stage: "ACCEPTED", At: transactionNow, Revision: 1, Attempt: 1, RequestID: new("req_1")},
		{Stage: "ADDRESS_DONE", At: transactionNow, Revision: 1, Attempt: 2, WorkflowID: new("transactions/1"),
			WorkflowRunID: new("run"),
			Detail:        map[string]any{"address_status": "VERIFIED", "ambiguous": false}},
	}
	answer := b.send(http.MethodGet, "/v1/transactions/"+b.found.ID+"/history?page=2&size=7", "")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	requireContract(t, "TransactionHistory", answer.Body.Bytes())
	require.Equal(t, models.Page{Limit: 7, Offset: 7}, b.page)
	require.JSONEq(t, `{"total":2,"page":2,"size":7,"pages":1,"items":[
		{"stage":"ACCEPTED","at":"2026-05-15T10:00:02.123456Z","revision":1,"attempt":1,"workflow_id":null,
			"workflow_run_id":null,"request_id":"req_1","detail":{}},
		{"stage":"ADDRESS_DONE","at":"2026-05-15T10:00:02.123456Z","revision":1,"attempt":2,"workflow_id":"transactions/1",
			"workflow_run_id":"run","request_id":null,
		 "detail":{"address_status":"VERIFIED","ambiguous":false}}]}`, answer.Body.String())
}

// requireContract checks an answer against a schema of the contract's document.
func requireContract(t *testing.T, schema string, answer []byte) {
	t.Helper()
	document := contractDocument(t)
	var value any
	require.NoError(t, json.Unmarshal(answer, &value))
	require.NoError(t, document.Components.Schemas[schema].Value.VisitJSON(value))
}
